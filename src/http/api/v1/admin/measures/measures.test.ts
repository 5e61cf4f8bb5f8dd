import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { createRemoteAccount } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { countQueries } from '../../../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { tallyDays } from '../../../../../domain/metrics/daily-tallies.ts'
import { pruneActiveDays } from '../../../../../domain/metrics/prune-active-days.ts'
import type { AdminMeasure } from '../../../../../entities/admin/operations/admin-metrics.ts'

const PATH = '/api/v1/admin/measures'
const DAY_MS = 86_400_000

let aheadDays = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + aheadDays * DAY_MS) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]

const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const PERIOD = { start_at: dayAgo(2), end_at: dayAgo(0) }

async function measures(payload: object): Promise<AdminMeasure[]> {
  const { status, body } = await moderator.client.post<AdminMeasure[]>(PATH, { ...PERIOD, ...payload })
  assert.equal(status, 200, JSON.stringify(body))
  for (const measure of body) assertEntity('AdminMeasure', measure)
  return body
}

/** Returns the total, the total of the period before, and the values of the days of a measure. */
async function measure(key: string, of?: object) {
  const [found] = await measures({ keys: [key], ...(of && { [key]: of }) })
  const { total, previous_total: previous, data } = found!
  return [total, previous, data.map(({ value }) => value).join(' ')]
}

async function post(user: typeof alice, payload: object): Promise<string> {
  const { status, body } = await user.client.post('/api/v1/statuses', payload)
  assert.equal(status, 200)
  return body.id
}

async function createAccount(domain: string): Promise<string> {
  const id = await createRemoteAccount(ctx)
  await sql`update accounts set domain = ${domain}, created_at = now() where id = ${id}`.execute(db)
  return id
}

/** Inserts a public status of an account with hashtags, as of some days ago. */
async function insertStatus(accountId: string, days: number, tagIds: readonly string[] = []): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into statuses (id, account_id, uri, url, visibility, local)
    values (${String(BigInt(Date.now() - days * DAY_MS) << 16n)}::bigint + (random() * 60000)::int, ${accountId}, gen_random_uuid(), '', 'public', false)
    returning id`.execute(db)
  const { id } = rows[0]!
  await sql`insert into status_tags (status_id, tag_id) select ${id}, unnest(${tagIds}::bigint[])`.execute(db)
  return id
}

suite('measures', () => {
  test('have a value for each day of the period in UTC, and are returned in the requested order', async () => {
    const [reports, users] = await measures({ keys: ['opened_reports', 'nonsense', 'new_users', 'new_users'] })
    assert.deepEqual([reports!.key, users!.key, users!.unit], ['opened_reports', 'new_users', null])
    assert.deepEqual(
      users!.data.map(({ date }) => date),
      [2, 1, 0].map((days) => `${dayAgo(days)}T00:00:00.000Z`),
    )
    assert.deepEqual(await measures({ keys: ['nonsense'] }), [])
  })

  test('ignore the times of the bounds', async () => {
    const times = { start_at: `${dayAgo(1)}T23:59:59Z`, end_at: `${dayAgo(0)}T00:00:00Z` }
    assert.equal((await measures({ keys: ['new_users'], ...times }))[0]!.data.length, 2)
  })

  test('count new users, also those of the period before', async () => {
    await sql`update users set created_at = now() - interval '4 days' where id = ${bob.userId}`.execute(db)
    await sql`update users set created_at = now() - interval '1 day' where id = ${alice.userId}`.execute(db)
    assert.deepEqual(await measure('new_users'), ['2', '1', '0 1 1'])
    await sql`update users set created_at = now() - interval '9 days' where id = ${bob.userId}`.execute(db)
    assert.deepEqual(await measure('new_users'), ['2', '0', '0 1 1'])
  })

  test('count each active user once a day, and once in the period', async () => {
    await measures({ keys: ['nonsense'] })
    await sql`delete from user_active_days`.execute(db)
    // A request of a user with a token that the server has not cached.
    const carol = await testServer.createUser()
    await sql`update users set last_seen_at = now() - interval '2 days' where id = ${carol.userId}`.execute(db)
    await carol.client.get('/api/v1/accounts/verify_credentials')
    await carol.client.get('/api/v1/accounts/verify_credentials')
    await sql`insert into user_active_days (day, user_id) select current_date - d, ${carol.userId}::bigint from unnest('{1,3}'::int[]) d
      union all select current_date - 1, ${bob.userId}::bigint`.execute(db)
    assert.deepEqual(await measure('active_users'), ['2', '1', '0 2 1'])
  })

  test('lose the active days of more than two years ago', async () => {
    await sql`insert into user_active_days (day, user_id) select current_date - d, ${bob.userId}::bigint from unnest('{740,700}'::int[]) d`.execute(
      db,
    )
    await pruneActiveDays(ctx)
    const days = await sql<{ age: number }>`select current_date - day as age from user_active_days order by age desc`
      .execute(db)
      .then(({ rows }) => rows.map(({ age }) => age))
    assert.equal(days[0], 700)
    await sql`delete from user_active_days where day < current_date - 600`.execute(db)
  })

  test('count favourites, boosts and replies by local users as interactions', async () => {
    const remote = await createRemoteAccount(ctx)
    const id = await post(bob, { status: 'Look' })
    await post(bob, { status: 'more', in_reply_to_id: id })
    assert.deepEqual(await measure('interactions'), ['0', '0', '0 0 0'])
    await post(alice, { status: `@${bob.username} yes`, in_reply_to_id: id })
    await alice.client.post(`/api/v1/statuses/${id}/favourite`)
    await alice.client.post(`/api/v1/statuses/${id}/reblog`)
    await sql`insert into favourites (account_id, status_id, uris) values (${remote}, ${id}, '{https://far.test/like}')`.execute(
      db,
    )
    assert.deepEqual(await measure('interactions'), ['3', '0', '0 0 3'])
    await alice.client.post(`/api/v1/statuses/${id}/unfavourite`)
    assert.deepEqual(await measure('interactions'), ['2', '0', '0 0 2'])
  })

  test('are the same before and after the days are tallied, and keep what is deleted later', async () => {
    const tally = async (days: number) => {
      aheadDays = days
      await tallyDays(ctx).finally(() => (aheadDays = 0))
    }
    const [far, home] = [await createAccount('tallied.test'), bob.accountId]
    const old = [await insertStatus(far, 5), await insertStatus(far, 4), await insertStatus(home, 4)]
    await sql`insert into favourites (account_id, status_id, created_at) select ${alice.accountId}, ${old[0]}, now() - interval '4 days'`.execute(
      db,
    )
    const read = async () => {
      const period = { start_at: dayAgo(6), end_at: dayAgo(0) }
      const { body } = await moderator.client.post('/api/v1/admin/dimensions', { ...period, keys: ['servers'] })
      const [found] = await measures({ ...period, keys: ['interactions'] })
      return [body[0].data, found]
    }
    const before = await read()
    await tally(-2)
    assert.deepEqual(await read(), before)
    await Promise.all([tally(0), tally(0)])
    assert.deepEqual(await read(), before)
    await sql`delete from favourites where status_id = ${old[0]}`.execute(db)
    await sql`delete from statuses where id = any(${old}::bigint[])`.execute(db)
    assert.deepEqual(await read(), before)
    await tally(740)
    assert.equal(
      (await db.selectFrom('daily_tallies').selectAll().where('measure', '=', 'statuses').execute()).length,
      0,
    )
    for (const table of ['daily_tallies', 'daily_active_users', 'daily_tag_uses'] as const)
      await db.deleteFrom(table).execute()
    await sql`update daily_tally_progress set tallied_before = null, uses_tallied_before = null`.execute(db)
  })

  test('count reports when they are opened and when they are resolved', async () => {
    await sql`insert into reports (account_id, target_account_id, created_at, action_taken_at) values
      (${alice.accountId}, ${bob.accountId}, now() - interval '4 days', now() - interval '1 day'),
      (${alice.accountId}, ${bob.accountId}, now() - interval '2 days', null)`.execute(db)
    assert.deepEqual(await measure('opened_reports'), ['1', '1', '1 0 0'])
    assert.deepEqual(await measure('resolved_reports'), ['1', '0', '0 1 0'])
  })

  test('count the public uses of a hashtag, its accounts and their servers', async () => {
    const far = await createAccount('far.test')
    const other = await createAccount('far.test')
    const { id } = await db
      .insertInto('tags')
      .values({ name: 'owls', display_name: 'Owls' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [account, days] of [
      [far, 1],
      [far, 1],
      [far, 0],
      [other, 0],
      [alice.accountId, 0],
      [far, 4],
    ] as const)
      await insertStatus(account, days, [id])
    await post(alice, { status: '#owls', visibility: 'unlisted' })
    assert.deepEqual(await measure('tag_uses', { id }), ['5', '1', '0 2 3'])
    assert.deepEqual(await measure('tag_accounts', { id }), ['3', '1', '0 1 3'])
    assert.deepEqual(await measure('tag_servers', { id }), ['2', '1', '0 1 2'])
    for (const unknown of ['4711', 'owls', '0'])
      assert.equal(
        (await moderator.client.post(PATH, { ...PERIOD, keys: ['tag_uses'], tag_uses: { id: unknown } })).status,
        404,
      )
  })

  test('of another server have the total of all times, and the new ones of each day', async () => {
    const domain = 'birds.test'
    const account = await createAccount(domain)
    const older = await createAccount(domain)
    await sql`update accounts set created_at = now() - interval '50 days' where id = ${older}`.execute(db)
    const statusId = await insertStatus(account, 1)
    await insertStatus(account, 50)
    await sql`with m as (
        insert into media_attachments (account_id, status_id, type, content_type, byte_size, meta, remote_url)
        values (${account}, ${statusId}, 'image', 'image/png', 9, '{}', 'https://birds.test/1') returning id)
      insert into cached_files (media_id, rendition, remote_url, file_key, byte_size, fetched_at, used_at)
      select id, 'original', 'https://birds.test/1', 'bird', 1500, now(), now() from m`.execute(db)
    await sql`insert into follows (account_id, target_account_id, created_at) values
      (${alice.accountId}, ${account}, now() - interval '1 day'), (${bob.accountId}, ${account}, now() - interval '50 days'),
      (${older}, ${alice.accountId}, now())`.execute(db)
    await sql`insert into reports (account_id, target_account_id) values (${alice.accountId}, ${account})`.execute(db)
    for (const [key, total, days] of [
      ['instance_accounts', '2', '0 0 1'],
      ['instance_statuses', '2', '0 1 0'],
      ['instance_media_attachments', '1500', '0 0 1500'],
      ['instance_follows', '2', '0 1 0'],
      ['instance_followers', '1', '0 0 1'],
      ['instance_reports', '1', '0 0 1'],
    ] as const) {
      assert.deepEqual(await measure(key, { domain }), [total, undefined, days], key)
      assert.deepEqual(await measure(key, { domain: 'BIRDS.test' }), [total, undefined, days], key)
      assert.deepEqual(await measure(key, { domain: 'unknown.test' }), ['0', undefined, '0 0 0'], key)
    }
    const [media] = await measures({
      keys: ['instance_media_attachments'],
      instance_media_attachments: { domain },
    })
    assert.deepEqual([media!.unit, media!.human_value], ['bytes', '1.5 KB'])
  })

  test('BI15 need a period of 1 to 366 days, and the hashtag or server that they are about', async () => {
    const statusOf = async (payload: object) =>
      (await moderator.client.post(PATH, { keys: ['new_users'], ...PERIOD, ...payload })).status
    assert.equal(await statusOf({ start_at: '2025-01-01', end_at: '2026-01-01' }), 200)
    assert.equal(await statusOf({ start_at: '2025-01-01', end_at: '2026-01-02' }), 422)
    assert.equal(await statusOf({ start_at: '2026-01-02', end_at: '2026-01-01' }), 422)
    for (const time of ['yesterday', '2026-02-30', '-000001-01-01T00:00:00Z']) {
      assert.equal(await statusOf({ start_at: time }), 422, time)
      assert.equal(await statusOf({ end_at: time }), 422, time)
    }
    for (const key of ['tag_uses', 'instance_statuses']) {
      assert.equal(await statusOf({ keys: [key] }), 400)
      assert.equal(await statusOf({ keys: [key], [key]: {} }), 400)
    }
  })

  test('and the retention name the required parameter that is missing or blank', async () => {
    const retention = '/api/v1/admin/retention'
    for (const [path, names] of [
      [PATH, ['keys', 'start_at', 'end_at']],
      [retention, ['start_at', 'end_at']],
      ['/api/v1/admin/dimensions', ['keys']],
    ] as const) {
      for (const name of names) {
        for (const value of [undefined, name === 'keys' ? [] : '', null]) {
          const { status, body } = await moderator.client.post(path, { keys: ['new_users'], ...PERIOD, [name]: value })
          const error = `param is missing or the value is empty or invalid: ${name}`
          assert.deepEqual([status, body], [400, { error }], path)
        }
      }
    }
    assert.equal((await moderator.client.post(retention, { ...PERIOD, end_at: 'yesterday' })).status, 422)
  })

  test('need the permission to view the dashboard', async () => {
    const user = await testServer.createUser({ scopes: 'admin:read' })
    for (const path of ['measures', 'dimensions', 'retention'])
      assert.equal((await user.client.post(`/api/v1/admin/${path}`, PERIOD)).status, 403)
  })

  test('take one query each, for any period', async () => {
    const count = (days: number, keys: string[]) =>
      countQueries(() => measures({ keys, start_at: dayAgo(days), end_at: dayAgo(0) }))
    const [week, year] = [await count(6, ['new_users']), await count(365, ['new_users'])]
    assert.equal(year, week)
  })

  test('work with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: moderator.token })
    const [users, statuses] = await masto.v1.admin.measures.create({
      keys: ['new_users', 'instance_statuses'],
      startAt: PERIOD.start_at,
      endAt: PERIOD.end_at,
      instanceStatuses: { domain: 'birds.test' },
    })
    assert.equal(users!.data.length, 3)
    assert.equal(statuses!.total, '2')
  })
})
