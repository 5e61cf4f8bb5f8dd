import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNameServer } from '../../../test/services/name-server.ts'
import { createMailHostFinder } from './create-mail-host-finder.ts'

const [A, MX] = [1, 15]

/** Returns the data of an MX record: the preference, and the name as labels with their lengths. */
const recordOf = (host: string) => [
  0,
  10,
  ...host.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
]

test('the mail servers of a domain are found by DNS', async () => {
  const server = await openNameServer((name, type) =>
    type === MX && name === 'mail.example' ? [recordOf('mx1.provider.example'), recordOf('mx2.provider.example')] : [],
  )
  const findMailHosts = createMailHostFinder({ servers: [server.address] })
  const hosts = await findMailHosts('mail.example')
  assert.ok(hosts !== 'no mail')
  assert.deepEqual(hosts.toSorted(), ['mx1.provider.example', 'mx2.provider.example'])
})

test('a domain without records, or with a null MX record, receives no mail; one with an address does', async () => {
  const records: Record<string, [type: number, data: number[]]> = {
    'null.example': [MX, [0, 0, 0]],
    'address.example': [A, [192, 0, 2, 1]],
  }
  const server = await openNameServer((name, type) => {
    const [recordType, data] = records[name] ?? []
    return recordType === type && data ? [data] : []
  })
  const findMailHosts = createMailHostFinder({ servers: [server.address] })
  for (const domain of ['other.example', 'null.example']) assert.equal(await findMailHosts(domain), 'no mail', domain)
  assert.deepEqual(await findMailHosts('address.example'), [])
})

test('a failed lookup does not say that a domain receives no mail', async () => {
  const unreachable = createMailHostFinder({ servers: ['127.0.0.1:1'] })
  assert.deepEqual(await unreachable('mail.example'), [])
  assert.deepEqual(await unreachable('not a domain'), [])
  // Only the question for addresses fails.
  const server = await openNameServer((_name, type) => (type === MX ? [] : undefined))
  assert.deepEqual(await createMailHostFinder({ servers: [server.address], timeoutMs: 200 })('mail.example'), [])
})

test('a name server that does not respond delays the result for a limited time only', async () => {
  const server = await openNameServer(() => undefined)
  const findMailHosts = createMailHostFinder({ servers: [server.address], timeoutMs: 100 })
  const startedAt = performance.now()
  assert.deepEqual(await findMailHosts('mail.example'), [])
  assert.ok(performance.now() - startedAt < 900)
})
