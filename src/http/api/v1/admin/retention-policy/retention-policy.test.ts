import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { runCommand } from '../../../../../../test/run-command.ts'
import { urlOf } from '../../../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminRetentionPolicy } from '../../../../../entities/admin/operations/admin-retention-policy.ts'

const PATH = '/api/v1/admin/retention_policy'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let aheadMs = 0
const now = () => new Date(Date.now() + aheadMs)
const testServer = await openTestServer({ now })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const admin = await testServer.createUser({ role: 'owner', scopes: 'read write admin:read admin:write' })

async function read(): Promise<AdminRetentionPolicy> {
  const { status, body } = await admin.client.get<AdminRetentionPolicy>(PATH)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminRetentionPolicy', body)
  return body
}

const areaOf = (policy: AdminRetentionPolicy, name: string) => policy.areas.find((area) => area.name === name)!

async function change(changes: object): Promise<AdminRetentionPolicy> {
  const { status, body } = await admin.client.put<AdminRetentionPolicy>(PATH, changes)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Lets the hourly jobs run at a later time. */
async function runJobs(days: number): Promise<void> {
  aheadMs = days * DAY_MS
  await ctx.write(async (tx) => tx.emit('clock.hourly', {}))
  await testServer.waitForJobs()
}

/** Creates a remote status of which no job is waiting. */
async function createOldStatus(days: number): Promise<void> {
  const publishedAt = new Date(Date.now() - days * DAY_MS)
  await createRemoteStatus(ctx, { accountId: await createRemoteAccount(ctx), publishedAt })
  await sql`update conversations set created_at = ${publishedAt}`.execute(db)
  // The job that indexes the status locks it, and a locked status is pruned by a later pass only.
  await testServer.waitForJobs()
}

suite('the retention policy', () => {
  test('has defaults, sizes, and the next runs', async () => {
    await createRemoteStatus(ctx, { accountId: await createRemoteAccount(ctx) })
    const { areas, media_cache_max_bytes: cacheBytes, ...days } = await read()
    assert.equal(cacheBytes, ctx.config.mediaCacheBytes)
    assert.deepEqual(days, {
      remote_statuses_days: 180,
      notifications_days: 180,
      remote_versions_days: 180,
      local_versions_days: 0,
    })
    assert.deepEqual(
      areas.map((area) => [area.name, area.rows]),
      [
        ['remote_statuses', 1],
        ['notifications', 0],
        ['status_versions', 0],
        ['media_cache', 0],
      ],
    )
    const [statuses] = areas
    assert.ok(statuses!.bytes > 0)
    assert.equal(statuses!.last_run_at, null)
    assert.equal(Date.parse(statuses!.next_run_at!) % HOUR_MS, 0)
    assert.ok(Date.parse(statuses!.next_run_at!) - now().getTime() <= HOUR_MS)
  })

  test('is changed with an audit entry, and applied by the hourly job once a day', async () => {
    await change({ remote_statuses_days: 10, notifications_days: 0 })
    const entries = await db.selectFrom('audit_log_entries').select(['action', 'details']).orderBy('id').execute()
    assert.deepEqual(entries, [{ action: 'update', details: { remote_statuses_days: 10, notifications_days: 0 } }])
    await runJobs(9)
    assert.equal(areaOf(await read(), 'remote_statuses').rows, 1)
    await runJobs(11)
    const policy = await read()
    const { next_run_at: nextAt, ...statuses } = areaOf(policy, 'remote_statuses')
    assert.deepEqual([statuses.rows, statuses.last_pruned_count, statuses.running], [0, 1, false])
    assert.ok(Math.abs(Date.parse(statuses.last_run_at!) - now().getTime()) < 60_000)
    const untilNext = Date.parse(nextAt!) - now().getTime()
    assert.ok(untilNext > 22 * HOUR_MS && untilNext <= 24 * HOUR_MS)
    const notifications = areaOf(policy, 'notifications')
    assert.deepEqual([notifications.enabled, notifications.next_run_at], [false, null])
    aheadMs = 0
    await sql`delete from settings where name like 'retention%'`.execute(db)
  })

  test('prunes notifications with the requests that they belong to', async () => {
    const [reader, sender] = [await testServer.createUser(), await testServer.createUser()]
    await reader.client.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
    const { body } = await reader.client.post('/api/v1/statuses', { status: 'Hello' })
    await sender.client.post(`/api/v1/statuses/${body.id}/favourite`)
    await sender.client.post('/api/v1/statuses', { status: `@${reader.username} hello` })
    await testServer.waitForJobs()
    const count = async (table: 'notifications' | 'notification_requests') =>
      (await db.selectFrom(table).select('id').where('account_id', '=', reader.accountId).execute()).length
    assert.equal(await count('notification_requests'), 1)
    await runJobs(179)
    assert.equal(await count('notifications'), 2)
    await runJobs(181)
    assert.deepEqual([await count('notifications'), await count('notification_requests')], [0, 0])
    aheadMs = 0
    await sql`delete from settings where name like 'retention%'`.execute(db)
  })

  test('prunes earlier versions of remote statuses, and of local ones only if it says so', async () => {
    const { body } = await admin.client.post('/api/v1/statuses', { status: 'One' })
    await admin.client.put(`/api/v1/statuses/${body.id}`, { status: 'Two' })
    const remoteId = await createRemoteStatus(ctx, { accountId: await createRemoteAccount(ctx) })
    await admin.client.post(`/api/v1/statuses/${remoteId}/favourite`)
    await sql`insert into status_edits (status_id, text, content, spoiler_text, sensitive, created_at)
      values (${remoteId}, '', 'old', '', false, now())`.execute(db)
    await sql`update statuses set edited_at = now() where id = ${remoteId}`.execute(db)
    const versions = async (id: string) => (await admin.client.get(`/api/v1/statuses/${id}/history`)).body.length
    const both = async () => [await versions(body.id), await versions(remoteId)]
    await runJobs(179)
    assert.deepEqual(await both(), [2, 2])
    await runJobs(181)
    assert.deepEqual(await both(), [2, 1])
    await change({ local_versions_days: 30 })
    await runJobs(183)
    assert.deepEqual(await both(), [1, 1])
    aheadMs = 0
    await sql`delete from settings where name like 'retention%'`.execute(db)
  })

  test('is applied at once, also on the day of the last run, by staff who may change it', async () => {
    for (let run = 1; run <= 2; run += 1) {
      await createOldStatus(200)
      const { status, body } = await admin.client.post<AdminRetentionPolicy>(`${PATH}/run`)
      assert.equal(status, 200)
      assertEntity('AdminRetentionPolicy', body)
      assert.equal(areaOf(body, 'remote_statuses').running, true)
      await testServer.waitForJobs()
      const { running, last_pruned_count: count } = areaOf(await read(), 'remote_statuses')
      assert.deepEqual([running, count], [false, 1])
    }
    const entries = db.selectFrom('audit_log_entries').select('account_id').where('action', '=', 'run')
    const actors = (await entries.orderBy('id').execute()).map(({ account_id: actor }) => actor)
    assert.deepEqual(actors, [admin.accountId, admin.accountId])

    await change({ remote_statuses_days: 0, notifications_days: 0, remote_versions_days: 0 })
    assert.equal((await admin.client.post(`${PATH}/run`)).status, 422)
    const user = await testServer.createUser({ scopes: 'read write admin:read admin:write' })
    assert.equal((await user.client.post(`${PATH}/run`)).status, 403)
    await sql`delete from settings where name like 'retention%'`.execute(db)
  })

  test('rejects periods that are negative or too long', async () => {
    for (const days of [-1, 40_000]) {
      const { status, body } = await admin.client.put(PATH, { remote_statuses_days: days })
      assert.deepEqual([status, Object.keys(body.details)], [422, ['remote_statuses_days']], String(days))
    }
    assert.equal((await read()).remote_statuses_days, 180)
  })

  test('is shown, changed and applied by commands', async () => {
    const env = { DATA_DIR: ctx.config.dataDir, DATABASE_URL: urlOf(testServer.connection) }
    const set = await runCommand(['retention', 'set', '--remote-statuses', '30'], env)
    assert.deepEqual([set.code, set.stdout], [0, 'OK\n'])
    await createOldStatus(40)
    const shown = await runCommand(['retention', '--json'], env)
    const { areas, ...days } = JSON.parse(shown.stdout)
    assert.equal(days.remote_statuses_days, 30)
    assert.deepEqual([areas[0].name, areas[0].due_count], ['remote_statuses', 1])
    const dry = await runCommand(['retention', 'run', '--dry-run'], env)
    assert.match(dry.stdout, /^remote posts: would prune 1\nnotifications: would prune 0\n/)
    const done = await runCommand(['retention', 'run'], env)
    assert.match(done.stdout, /^remote posts: pruned 1\n/)
    assert.match((await runCommand(['retention'], env)).stdout, /remote posts: 0 to prune, last run 20/)
  })
})
