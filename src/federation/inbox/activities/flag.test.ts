import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { AdminReport } from '../../../entities/admin/content/admin-report.ts'
import type { Status } from '../../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, origin, deliver, followEachOther } = fediverse
after(fediverse.close)
const { db } = testServer.ctx
const remote = peer.host('remote.test')
// Servers send reports as their instance actor.
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

async function post({ client }: TestUser, more: Record<string, unknown> = {}): Promise<Status> {
  return (await client.post<Status>('/api/v1/statuses', { status: 'Something', ...more })).body
}

const flag = (actor: PeerActor, object: unknown, content: unknown = 'Look') =>
  actor.activity('Flag', object, { content })

beforeEach(async () => {
  await sql`delete from reports`.execute(db)
})

suite('Flag', () => {
  test('creates a report about a local account with the named statuses, and notifies the moderators', async () => {
    const moderator = await testServer.createUser({ role: 'moderator' })
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [own, hidden, foreign] = [await post(alice), await post(alice, { visibility: 'private' }), await post(bob)]
    const local = await post(alice, { local_only: true })
    const objects = [uriOf(alice), own.uri, hidden.uri, foreign.uri, local.uri, `${origin}/nothing`, 7, { id: own.uri }]
    const activity = flag(instance, objects, 'Look\nhere, I <3 it')
    await deliver(instance, activity)
    const [report, ...more] = await reports()
    assert.equal(more.length, 0)
    assert.equal(report!.target_account_id, alice.accountId)
    // IN20: neither statuses of other accounts, nor statuses that no account of that server can see.
    assert.deepEqual(report!.status_ids, [own.id])
    assert.deepEqual([report!.comment, report!.category, report!.uri], ['Look\nhere, I <3 it', 'other', activity['id']])
    const { body } = await moderator.client.get('/api/v1/notifications', { types: ['admin.report'] })
    assert.deepEqual([body.length, body[0].account.acct, body[0].report.comment], [1, instance.handle, report!.comment])
    for (const user of [alice, bob]) assert.deepEqual(await fediverse.notificationsOf(user), [])
  })

  test('may name a single status, and its reason in the summary', async () => {
    const alice = await testServer.createUser()
    const own = await post(alice)
    await deliver(instance, instance.activity('Flag', own.uri, { summary: 'Off topic' }))
    const [report] = await reports()
    assert.deepEqual([report!.target_account_id, report!.status_ids], [alice.accountId, [own.id]])
    assert.equal(report!.comment, 'Off topic')
  })

  test('creates one report if it is repeated, or repeated without an id', async () => {
    const alice = await testServer.createUser()
    const activity = flag(instance, [uriOf(alice)])
    await deliver(instance, activity, activity)
    assert.equal((await reports()).length, 1)
    const { id: _id, ...withoutId } = flag(instance, [uriOf(alice)], 'without an id')
    await deliver(instance, withoutId, { ...withoutId, published: '2026-01-01T00:00:00Z' })
    assert.equal((await reports()).length, 2)
  })

  test('can name followers-only and direct statuses that an account of that server can see', async () => {
    const alice = await testServer.createUser()
    const follower = await remote.createActor('follower', { keys })
    await deliver(follower, follower.activity('Follow', uriOf(alice)))
    const followersOnly = await post(alice, { visibility: 'private' })
    const direct = await post(alice, { visibility: 'direct', status: `@${follower.handle} psst` })
    const other = await post(alice, { visibility: 'direct', status: 'to nobody' })
    await deliver(instance, flag(instance, [uriOf(alice), followersOnly.uri, direct.uri, other.uri]))
    assert.deepEqual((await reports())[0]!.status_ids, [followersOnly.id, direct.id])
  })

  test('IN20: with ten thousand objects is read up to a limit, and reports only a few accounts', async () => {
    const alice = await testServer.createUser()
    const own = await post(alice)
    const crowd = await Promise.all(Array.from({ length: 15 }, async () => testServer.createUser()))
    const many = Array.from({ length: 9_990 }, (_one, n) => `https://remote.test/${n}`)
    await deliver(instance, flag(instance, [uriOf(alice), own.uri, ...many]))
    await deliver(instance, flag(instance, [...many, uriOf(alice)], 'too late'))
    const [report, ...more] = await reports()
    assert.deepEqual([report!.status_ids, more.length], [[own.id], 0])
    await deliver(instance, flag(instance, crowd.map(uriOf)))
    assert.equal((await reports()).length, 11)
  })

  test('IN20: with thousands of statuses, foreign ones and HTML becomes a report that the admin API can handle', async () => {
    const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:read admin:write' })
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const foreign = await post(bob)
    const { rows } = await sql<{ id: string; uri: string }>`
      insert into statuses (account_id, uri, url, visibility, content)
      select ${alice.accountId}, ${uriOf(alice)}::text || '/statuses/many' || n, '', 'public', '<p>Something</p>'
      from generate_series(1, 3000) n returning id, uri`.execute(db)
    const objects = [uriOf(alice), foreign.uri, ...rows.map(({ uri }) => uri)]
    await deliver(instance, flag(instance, objects, '<p>Look</p><script>alert(1)</script>'))
    const path = '/api/v1/admin/reports'
    const { status, body } = await moderator.client.get<AdminReport[]>(path)
    assert.deepEqual([status, body.length], [200, 1])
    const [report] = body
    assertEntity('AdminReport', report)
    const ids = report!.statuses.map(({ id }) => id)
    assert.ok(ids.length > 0 && ids.length < 3_000 && !ids.includes(foreign.id), String(ids.length))
    assert.deepEqual(
      [report!.comment, report!.account.domain, report!.target_account.id],
      ['Look', 'remote.test', alice.accountId],
    )
    const send = async (url: string, payload: object = {}) => (await moderator.client.post(url, payload)).status
    assert.equal(await send(`${path}/${report!.id}/assign_to_self`), 200)
    assert.equal(await send(`${path}/${report!.id}/notes`, { content: 'Too many' }), 200)
    const statuses = `/api/v1/admin/accounts/${alice.accountId}/statuses`
    const { body: page } = await moderator.client.get<Status[]>(statuses, { report_id: report!.id, limit: '40' })
    assert.deepEqual(
      page.map(({ id }) => id),
      ids.toReversed().slice(0, 40),
    )
    const action = { type: 'delete', status_ids: ids.slice(0, 3), report_id: report!.id }
    assert.equal(await send(`${statuses}/action`, action), 200)
    const { body: resolved } = await moderator.client.get<AdminReport>(`${path}/${report!.id}`)
    assert.deepEqual([resolved.action_taken, resolved.statuses.length], [true, ids.length])
    assert.equal((await bob.client.get(`/api/v1/statuses/${foreign.id}`)).status, 200)
  })

  test('IN20, HT4: with HTML gets a plain-text comment of limited length', async () => {
    const alice = await testServer.createUser()
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

  test('is about the authors of the statuses if it names no account, and about remote repliers', async () => {
    const alice = await testServer.createUser()
    const own = await post(alice)
    await deliver(instance, flag(instance, own.uri))
    assert.deepEqual(
      (await reports()).map((one) => [one.target_account_id, one.status_ids]),
      [[alice.accountId, [own.id]]],
    )
    const bob = await peer.host('other.test').createActor('bob', { keys })
    await followEachOther(alice, bob)
    const [reply, note] = [bob.note({ inReplyTo: own.uri, to: [PUBLIC], cc: [uriOf(alice)] }), bob.note()]
    await deliver(bob, bob.activity('Create', reply), bob.activity('Create', note))
    await deliver(instance, flag(instance, [bob.id, note['id']]))
    assert.equal((await reports()).length, 1)
    await deliver(instance, flag(instance, [bob.id, note['id'], reply['id']]))
    const { id } = await fediverse.getStatus(reply['id'])
    assert.ok((await reports())[1]!.status_ids.includes(id))
  })

  test('can name collections of the reported account', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const make = async ({ accountId }: TestUser) =>
      (await db.insertInto('collections').values({ account_id: accountId, name: 'x' }).returning('id').execute())[0]!.id
    const [own, foreign] = [await make(alice), await make(bob)]
    const objects = [uriOf(alice), `${uriOf(alice)}/collections/${own}`, `${uriOf(bob)}/collections/${foreign}`]
    await deliver(instance, flag(instance, objects))
    assert.deepEqual((await reports())[0]!.collection_ids, [own])
  })

  test('has no effect without an account, about a hidden account, or from a server with rejected reports', async () => {
    const [alice, unseen] = [await testServer.createUser(), await testServer.createUser({ approved: false })]
    await deliver(
      instance,
      flag(instance, []),
      flag(instance, [uriOf(unseen)]),
      flag(instance, `${origin}/ap/users/999`),
    )
    await blockDomainAsStaff(testServer.ctx, 'test', { severity: 'noop', rejectReports: true })
    await deliver(instance, flag(instance, [uriOf(alice)]))
    assert.deepEqual(await reports(), [])
    await unblockDomainAsStaff(testServer.ctx, 'test')
  })

  test('that is signed by another actor is refused', async () => {
    const alice = await testServer.createUser()
    const mallory = await peer.host('other.test').createActor('mallory')
    assert.equal(await fediverse.expectRejected(mallory, flag(instance, [uriOf(alice)])), 401)
    assert.deepEqual(await reports(), [])
  })
})
