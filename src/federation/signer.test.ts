import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { openFediverse } from '../../test/fediverse.ts'
import { answer } from '../../test/peer/behaviour.ts'
import { createSigner } from './signatures/sign.ts'
import { keyFetchUses } from './throttles.ts'

let now = new Date(Math.ceil(Date.now() / 300_000) * 300_000)
const fediverse = await openFediverse({ hosts: ['remote.test', 'target.test'], now: () => now })
const { world, peer, origin } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const target = peer.host('target.test')
const bob = await remote.createActor('bob')
const alice = await world.createPerson({ username: 'alice' })
const { uri } = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body
const path = new URL(uri).pathname

/** Keys are only fetched of hosts that this server had to do with. */
await world.ctx.db
  .insertInto('hosts')
  .values([{ domain: 'remote.test' }, { domain: 'target.test' }])
  .execute()

/** A window of five minutes later, all throttles are new. */
const pass = () => void (now = new Date(now.getTime() + 300_000))
let invented = 0
const invent = () => `https://target.test/invented/${(invented += 1)}#main-key`

/** Uses the throttles of failing keys up, but for what is left of each. */
async function useUp({ ip, left }: { ip: string; left: { network: number; host: number } }): Promise<void> {
  const [network, host] = keyFetchUses({ uri: 'https://target.test/', ip })
  for (const [use, remaining] of [[network!, left.network] as const, [host!, left.host] as const]) {
    for (let n = remaining; n < use.throttle.limit; n += 1) await world.ctx.limiter.take(use.throttle, use.key, now)
  }
}

interface Signed {
  method?: 'GET' | 'POST'
  keyId: string
  ip?: string
}

/** Sends a request with bob's signature under any key id, from any address. */
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
  return (await world.server.inject(options)).statusCode
}

test('GETs with invented key ids reach a host a hundred times per network, and share that with the inbox', async () => {
  const before = target.requests.length
  const codes = await Promise.all(Array.from({ length: 250 }, () => request({ keyId: invent() })))
  assert.deepEqual([...new Set(codes)], [200], 'a signature that cannot be verified counts as none')
  assert.equal(target.requests.length - before, 100)
  assert.equal(await request({ method: 'POST', keyId: invent() }), 429)
  assert.equal(target.requests.length - before, 100)
  assert.equal(await request({ method: 'POST', keyId: invent(), ip: '198.51.100.2' }), 401)
  assert.equal(target.requests.length - before, 101)
})

test('an IPv6 customer has one network, and all networks together reach a host a thousand times', async () => {
  pass()
  const before = target.requests.length
  const sendFrom = (network: number) =>
    Promise.all(
      Array.from({ length: 40 }, (_one, n) => request({ keyId: invent(), ip: `2001:db8:0:${network}::${n + 1}` })),
    )
  await useUp({ ip: '2001:db8:0:1::', left: { network: 10, host: 30 } })
  await sendFrom(1)
  assert.equal(target.requests.length - before, 10)
  await sendFrom(2)
  assert.equal(target.requests.length - before, 30)
  assert.equal(await request({ keyId: bob.keyId }), 200)
  assert.equal(remote.countRequests(new URL(bob.id).pathname), 1, 'other hosts have their own throttle')
})

test('keys that are found and fit are not counted', async () => {
  pass()
  await useUp({ ip: '198.51.100.1', left: { network: 3, host: 100 } })
  for (let n = 0; n < 10; n += 1) {
    const actor = await remote.createActor(`reader${n}`, { keys: bob.keys })
    assert.equal(await request({ keyId: actor.keyId }), 200)
    assert.equal(remote.countRequests(new URL(actor.id).pathname), 1)
  }
})

test('keys of real actors who did not sign are counted', async () => {
  pass()
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
  pass()
  target.behave(/^\/late/, answer(404))
  const keyId = 'https://target.test/late#main-key'
  await request({ keyId })
  pass()
  await request({ keyId })
  assert.equal(target.countRequests('/late'), 2)
  assert.equal((await world.server.inject({ url: path, headers: { accept: 'application/json' } })).statusCode, 200)
})
