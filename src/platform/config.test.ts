import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMistakes, readConfig } from './config.ts'

function mistakes(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (err) {
    if (err instanceof ConfigMistakes) return err.mistakes
    throw err
  }
  return []
}

test('private addresses are closed to outbound requests, unless they are named', () => {
  assert.deepEqual(readConfig({}).allowedPrivateAddresses, [])
  const { allowedPrivateAddresses } = readConfig({ ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8, 10.1.2.3,fd00::/8' })
  assert.deepEqual(allowedPrivateAddresses, ['127.0.0.0/8', '10.1.2.3', 'fd00::/8'])
  const [first, second, ...more] = mistakes({ ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/33,localhost' })
  assert.match(first!, /^ALLOWED_PRIVATE_ADDRESSES .*"127\.0\.0\.0\/33"/)
  assert.match(second!, /"localhost"/)
  assert.deepEqual(more, [])
})

test('names of tests lead only to addresses that are open', () => {
  assert.equal(readConfig({}).testHosts.size, 0)
  const { testHosts } = readConfig({
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
    LINNET_TEST_HOSTS: 'Remote.test=127.0.0.1:4443,bücher.test.=[::1]:4444',
  })
  assert.deepEqual(Object.fromEntries(testHosts), {
    'remote.test': { ip: '127.0.0.1', port: 4443 },
    'xn--bcher-kva.test': { ip: '::1', port: 4444 },
  })
  assert.match(mistakes({ LINNET_TEST_HOSTS: 'a.test=127.0.0.1:1' })[0]!, /^LINNET_TEST_HOSTS may lead only to/)
  const env = { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  assert.equal(mistakes({ ...env, LINNET_TEST_HOSTS: 'a.test=10.0.0.1:1,b.test=127.0.0.1:1' }).length, 1)
  for (const entry of [
    'a.test',
    'a.test=127.0.0.1',
    '=127.0.0.1:1',
    'a.test=b.test:1',
    'a.test=127.0.0.1:0',
    'a.test=127.1:1',
  ]) {
    assert.match(mistakes({ ...env, LINNET_TEST_HOSTS: entry })[0]!, /must list entries such as/, entry)
  }
})
