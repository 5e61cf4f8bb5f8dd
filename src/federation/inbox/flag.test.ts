import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Person } from '../../../test/world.ts'
import type { Status } from '../../entities/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, origin, deliver, befriend } = fediverse
after(fediverse.close)
const { db } = world.ctx
const remote = peer.host('remote.test')
// A server reports in its own name.
const instance = await remote.createActor('remote.test', { type: 'Application' })
const { keys } = instance

interface Row {
  account_id: string
  target_account_id: string
  status_ids: string[]
  collection_ids: string[]
  comment: string
  category: string
  uri: string | null
}

async function reports(): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from reports order by id`.execute(db)
  return rows
}

async function post({ client }: Person, more: Record<string, unknown> = {}): Promise<Status> {
  return (await client.post<Status>('/api/v1/statuses', { status: 'Something', ...more })).body
}

const flag = (actor: PeerActor, object: unknown, content: unknown = 'Look') =>
  actor.activity('Flag', object, { content })

beforeEach(async () => {
  await sql`delete from reports`.execute(db)
  await sql`delete from domain_blocks`.execute(db)
})

suite('Flag', () => {
  test('is a report about somebody here, with those of their posts that it names; the staff is told', async () => {
    const moderator = await world.createPerson({ role: 'moderator' })
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const [own, hidden, foreign] = [await post(alice), await post(alice, { visibility: 'private' }), await post(bob)]
    const local = await post(alice, { local_only: true })
    const objects = [uriOf(alice), own.uri, hidden.uri, foreign.uri, local.uri, `${origin}/nothing`, 7, { id: own.uri }]
    const activity = flag(instance, objects, 'Look\nhere, I <3 it')
    await deliver(instance, activity)
    const [made, ...more] = await reports()
    assert.equal(more.length, 0)
    assert.equal(made!.target_account_id, alice.accountId)
    // IN20: neither another's posts, nor what nobody there may see.
    assert.deepEqual(made!.status_ids, [own.id])
    assert.deepEqual([made!.comment, made!.category, made!.uri], ['Look\nhere, I <3 it', 'other', activity['id']])
    const { body } = await moderator.client.get('/api/v1/notifications', { types: ['admin.report'] })
    assert.deepEqual([body.length, body[0].account.acct, body[0].report.comment], [1, instance.handle, made!.comment])
    for (const person of [alice, bob]) assert.deepEqual(await fediverse.notified(person), [])
  })

  test('once more is no report more, nor is one with another id that says it twice at once', async () => {
    const alice = await world.createPerson()
    const activity = flag(instance, [uriOf(alice)])
    await deliver(instance, activity, activity)
    assert.equal((await reports()).length, 1)
    const { id: _id, ...nameless } = flag(instance, [uriOf(alice)], 'without an id')
    await deliver(instance, nameless, { ...nameless, published: '2026-01-01T00:00:00Z' })
    assert.equal((await reports()).length, 2)
  })

  test('names posts for followers and direct ones where somebody of that server may read them', async () => {
    const alice = await world.createPerson()
    const fan = await remote.createActor('fan', { keys })
    await deliver(fan, fan.activity('Follow', uriOf(alice)))
    const followers = await post(alice, { visibility: 'private' })
    const direct = await post(alice, { visibility: 'direct', status: `@${fan.handle} psst` })
    const other = await post(alice, { visibility: 'direct', status: 'to nobody' })
    await deliver(instance, flag(instance, [uriOf(alice), followers.uri, direct.uri, other.uri]))
    assert.deepEqual((await reports())[0]!.status_ids, [followers.id, direct.id])
  })

  test('IN20: of ten thousand objects only so many are looked at, and of people only a few', async () => {
    const alice = await world.createPerson()
    const own = await post(alice)
    const crowd = await Promise.all(Array.from({ length: 15 }, async () => world.createPerson()))
    const many = Array.from({ length: 9_990 }, (_one, n) => `https://remote.test/${n}`)
    await deliver(instance, flag(instance, [uriOf(alice), own.uri, ...many]))
    await deliver(instance, flag(instance, [...many, uriOf(alice)], 'too late'))
    const [made, ...more] = await reports()
    assert.deepEqual([made!.status_ids, more.length], [[own.id], 0])
    await deliver(instance, flag(instance, crowd.map(uriOf)))
    assert.equal((await reports()).length, 11)
  })

  test('IN20, HT4: HTML becomes text, of a bounded length', async () => {
    const alice = await world.createPerson()
    const comment = async (content: unknown) => {
      await deliver(instance, flag(instance, [uriOf(alice)], content))
      return (await reports()).at(-1)!.comment
    }
    assert.equal(
      await comment('<p>One</p><p>Two &amp; <b>three</b><script>alert(1)</script></p>'),
      'One\n\nTwo & three',
    )
    assert.equal((await comment('😀'.repeat(6_000))).length, 5_000)
    assert.equal(await comment(null), '')
    assert.equal(await comment({ evil: true }), '')
  })

  test('is about whoever wrote the posts where it names nobody, and about people elsewhere whose posts answer people here', async () => {
    const alice = await world.createPerson()
    const own = await post(alice)
    await deliver(instance, flag(instance, own.uri))
    assert.deepEqual(
      (await reports()).map((one) => [one.target_account_id, one.status_ids]),
      [[alice.accountId, [own.id]]],
    )
    const bob = await peer.host('other.test').createActor('bob', { keys })
    await befriend(alice, bob)
    const [answer, note] = [bob.note({ inReplyTo: own.uri, to: [PUBLIC], cc: [uriOf(alice)] }), bob.note()]
    await deliver(bob, bob.activity('Create', answer), bob.activity('Create', note))
    await deliver(instance, flag(instance, [bob.id, note['id']]))
    assert.equal((await reports()).length, 1)
    await deliver(instance, flag(instance, [bob.id, note['id'], answer['id']]))
    const { id } = await fediverse.getStatus(answer['id'])
    assert.ok((await reports())[1]!.status_ids.includes(id))
  })

  test('names the collections of whom it is about', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const make = async ({ accountId }: Person) =>
      (await db.insertInto('collections').values({ account_id: accountId, name: 'x' }).returning('id').execute())[0]!.id
    const [own, foreign] = [await make(alice), await make(bob)]
    const objects = [uriOf(alice), `${uriOf(alice)}/collections/${own}`, `${uriOf(bob)}/collections/${foreign}`]
    await deliver(instance, flag(instance, objects))
    assert.deepEqual((await reports())[0]!.collection_ids, [own])
  })

  test('does nothing from a server whose reports are refused, about nobody, and about people who are not shown', async () => {
    const [alice, unseen] = [await world.createPerson(), await world.createPerson({ approved: false })]
    await deliver(
      instance,
      flag(instance, []),
      flag(instance, [uriOf(unseen)]),
      flag(instance, `${origin}/ap/users/999`),
    )
    await sql`insert into domain_blocks (domain, severity, reject_reports) values ('test', 'noop', true)`.execute(db)
    await deliver(instance, flag(instance, [uriOf(alice)]))
    assert.deepEqual(await reports(), [])
  })

  test('by somebody else than its actor is refused', async () => {
    const alice = await world.createPerson()
    const mallory = await peer.host('other.test').createActor('mallory')
    assert.equal(await fediverse.refuse(mallory, flag(instance, [uriOf(alice)])), 401)
    assert.deepEqual(await reports(), [])
  })
})
