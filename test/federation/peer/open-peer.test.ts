import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import fastify from 'fastify'
import { parsePublicKey } from '../../../src/federation/signatures/keys.ts'
import { createSigner } from '../../../src/federation/signatures/create-signer.ts'
import type { SignatureSpec } from '../../../src/federation/signatures/signature.ts'
import { FetchFailedError } from '../../../src/platform/fetch/fetch-errors.ts'
import { createFetcher } from '../../../src/platform/fetch/fetcher.ts'
import type { FetchInput } from '../../../src/platform/fetch/fetcher.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { takeKeyPair } from '../../services/rsa-keys.ts'
import { actorWithKey } from '../fedify.ts'
import { rejectionReasonOf } from '../signed-requests.ts'
import { openPeer } from './open-peer.ts'
import { PUBLIC } from './actor.ts'
import type { Activity } from './inbox.ts'
import {
  respondWith,
  tooManyRequests,
  withContentType,
  withChangedBody,
  gone,
  gzipBomb,
  neverRespond,
  largeBody,
  redirectTo,
  resetConnection,
  respondAfter,
  trickleResponse,
} from './behaviour.ts'

const ORIGIN = 'https://linnet.test'
const peer = await openPeer({ hosts: ['remote.test', 'other.test'] })
const remote = peer.host('remote.test')
const [bob, carol] = await Promise.all([remote.createActor('bob'), peer.host('other.test').createActor('carol')])
after(() => peer.close())

// The peer requires of a server only an actor with a key, and an inbox.
const alice = { keyId: `${ORIGIN}/ap/users/1#main-key`, ...takeKeyPair() }
const arrived: { body: Buffer; result: string }[] = []
const server = fastify()
after(() => server.close())
server.addContentTypeParser('application/activity+json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
server.get('/ap/users/1', () => actorWithKey({ keyId: alice.keyId, publicKeyPem: alice.publicKeyPem }))
server.get('/ap/users/:id', (_request, reply) => reply.code(404).send())
server.post('/inbox', (request, reply) => {
  const { method, headers } = request
  const body = request.body as Buffer
  const key = parsePublicKey(bob.keys.publicKeyPem)!
  arrived.push({
    body,
    result: rejectionReasonOf({ method, url: ORIGIN + request.url, headers, body, now: new Date() }, key),
  })
  return reply.code(202).send()
})
const { allowedPrivateAddresses, testHosts } = readConfig(peer.env)
const fetcher = createFetcher({
  userAgent: 'test',
  allowedPrivate: allowedPrivateAddresses,
  testHosts,
  extraCa: peer.ca,
  timeoutMs: 5000,
})
after(() => fetcher.close())
peer.connect(ORIGIN, server)

async function deliver(
  inbox: string,
  {
    activity = { type: 'Follow', object: bob.id },
    spec = 'cavage',
    ...more
  }: { activity?: object; spec?: SignatureSpec } & Partial<FetchInput> = {},
): Promise<number> {
  const { status } = await fetcher.request({
    method: 'POST',
    url: inbox,
    headers: { 'content-type': 'application/activity+json' },
    body: JSON.stringify({ '@context': 'https://www.w3.org/ns/activitystreams', ...activity }),
    maxBytes: 0,
    sign: createSigner({ key: alice, spec, now: () => new Date() }),
    ...more,
  })
  return status
}

const get = async (url: string, more: Partial<FetchInput> = {}) => fetcher.request({ url, maxBytes: 100_000, ...more })
const getJson = async (url: string) => JSON.parse(String((await get(url)).body)) as Activity

suite('documents of a fake host', () => {
  test('WebFinger finds an actor with a key and collections', async () => {
    const finger = await getJson('https://remote.test/.well-known/webfinger?resource=acct:bob@remote.test')
    assert.equal(finger['links'][0].href, bob.id)
    const actor = await getJson(bob.id)
    assert.deepEqual([actor['inbox'], actor['preferredUsername']], [bob.inboxUrl, 'bob'])
    assert.ok(parsePublicKey(actor['publicKey'].publicKeyPem))
    assert.equal((await getJson(bob.followersUrl))['totalItems'], 0)
    assert.equal((await get('https://remote.test/users/nobody')).status, 404)
    assert.equal((await get('https://other.test/users/bob')).status, 404)
    const { links } = await getJson('https://remote.test/.well-known/nodeinfo')
    assert.equal((await getJson(links[0].href))['software'].name, 'peer')
  })

  test('notes are served at their ids until they are withdrawn, and collections in pages', async () => {
    const note = bob.note({ content: 'hello' })
    assert.deepEqual(note['to'], [PUBLIC])
    const { headers, body } = await get(note['id'])
    assert.equal(headers['content-type'], 'application/activity+json')
    assert.deepEqual(JSON.parse(String(body)), note)
    remote.withdraw(note['id'])
    assert.equal((await get(note['id'])).status, 404)

    const id = remote.serveCollection('/list', [1, 2, 3, 4, 5], { pageSize: 2 })
    const items: number[] = []
    for (let next = (await getJson(id))['first']; next;) {
      const page = await getJson(next)
      items.push(...page['orderedItems'])
      next = page['next']
    }
    assert.deepEqual(items, [1, 2, 3, 4, 5])
  })

  test('a host can require signatures for documents', async () => {
    remote.requiresSignatures = true
    after(() => (remote.requiresSignatures = false))
    assert.equal((await get(bob.id)).status, 401)
    for (const spec of ['cavage', 'rfc9421'] satisfies SignatureSpec[]) {
      const sign = createSigner({ key: alice, spec, now: () => new Date() })
      assert.equal((await get(bob.id, { sign })).status, 200)
      assert.equal((await get(`${bob.id}?x=1`, { sign })).status, 200)
    }
    remote.requiresSignatures = false
  })
})

suite('deliveries to a fake host', () => {
  test('a delivery with a valid signature of either kind arrives at its inbox', async () => {
    assert.equal(await deliver(bob.inboxUrl, { activity: { type: 'Follow', id: 1 } }), 202)
    const first = await bob.inbox.next()
    assert.deepEqual([first.activity['id'], first.keyId, first.spec], [1, alice.keyId, 'cavage'])
    assert.equal(await deliver(remote.sharedInboxUrl, { activity: { type: 'Like', id: 2 }, spec: 'rfc9421' }), 202)
    const second = await bob.inbox.next(({ type }) => type === 'Like')
    assert.deepEqual([second.activity['id'], second.spec], [2, 'rfc9421'])
    assert.deepEqual(
      remote.inbox.all('Like').map(({ id }) => id),
      [2],
    )
    assert.equal(carol.inbox.received.length, 0)
  })

  test('next() resolves as soon as a matching activity arrives', async () => {
    const waiting = carol.inbox.next(({ type }) => type === 'Accept')
    await deliver(carol.inboxUrl, { activity: { type: 'Follow' } })
    await deliver(carol.inboxUrl, { activity: { type: 'Accept' } })
    assert.equal((await waiting).activity['type'], 'Accept')
    assert.equal((await carol.inbox.next()).activity['type'], 'Follow')
  })

  test('IN1 a delivery with a missing, wrong, altered or unknown signature is rejected', async () => {
    const before = bob.inbox.received.length
    const tampered: Partial<FetchInput>[] = [
      { sign: () => ({}) },
      { sign: createSigner({ key: { ...alice, privateKey: bob.keys.privateKey }, now: () => new Date() }) },
      { sign: createSigner({ key: { ...alice, keyId: `${ORIGIN}/ap/users/2#main-key` }, now: () => new Date() }) },
      {
        sign: async (request) =>
          createSigner({ key: alice, now: () => new Date() })({ ...request, body: Buffer.from('{}') }),
      },
      { sign: createSigner({ key: alice, now: () => new Date(0) }) },
    ]
    for (const more of tampered) assert.equal(await deliver(bob.inboxUrl, more), 401)
    assert.equal(bob.inbox.received.length, before)
    assert.equal(remote.rejected.length, tampered.length)
    assert.equal(await deliver('https://remote.test/users/nobody/inbox'), 404)
  })

  test('a host can accept only one kind of signature', async () => {
    remote.acceptedSpecs = 'rfc9421'
    assert.equal(await deliver(bob.inboxUrl, { spec: 'cavage' }), 401)
    assert.equal(await deliver(bob.inboxUrl, { spec: 'rfc9421' }), 202)
    remote.acceptedSpecs = 'both'
  })

  test('a host fetches a rotated key when the old one does not match', async () => {
    const pair = takeKeyPair()
    const old = { privateKey: alice.privateKey, publicKeyPem: alice.publicKeyPem }
    Object.assign(alice, pair)
    assert.equal(await deliver(bob.inboxUrl), 202)
    Object.assign(alice, old)
    assert.equal(await deliver(bob.inboxUrl), 202)
  })
})

suite('activities of a fake actor', () => {
  test('activities arrive with either signature, with and without a socket', async () => {
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    for (const via of [server, url]) {
      for (const as of ['cavage', 'rfc9421'] satisfies SignatureSpec[]) {
        const activity = bob.activity('Like', `${ORIGIN}/ap/users/1/statuses/1`)
        const { status } = await bob.send(activity, { via, as })
        assert.equal(status, 202)
        const { body, result } = arrived.pop()!
        assert.equal(result, 'accepted')
        assert.deepEqual(JSON.parse(String(body)), activity)
      }
    }
  })

  test('activities can be sent with invalid signatures', async () => {
    const resultOf = async (options: Parameters<typeof bob.send>[1]) => {
      await bob.send({ type: 'Like' }, options)
      return arrived.pop()!.result
    }
    assert.equal(await resultOf({ as: 'unsigned' }), 'unsigned')
    assert.equal(await resultOf({ tamper: (call) => (call.body = Buffer.from('{}')) }), 'digest')
    assert.equal(await resultOf({ signer: { keyId: bob.keyId, privateKey: carol.keys.privateKey } }), 'key')
    assert.equal(await resultOf({ now: new Date(0) }), 'time')
    const { publicKeyPem } = bob.keys
    await bob.rotateKey()
    assert.notEqual(bob.keys.publicKeyPem, publicKeyPem)
    assert.equal(await resultOf({}), 'accepted')
    assert.equal((await bob.get(`${ORIGIN}/ap/users/1`)).json.preferredUsername, 'somebody')
  })
})

suite('behaviours of a fake host', () => {
  const kindOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (err: unknown) => (err instanceof FetchFailedError ? err.kind : String(err)),
    )

  test('each behaviour causes the expected error or response', async () => {
    const note = bob.note()
    const path = new URL(note['id']).pathname
    const requestOnce = async (behaviour: Parameters<typeof remote.behave>[1], timeoutMs = 5_000) => {
      remote.behave(path, behaviour, { times: 1 })
      return get(note['id'], { timeoutMs, redirects: 'none' })
    }
    assert.equal(await kindOf(requestOnce(neverRespond, 200)), 'timeout')
    assert.equal(await kindOf(requestOnce(trickleResponse(10), 200)), 'timeout')
    assert.equal(await kindOf(requestOnce(resetConnection)), 'network')
    assert.equal(await kindOf(requestOnce(largeBody(10_000_000))), 'too-large')
    assert.equal(await kindOf(requestOnce(largeBody(10_000_000, { declaresLength: true }))), 'too-large')
    assert.equal(await kindOf(requestOnce(gzipBomb(10_000_000))), 'too-large')
    assert.equal((await requestOnce(gone)).status, 410)
    assert.equal((await requestOnce(respondWith(500))).status, 500)
    assert.equal((await requestOnce(tooManyRequests(7))).headers['retry-after'], '7')
    assert.equal((await requestOnce(redirectTo('https://other.test/'))).headers['location'], 'https://other.test/')
    assert.equal((await requestOnce(withContentType('text/html'))).headers['content-type'], 'text/html')
    assert.equal((await requestOnce(withContentType(null))).headers['content-type'], undefined)
    assert.equal(String((await requestOnce(withChangedBody(() => 'x'))).body), 'x')
    assert.equal((await requestOnce(respondAfter(20))).status, 200)
    assert.equal((await get(note['id'])).status, 200)
    assert.equal(remote.countRequests(path), 15)
  })

  test('a behaviour applies until the host recovers', async () => {
    remote.behave(/inbox$/, gone, { method: 'POST' })
    assert.equal(await deliver(bob.inboxUrl), 410)
    assert.equal(await deliver(remote.sharedInboxUrl), 410)
    remote.recover()
    assert.equal(await deliver(bob.inboxUrl), 202)
  })
})
