import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import { purgeHiddenStatuses } from '../../../../../domain/statuses/write/purge-hidden-statuses.ts'
import type { AdminStatus } from '../../../../../entities/admin/content/admin-status.ts'

let days = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + days * 86_400_000) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })

async function post(user: TestUser, more: object = {}): Promise<string> {
  const { status, body } = await user.client.post('/api/v1/statuses', { status: 'Something', ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

/** Inserts an upload of a user without a file. */
async function upload({ accountId }: TestUser): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(db)
  return rows[0]!.id
}

async function report(reporter: TestUser, target: { accountId: string }, ...statusIds: string[]): Promise<string> {
  const payload = { account_id: target.accountId, status_ids: statusIds }
  const { status, body } = await reporter.client.post('/api/v1/reports', payload)
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

const pathOf = ({ accountId }: { accountId: string }) => `/api/v1/admin/accounts/${accountId}/statuses`

async function list(target: { accountId: string }, query: Record<string, string> = {}): Promise<AdminStatus[]> {
  const { status, body } = await moderator.client.get<AdminStatus[]>(pathOf(target), query)
  assert.equal(status, 200, JSON.stringify(body))
  for (const one of body) assertEntity('AdminStatus', one)
  return body
}

const idsOf = async (...input: Parameters<typeof list>) => (await list(...input)).map(({ id }) => id)

const view = (target: { accountId: string }, id: string) => moderator.client.get<AdminStatus>(`${pathOf(target)}/${id}`)

suite('the statuses of an account for the staff', () => {
  test('are the public and unlisted ones without reblogs, newest first, also of a suspended account', async () => {
    const [user, other] = [await testServer.createUser(), await testServer.createUser()]
    const foreign = await post(other)
    const ids = [await post(user), await post(user, { visibility: 'unlisted' }), await post(user, { local_only: true })]
    await user.client.post(`/api/v1/statuses/${foreign}/reblog`)
    await suspend(ctx, user)
    assert.deepEqual(await idsOf(user), ids.toReversed())
    assert.equal((await view(user, ids[0]!)).body.id, ids[0])
    const [first] = await list(user, { limit: '1' })
    assert.deepEqual([first!.id, first!.deleted_at, first!.reported], [ids[2], null, false])
    assert.deepEqual(await idsOf(user, { max_id: ids[2]!, limit: '1' }), [ids[1]])
    assert.deepEqual(await idsOf(user, { min_id: ids[0]!, limit: '1' }), [ids[1]])
  })

  test('include others only if they are reported, or visible to the moderator as to any reader', async () => {
    const [user, friend] = [await testServer.createUser(), await testServer.createUser()]
    await friend.client.post(`/api/v1/accounts/${user.accountId}/follow`)
    const followersOnly = await post(user, { visibility: 'private' })
    const direct = await post(user, { visibility: 'direct', status: `@${friend.username} psst` })
    const toModerator = await post(user, { visibility: 'direct', status: `@${moderator.username} psst` })
    const unreported = await post(user, { visibility: 'private' })
    assert.deepEqual(await idsOf(user), [toModerator])
    for (const id of [followersOnly, direct, unreported]) assert.equal((await view(user, id)).status, 404)
    await report(friend, user, followersOnly, direct)
    assert.deepEqual(await idsOf(user), [toModerator, direct, followersOnly])
    const { status, body } = await view(user, direct)
    assertEntity('AdminStatus', body)
    assert.deepEqual([status, body.reported, body.deleted_at], [200, true, null])
    assert.equal((await view(user, unreported)).status, 404)
  })

  test('include reported ones that the author deleted, until they are purged', async () => {
    const [user, reader] = [await testServer.createUser(), await testServer.createUser()]
    const [deleted, remaining, gone] = [await post(user), await post(user), await post(user)]
    await report(reader, user, deleted)
    for (const id of [deleted, gone]) await user.client.delete(`/api/v1/statuses/${id}`)
    const [first, second] = await list(user)
    assert.deepEqual([first!.id, second!.id], [remaining, deleted])
    assert.deepEqual([first!.deleted_at, typeof second!.deleted_at, second!.reported], [null, 'string', true])
    assert.deepEqual(await idsOf(user, { min_id: '1', limit: '1' }), [deleted])
    assert.equal((await view(user, deleted)).status, 200)
    assert.equal((await view(user, gone)).status, 404)
    days = 31
    await purgeHiddenStatuses(ctx)
    days = 0
    assert.deepEqual(await idsOf(user), [remaining])
  })

  test('are filtered by media and by a report', async () => {
    const [user, reader] = [await testServer.createUser(), await testServer.createUser()]
    const plain = await post(user)
    const [first, second] = [
      await post(user, { media_ids: [await upload(user)] }),
      await post(user, { media_ids: [await upload(user)] }),
    ]
    const reportId = await report(reader, user, plain, second)
    assert.deepEqual(await idsOf(user, { media: 'true' }), [second, first])
    assert.deepEqual(await idsOf(user, { report_id: reportId }), [second, plain])
    assert.deepEqual(await idsOf(user, { report_id: reportId, media: 'true' }), [second])
    assert.deepEqual(await idsOf(user, { report_id: reportId, max_id: second }), [plain])
    const foreign = await report(reader, moderator)
    for (const id of [foreign, '4711', 'x']) assert.deepEqual(await idsOf(user, { report_id: id }), [], id)
  })

  test('can be those of a remote account, and are 404 for an unknown account or a status of another one', async () => {
    const remote = await createRemoteAccount(ctx)
    const id = await createRemoteStatus(ctx, { accountId: remote })
    assert.deepEqual(await idsOf({ accountId: remote }), [id])
    assert.equal((await view(moderator, id)).status, 404)
    for (const unknown of ['4711', 'x', '0']) {
      assert.equal((await moderator.client.get(pathOf({ accountId: unknown }))).status, 404)
      assert.equal((await view({ accountId: remote }, unknown)).status, 404)
    }
  })

  test('are readable with the permission to manage reports or users, and changed with that to manage reports', async () => {
    const user = await testServer.createUser()
    const statusId = await post(user)
    const permitted = async (permission: Parameters<typeof permissionBit>[0]) => {
      const staff = await testServer.createUser({ scopes: 'admin:read admin:write' })
      const id = String(permissionBit(permission))
      await db.insertInto('roles').values({ id, name: permission, position: 5, permissions: id }).execute()
      await db.updateTable('users').set({ role_id: id }).where('id', '=', staff.userId).execute()
      const answers = [
        await staff.client.get(pathOf(user)),
        await staff.client.get(`${pathOf(user)}/${statusId}`),
        await staff.client.post(`${pathOf(user)}/action`, { type: 'delete', status_ids: ['1'] }),
      ]
      return answers.map(({ status }) => status)
    }
    assert.deepEqual(await permitted('manageUsers'), [200, 200, 403])
    assert.deepEqual(await permitted('manageReports'), [200, 200, 404])
    assert.deepEqual(await permitted('manageBlocks'), [403, 403, 403])
  })
})
