import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { respondWith } from '../../../test/federation/peer/behaviour.ts'
import { createSigner } from '../signatures/create-signer.ts'
import { keyFetchThrottles } from '../throttles.ts'

let now = new Date(Math.ceil(Date.now() / 300_000) * 300_000)
const fediverse = await openFediverse({ hosts: ['remote.test', 'target.test'], now: () => now })
const { testServer, peer, origin } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const target = peer.host('target.test')
const bob = await remote.createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
const { uri } = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body
const path = new URL(uri).pathname

/** Keys are only fetched from known hosts. */
await testServer.ctx.db
  .insertInto('hosts')
  .values([{ domain: 'remote.test' }, { domain: 'target.test' }])
  .execute()

/** Advances the clock by a window of five minutes, which resets all throttles. */
const advanceClock = () => void (now = new Date(now.getTime() + 300_000))
let inventedKeys = 0
const inventKeyId = () => `https://target.test/invented/${(inventedKeys += 1)}#main-key`

/** Uses up the throttles of failed key fetches, except for `left` uses of each. */
async function useUp({ ip, left }: { ip: string; left: { network: number; host: number } }): Promise<void> {
  const [network, host] = keyFetchThrottles({ uri: 'https://target.test/', ip })
  for (const [use, remaining] of [[network!, left.network] as const, [host!, left.host] as const]) {
    for (let n = remaining; n < use.throttle.limit; n += 1)
      await testServer.ctx.rateLimiter.take(use.throttle, use.key, now)
  }
}

interface Signed {
  method?: 'GET' | 'POST'
  keyId: string
  ip?: string
}

/** Sends a request with bob's signature and any key id, from any address. */
async function request({ method = 'GET', keyId, ip = '198.51.100.1' }: Signed): Promise<number> {
  const body = method === 'GET' ? null : Buffer.from(JSON.stringify({ type: 'Follow', actor: keyId, object: uri }))
  const url = method === 'GET' ? uri : `${origin}/inbox`
  const headers = {
    host: new URL(origin).host,
    accept: 'application/activity+json',
    ...(body && { 'content-type': 'application/activity+json' }),
  }
  const sign = createSigner({ key: { keyId, privateKey: bob.keys.privateKey }, spec: 'cavage', now: () => now })
  const signed = await sign({ method, url, headers, body })
  const options: InjectOptions = {
    method,
    url: new URL(url).pathname,
    headers: { ...headers, ...signed },
    remoteAddress: ip,
    ...(body && { payload: body }),
  }
  return (await testServer.server.inject(options)).statusCode
}

test('invented key ids cause at most a hundred fetches per network, in GETs and the inbox together', async () => {
  const before = target.requests.length
  const codes = await Promise.all(Array.from({ length: 250 }, () => request({ keyId: inventKeyId() })))
  assert.deepEqual([...new Set(codes)], [200], 'a request with a signature that cannot be verified is anonymous')
  assert.equal(target.requests.length - before, 100)
  assert.equal(await request({ method: 'POST', keyId: inventKeyId() }), 429)
  assert.equal(target.requests.length - before, 100)
  assert.equal(await request({ method: 'POST', keyId: inventKeyId(), ip: '198.51.100.2' }), 401)
  assert.equal(target.requests.length - before, 101)
})

test('an IPv6 /64 is one network, and all networks cause at most a thousand fetches per host', async () => {
  advanceClock()
  const before = target.requests.length
  const sendFrom = (network: number) =>
    Promise.all(
      Array.from({ length: 40 }, (_one, n) => request({ keyId: inventKeyId(), ip: `2001:db8:0:${network}::${n + 1}` })),
    )
  await useUp({ ip: '2001:db8:0:1::', left: { network: 10, host: 30 } })
  await sendFrom(1)
  assert.equal(target.requests.length - before, 10)
  await sendFrom(2)
  assert.equal(target.requests.length - before, 30)
  assert.equal(await request({ keyId: bob.keyId }), 200)
  assert.equal(remote.countRequests(new URL(bob.id).pathname), 1, 'other hosts have their own throttle')
})

test('fetches that yield the right key are not counted', async () => {
  advanceClock()
  await useUp({ ip: '198.51.100.1', left: { network: 3, host: 100 } })
  for (let n = 0; n < 10; n += 1) {
    const actor = await remote.createActor(`reader${n}`, { keys: bob.keys })
    assert.equal(await request({ keyId: actor.keyId }), 200)
    assert.equal(remote.countRequests(new URL(actor.id).pathname), 1)
  }
})

test('fetches of existing keys that did not make the signature are counted', async () => {
  advanceClock()
  const mallory = await target.createActor('mallory')
  await useUp({ ip: '198.51.100.9', left: { network: 3, host: 100 } })
  const before = target.requests.length
  for (let n = 0; n < 10; n += 1) {
    const actor = await target.createActor(`victim${n}`, { keys: mallory.keys })
    await request({ keyId: actor.keyId, ip: '198.51.100.9' })
  }
  assert.equal(target.requests.length - before, 3)
})

test('after the window a key is fetched again', async () => {
  advanceClock()
  target.behave(/^\/late/, respondWith(404))
  const keyId = 'https://target.test/late#main-key'
  await request({ keyId })
  advanceClock()
  await request({ keyId })
  assert.equal(target.countRequests('/late'), 2)
  assert.equal((await testServer.server.inject({ url: path, headers: { accept: 'application/json' } })).statusCode, 200)
})
