import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { measureStall } from '../../../test/stall.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, origin, uriOf, answerTo, refuse } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
let names = 0
const stranger = () => remote.createActor(`stranger${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, person = alice) => actor.activity('Follow', uriOf(person))
const followers = async (person = alice) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/followers`)).body.map(
    (one: { acct: string }) => one.acct,
  )

suite('bodies that are meant to hurt', () => {
  const padding = 'x'.repeat(1024 * 1024)

  test('IN10 more than a megabyte is too much, told, in pieces or packed', async () => {
    const large = JSON.stringify({ ...like(bob), padding })
    assert.equal(await answerTo(bob.send(like(bob))), 202)
    assert.equal(await refuse(bob, large), 413)
    const packed = gzipSync(large)
    assert.ok(packed.length < 10_000)
    const headers = { 'content-encoding': 'gzip' }
    assert.equal(await refuse(bob, packed, { headers }), 413)
    assert.equal(await refuse(bob, gzipSync(packed), { headers: { 'content-encoding': 'gzip, gzip' } }), 415)
    assert.equal(await refuse(bob, JSON.stringify(like(bob)), { headers }), 400)
    const small = gzipSync(JSON.stringify(like(bob)))
    assert.equal(await answerTo(bob.send(small, { headers })), 202)
    const via = await world.listen()
    assert.equal((await bob.send(large, { via, headers: { 'transfer-encoding': 'chunked' } })).status, 413)
    assert.equal((await bob.send(large, { via })).status, 413)
  })

  test('IN11 what is no document is refused, quickly', async () => {
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
    const longest = await measureStall(async () => {
      for (const body of bodies) assert.equal(await refuse(bob, body), 400, String(body).slice(0, 80))
      for (const body of bodies) assert.ok((await refuse(await stranger(), body)) < 402)
    })
    assert.ok(longest < 250, `${longest} ms`)
  })

  test('IN12 no context is fetched, and none changes what a name means', async () => {
    const person = await world.createPerson()
    const asked = other.requests.length
    const contexts = [
      'https://other.test/context',
      ['https://www.w3.org/ns/activitystreams', { actor: 'https://other.test/actor', object: '@graph' }],
      { '@import': 'https://other.test/context', '@base': 'https://other.test/' },
    ]
    for (const context of contexts) {
      await bob.send({ ...follow(bob, person), '@context': context })
      await world.settle()
      assert.deepEqual(await followers(person), [bob.handle])
    }
    for (const name of ['@graph', '@included', '@reverse']) {
      assert.equal(await refuse(bob, { ...follow(bob, person), [name]: [follow(mallory, person)] }), 400)
    }
    assert.equal(other.requests.length, asked)
  })

  test('IN21 the largest that is allowed does not hold anybody up', async () => {
    const to = Array.from({ length: 18_000 }, (_one, n) => `https://other.test/${n}`.padEnd(50, 'x'))
    const note = bob.note({ to: ['https://www.w3.org/ns/activitystreams#Public', ...to] })
    const body = JSON.stringify(bob.activity('Create', note))
    assert.ok(body.length > 900_000 && body.length < 1024 * 1024)
    const longest = await measureStall(async () => {
      assert.equal(await answerTo(bob.send(body)), 202)
      await world.settle()
    })
    assert.ok(longest < 250, `${longest} ms`)
  })
})
