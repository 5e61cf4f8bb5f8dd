// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, origin, uriOf, waitForAnswer, expectRejected } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
let names = 0
const createRemoteActor = () => remote.createActor(`account${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, user = alice) => actor.activity('Follow', uriOf(user))
const followers = async (user = alice) =>
  (await user.client.get(`/api/v1/accounts/${user.accountId}/followers`)).body.map((one: { acct: string }) => one.acct)

suite('a hostile body', () => {
  const padding = 'x'.repeat(1024 * 1024)

  test('IN10 of more than a megabyte is refused, with a content length, chunked or compressed', async () => {
    const large = JSON.stringify({ ...like(bob), padding })
    assert.equal(await waitForAnswer(bob.send(like(bob))), 202)
    assert.equal(await expectRejected(bob, large), 413)
    const compressed = gzipSync(large)
    assert.ok(compressed.length < 10_000)
    const headers = { 'content-encoding': 'gzip' }
    assert.equal(await expectRejected(bob, compressed, { headers }), 413)
    assert.equal(
      await expectRejected(bob, gzipSync(compressed), { headers: { 'content-encoding': 'gzip, gzip' } }),
      415,
    )
    assert.equal(await expectRejected(bob, JSON.stringify(like(bob)), { headers }), 400)
    const small = gzipSync(JSON.stringify(like(bob)))
    assert.equal(await waitForAnswer(bob.send(small, { headers })), 202)
    const via = await testServer.listen()
    assert.equal((await bob.send(large, { via, headers: { 'transfer-encoding': 'chunked' } })).status, 413)
    assert.equal((await bob.send(large, { via })).status, 413)
  })

  test('IN11 that is no valid document is refused quickly', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { id } = like(bob)
    const bodies: (string | Buffer)[] = [
      deep,
      JSON.stringify({ ...like(bob) }).replace('"Like"', `"Like","deep":${deep}`),
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '',
      '{"type":"Like"',
      `\uFEFF${JSON.stringify(like(bob))}`,
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      `{"id":"${id}","type":"Like","actor":"${mallory.id}","actor":"${bob.id}","object":"x"}`,
      `{"id":"${id}","type":"Like","act\\u006fr":"${mallory.id}","actor":"${bob.id}","object":"x"}`,
    ]
    const longest = await measureEventLoopBlock(async () => {
      for (const body of bodies) assert.equal(await expectRejected(bob, body), 400, String(body).slice(0, 80))
      for (const body of bodies) assert.ok((await expectRejected(await createRemoteActor(), body)) < 402)
    })
    assert.ok(longest < 250, `${longest} ms`)
  })

  test('IN12 causes no fetch of a context, and no context changes the meaning of a name', async () => {
    const user = await testServer.createUser()
    const requestsBefore = other.requests.length
    const contexts = [
      'https://other.test/context',
      { actor: 'https://other.test/actor', object: '@graph' },
      { '@import': 'https://other.test/context', '@base': 'https://other.test/' },
    ]
    for (const context of contexts) {
      await bob.send({ ...follow(bob, user), '@context': ['https://www.w3.org/ns/activitystreams', context] })
      await testServer.waitForJobs()
      assert.deepEqual(await followers(user), [bob.handle])
    }
    for (const name of ['@graph', '@included', '@reverse']) {
      assert.equal(await expectRejected(bob, { ...follow(bob, user), [name]: [follow(mallory, user)] }), 400)
    }
    assert.equal(other.requests.length, requestsBefore)
  })

  test('IN21 of the largest accepted size does not block the event loop', async () => {
    const to = Array.from({ length: 18_000 }, (_one, n) => `https://other.test/${n}`.padEnd(50, 'x'))
    const note = bob.note({ to: ['https://www.w3.org/ns/activitystreams#Public', ...to] })
    const body = JSON.stringify(bob.activity('Create', note))
    assert.ok(body.length > 900_000 && body.length < 1024 * 1024)
    const longest = await measureEventLoopBlock(async () => {
      assert.equal(await waitForAnswer(bob.send(body)), 202)
      await testServer.waitForJobs()
    })
    assert.ok(longest < 250, `${longest} ms`)
  })
})
