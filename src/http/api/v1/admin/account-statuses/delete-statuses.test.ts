import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openSocket, until } from '../../../../../../test/streaming/streams.ts'
import type { UserOptions } from '../../../../../../test/servers/create-user.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import type { AdminReport } from '../../../../../entities/admin/content/admin-report.ts'
import type { AdminStatus } from '../../../../../entities/admin/content/admin-status.ts'
import type { Notification } from '../../../../../entities/notifications/notification.ts'
import type { Status } from '../../../../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf, deliver, findStatus, followEachOther } = fediverse
const { db } = testServer.ctx
const remoteHost = peer.host('remote.test')

const staffWith = (role: NonNullable<UserOptions['role']>, more: UserOptions = {}) =>
  testServer.createUser({ role, scopes: 'read write admin:read admin:write', ...more })
const moderator = await staffWith('moderator', { username: 'hidden_moderator' })

async function post({ client }: TestUser, more: object = {}): Promise<Status> {
  const { status, body } = await client.post<Status>('/api/v1/statuses', { status: 'Something #bad', ...more })
  assert.equal(status, 200)
  return body
}

async function report(user: TestUser, target: { accountId: string }, ...statusIds: string[]): Promise<string> {
  const payload = { account_id: target.accountId, status_ids: statusIds }
  const { status, body } = await user.client.post('/api/v1/reports', payload)
  assert.equal(status, 200)
  return body.id
}

const pathOf = ({ accountId }: { accountId: string }) => `/api/v1/admin/accounts/${accountId}/statuses`

const send = (target: { accountId: string }, ids: readonly string[], more: object = {}) =>
  moderator.client.post(`${pathOf(target)}/action`, { type: 'delete', status_ids: ids, ...more })

async function remove(target: { accountId: string }, ids: readonly string[], more: object = {}): Promise<void> {
  const { status, body } = await send(target, ids, more)
  assert.deepEqual([status, body], [200, {}])
  await testServer.waitForJobs()
}

const ids = async ({ client }: Pick<TestUser, 'client'>, path: string): Promise<string[]> => {
  const { status, body } = await client.get<Status[]>(path)
  assert.equal(status, 200, path)
  return body.flatMap(({ id, reblog }) => [id, ...(reblog ? [reblog.id] : [])])
}

async function warningsOf(user: TestUser): Promise<NonNullable<Notification['moderation_warning']>[]> {
  const { body } = await user.client.get<Notification[]>('/api/v1/notifications', { types: ['moderation_warning'] })
  for (const notification of body) assertEntity('Notification', notification)
  return body.map((notification) => notification.moderation_warning!)
}

async function mailsTo({ email }: TestUser): Promise<string[]> {
  const mails = await db.selectFrom('mails').select('text').where('recipient', '=', email).orderBy('id').execute()
  return mails.map(({ text }) => text)
}

suite('statuses that the staff delete', () => {
  test('VI20: disappear from bookmarks, favourites, timelines, notifications, search and threads', async () => {
    const [alice, bob, carol] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const parent = await post(carol)
    const own = await post(alice, { status: `Heron #bad @${bob.username}`, in_reply_to_id: parent.id })
    const reported = await post(alice, { status: `Heron #bad @${bob.username}`, in_reply_to_id: parent.id })
    const both = [own.id, reported.id]
    const reply = await post(bob, { in_reply_to_id: reported.id })
    for (const id of both) {
      for (const action of ['favourite', 'bookmark', 'reblog'])
        assert.equal((await bob.client.post(`/api/v1/statuses/${id}/${action}`)).status, 200)
    }
    await report(carol, alice, reported.id)
    await testServer.waitForJobs()
    const lists = ['bookmarks', 'favourites', 'timelines/home', 'timelines/tag/bad']
    for (const path of lists) {
      const found = await ids(bob, `/api/v1/${path}`)
      assert.ok(
        both.every((id) => found.includes(id)),
        path,
      )
    }
    const find = async () => (await bob.client.get('/api/v2/search', { q: 'heron', type: 'statuses' })).body.statuses
    assert.equal((await find()).length, 2)
    assert.equal((await carol.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count, 2)

    await remove(alice, both)
    for (const user of [alice, bob, carol, testServer.anonymous]) {
      const client = 'client' in user ? user.client : user
      for (const id of both) {
        for (const path of ['', '/context', '/favourited_by'])
          assert.equal((await client.get(`/api/v1/statuses/${id}${path}`)).status, 404)
      }
    }
    for (const user of [alice, bob, carol]) {
      for (const path of [...lists, 'timelines/public', `accounts/${alice.accountId}/statuses`, 'notifications']) {
        const found = await ids(user, `/api/v1/${path}`)
        assert.ok(!both.some((id) => found.includes(id)), path)
      }
      const { body: notifications } = await user.client.get<Notification[]>('/api/v1/notifications')
      assert.ok(notifications.every(({ status }) => !both.includes(status?.id ?? '')))
    }
    assert.deepEqual(await find(), [])
    assert.equal((await bob.client.get(`/api/v1/statuses/${reply.id}`)).body.in_reply_to_id, null)
    assert.equal((await carol.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count, 0)
    assert.deepEqual((await carol.client.get(`/api/v1/statuses/${parent.id}/context`)).body.descendants, [])
    const count = async (user: TestUser) =>
      (await carol.client.get(`/api/v1/accounts/${user.accountId}`)).body.statuses_count
    assert.deepEqual([await count(alice), await count(bob)], [0, 1])
  })

  test('do not trend any more', async () => {
    const alice = await testServer.createUser()
    await alice.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
    const { id } = await post(alice)
    await sql`insert into trending_statuses (status_id, score) values (${id}, 5)`.execute(db)
    await sql`insert into status_trend_reviews (status_id, trendable, reviewed_at) values (${id}, true, now())`.execute(
      db,
    )
    const trends = () => ids({ client: testServer.anonymous }, '/api/v1/trends/statuses')
    assert.deepEqual(await trends(), [id])
    await remove(alice, [id])
    assert.deepEqual(await trends(), [])
  })

  test('are deleted in streams and on other servers', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const fan = await remoteHost.createActor('fan')
    await deliver(fan, fan.activity('Follow', uriOf(alice)))
    const { id, uri } = await post(alice)
    await testServer.waitForJobs()
    const socket = await openSocket(await testServer.listen(), { token: bob.token })
    await socket.subscribe('user', 'public')
    await remove(alice, [id])
    const deletions = await until(() => {
      const found = socket.received.filter(({ event }) => event === 'delete')
      return found.length === 2 && found
    })
    assert.deepEqual(
      deletions.map(({ payload }) => payload),
      [id, id],
    )
    socket.ws.close()
    assert.ok(fan.inbox.all('Delete').some(({ object }) => object.id === uri))
    assert.equal((await fan.get(uri)).status, 410)
  })

  test('stay visible to the staff, with their report, which is resolved', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [first, second, other] = [await post(alice), await post(alice, { visibility: 'private' }), await post(alice)]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const [reportId, open] = [await report(bob, alice, first.id, second.id), await report(bob, alice, first.id)]
    await remove(alice, [first.id, second.id, other.id], { report_id: reportId })
    const read = async (id: string) => (await moderator.client.get<AdminReport>(`/api/v1/admin/reports/${id}`)).body
    const resolved = await read(reportId)
    assertEntity('AdminReport', resolved)
    assert.deepEqual([resolved.action_taken, resolved.action_taken_by_account!.id], [true, moderator.accountId])
    assert.deepEqual(
      resolved.statuses.map(({ id }) => id),
      [first.id, second.id],
    )
    assert.equal((await read(open)).action_taken, false)
    const { body: kept } = await moderator.client.get<AdminStatus[]>(pathOf(alice))
    assert.deepEqual(
      kept.map(({ id, reported, deleted_at: deletedAt }) => [id, reported, deletedAt !== null]),
      [
        [other.id, false, true],
        [second.id, true, true],
        [first.id, true, true],
      ],
    )
    assert.equal((await send(alice, [first.id])).status, 404)
  })

  test('VI19: are reported to their author by mail and in the app, without the moderator', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser({ username: 'hidden_bob' })]
    const statuses = [await post(alice), await post(alice)]
    const reportId = await report(bob, alice, statuses[0]!.id)
    await remove(
      alice,
      statuses.map(({ id }) => id),
      { report_id: reportId, text: 'Against our rules' },
    )
    const [warning, ...more] = await warningsOf(alice)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [warning!.action, warning!.text, warning!.status_ids],
      ['delete_statuses', 'Against our rules', statuses.map(({ id }) => id)],
    )
    const mails = await mailsTo(alice)
    assert.equal(mails.length, 1)
    assert.match(mails[0]!, /2 posts[^]*Against our rules/)
    for (const text of [JSON.stringify(warning), mails[0]!])
      assert.ok(![moderator.username, bob.username].some((name) => text.includes(name)))
    assert.deepEqual([await warningsOf(bob), await mailsTo(bob)], [[], []])
    const { rows } = await sql<{ action: string; account_id: string; target_id: string; details: object }>`
      select action, account_id, target_id, details from audit_log_entries
      where target_type = 'status' and target_id = any(${statuses.map(({ id }) => id)}::bigint[]) order by id`.execute(
      db,
    )
    const details = { account_id: alice.accountId, report_id: reportId }
    assert.deepEqual(
      rows,
      statuses.map(({ id }) => ({ action: 'delete', account_id: moderator.accountId, target_id: id, details })),
    )
  })

  test('are deleted without a notification if the moderator requests none', async () => {
    const alice = await testServer.createUser()
    const { id } = await post(alice)
    await remove(alice, [id], { send_email_notification: false })
    assert.deepEqual([await warningsOf(alice), await mailsTo(alice)], [[], []])
    assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 404)
  })

  test('are deleted on this server only if they are remote, and are not recorded again', async () => {
    const alice = await testServer.createUser()
    const bob = await remoteHost.createActor('bob')
    const accountId = await followEachOther(alice, bob)
    const [reported, other] = [bob.note(), bob.note()]
    await deliver(bob, bob.activity('Create', reported), bob.activity('Create', other))
    const rows = [await fediverse.getStatus(reported['id']), await fediverse.getStatus(other['id'])]
    await alice.client.post(`/api/v1/statuses/${rows[0]!.id}/bookmark`)
    await report(alice, { accountId }, rows[0]!.id)
    bob.inbox.clear()
    await remove(
      { accountId },
      rows.map(({ id }) => id),
    )
    assert.deepEqual(bob.inbox.received, [])
    assert.deepEqual([...(await ids(alice, '/api/v1/bookmarks')), ...(await ids(alice, '/api/v1/timelines/home'))], [])
    assert.equal(await findStatus(other['id']), undefined)
    await deliver(bob, bob.activity('Create', reported), bob.activity('Create', other))
    for (const { id } of rows) assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.equal(await findStatus(other['id']), undefined)
    const { body } = await moderator.client.get<AdminStatus[]>(pathOf({ accountId }))
    assert.deepEqual(
      body.map(({ id }) => id),
      [rows[0]!.id],
    )
  })

  test('are none for bad input, for hidden statuses, and for staff of the same or a higher position', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [own, hidden, foreign] = [await post(alice), await post(alice, { visibility: 'private' }), await post(bob)]
    const foreignReport = await report(alice, bob)
    const admin = await staffWith('admin')
    const adminStatus = await post(admin)
    const statusOf = async (...input: Parameters<typeof send>) => (await send(...input)).status
    for (const list of [[hidden.id], [foreign.id], ['4711'], ['x'], []]) assert.equal(await statusOf(alice, list), 404)
    assert.equal(await statusOf(alice, [own.id], { report_id: foreignReport }), 404)
    assert.equal(await statusOf(alice, [own.id], { text: 'x'.repeat(2_001) }), 422)
    assert.equal(await statusOf(alice, [own.id], { type: 'explode' }), 422)
    assert.equal(
      await statusOf(
        alice,
        Array.from({ length: 101 }, () => own.id),
      ),
      422,
    )
    assert.equal(await statusOf(admin, [adminStatus.id]), 403)
    assert.equal(await statusOf({ accountId: '4711' }, [own.id]), 404)
    await testServer.waitForJobs()
    for (const { id } of [own, hidden]) assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 200)
    assert.deepEqual(await warningsOf(alice), [])
    // The rest of the list is deleted.
    await remove(alice, [own.id, foreign.id, hidden.id])
    assert.deepEqual((await warningsOf(alice))[0]!.status_ids, [own.id])
    assert.equal((await bob.client.get(`/api/v1/statuses/${foreign.id}`)).status, 200)
  })
})
