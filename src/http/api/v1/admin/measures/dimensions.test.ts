import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { createRemoteAccount } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminCohort, AdminDimension } from '../../../../../entities/admin/operations/admin-metrics.ts'

const PATH = '/api/v1/admin/dimensions'
const DAY_MS = 86_400_000

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
const users = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
const userIds = users.map(({ userId }) => userId)

async function dimension(key: string, more: object = {}): Promise<AdminDimension['data']> {
  const { status, body } = await moderator.client.post<AdminDimension[]>(PATH, { keys: [key], ...more })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminDimension', body[0])
  assert.equal(body[0]!.key, key)
  return body[0]!.data
}
const rowsOf = async (key: string, more?: object) =>
  (await dimension(key, more)).map((row) => [row.key, row.human_key, row.value])

async function createAccount(domain: string): Promise<string> {
  const id = await createRemoteAccount(ctx)
  await sql`update accounts set domain = ${domain} where id = ${id}`.execute(db)
  return id
}

/** Inserts public statuses of an account now, and returns their ids. */
async function insertStatuses(accountId: string, languages: readonly (string | null)[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into statuses (account_id, uri, url, visibility, local, language)
    select ${accountId}, gen_random_uuid(), '', 'public', false, language from unnest(${languages}::text[]) language
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

suite('dimensions', () => {
  test('are the languages of active users, and the apps with which users registered', async () => {
    const app = await db
      .insertInto('applications')
      .values({ name: 'Bird', redirect_uris: [], scopes: [], client_id: 'bird', client_secret_hash: Buffer.from('x') })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`update users set locale = 'de', sign_up_application_id = ${app.id} where id = ${userIds[0]!}`.execute(db)
    await sql`update users set locale = 'fr', last_seen_at = now() - interval '50 days', created_at = now() - interval '50 days'
      where id = ${userIds[1]!}`.execute(db)
    assert.deepEqual(await rowsOf('languages'), [
      ['en', 'English', '2'],
      ['de', 'German', '1'],
    ])
    assert.deepEqual(await rowsOf('languages', { limit: 1 }), [['en', 'English', '2']])
    assert.deepEqual(await rowsOf('sources'), [
      ['web', 'Website', '2'],
      ['Bird', 'Bird', '1'],
    ])
    const start_at = new Date(Date.now() - 60 * DAY_MS).toISOString()
    assert.equal((await rowsOf('languages', { start_at })).length, 3)
    assert.deepEqual(await rowsOf('languages', { start_at, end_at: start_at }), [])
  })

  test('are the servers and languages of all statuses, of a hashtag, and of another server', async () => {
    const domain = 'far.test'
    const [first, second] = [await createAccount(domain), await createAccount(domain)]
    const ids = [
      ...(await insertStatuses(first, ['ja', 'ja', null])),
      ...(await insertStatuses(second, ['en'])),
      ...(await insertStatuses(users[0]!.accountId, ['de'])),
    ]
    const tag = await db
      .insertInto('tags')
      .values({ name: 'owls', display_name: 'Owls' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`insert into status_tags (status_id, tag_id) select unnest(${ids.slice(1)}::bigint[]), ${tag.id}`.execute(
      db,
    )
    await sql`insert into follows (account_id, target_account_id) values (${users[0]!.accountId}, ${second})`.execute(
      db,
    )
    assert.deepEqual(await rowsOf('servers'), [
      [domain, domain, '4'],
      ['linnet.test', 'linnet.test', '1'],
    ])
    assert.deepEqual(await rowsOf('tag_servers', { tag_servers: { id: tag.id } }), [
      [domain, domain, '3'],
      ['linnet.test', 'linnet.test', '1'],
    ])
    assert.deepEqual(await rowsOf('tag_languages', { tag_languages: { id: tag.id } }), [
      ['de', 'German', '1'],
      ['en', 'English', '1'],
      ['ja', 'Japanese', '1'],
      ['und', 'Unknown', '1'],
    ])
    assert.deepEqual(await rowsOf('instance_languages', { instance_languages: { domain } }), [
      ['ja', 'Japanese', '2'],
      ['en', 'English', '1'],
      ['und', 'Unknown', '1'],
    ])
    const accounts = await dimension('instance_accounts', { instance_accounts: { domain } })
    assert.deepEqual(
      accounts.map(({ value }) => value),
      ['1', '0'],
    )
    assert.equal(
      (await moderator.client.post(PATH, { keys: ['tag_servers'], tag_servers: { id: '4711' } })).status,
      404,
    )
    assert.equal((await moderator.client.post(PATH, { keys: ['instance_accounts'] })).status, 400)
  })

  test('are the space and the versions of the software', async () => {
    await sql`insert into media_attachments (account_id, type, content_type, byte_size, meta, file_key)
      values (${users[0]!.accountId}, 'image', 'image/png', 2500, '{}', 'file')`.execute(db)
    const space = await dimension('space_usage')
    const database = space.find(({ key }) => key === 'postgresql')
    assert.ok(Number(database?.value) > 1_000_000 && database?.unit === 'bytes')
    assert.deepEqual(
      space.find(({ key }) => key === 'media'),
      { key: 'media', human_key: 'Media storage', value: '2500', unit: 'bytes', human_value: '2.5 KB' },
    )
    const versions = await dimension('software_versions')
    assert.deepEqual(versions.map(({ key, value }) => [key, value]).slice(0, 2), [
      ['linnet', ctx.config.version],
      ['node', process.versions.node],
    ])
    assert.match(versions[2]!.value, /^\d+\.\d+$/)
  })

  test('ignore unknown keys, and reject impossible periods', async () => {
    assert.deepEqual((await moderator.client.post(PATH, { keys: ['nonsense'] })).body, [])
    for (const period of [
      { start_at: '2026-01-02', end_at: '2026-01-01' },
      { start_at: '2025-01-01', end_at: '2026-01-02' },
      { start_at: 'yesterday' },
    ])
      assert.equal((await moderator.client.post(PATH, { keys: ['servers'], ...period })).status, 422)
  })
})

suite('retention', () => {
  const retention = async (payload: object) => {
    const { status, body } = await moderator.client.post<AdminCohort[]>('/api/v1/admin/retention', payload)
    assert.equal(status, 200, JSON.stringify(body))
    for (const cohort of body) assertEntity('AdminCohort', cohort)
    return body
  }
  const partsOf = ({ period, frequency, data }: AdminCohort) => [
    period.slice(0, 10),
    frequency,
    data.map(({ date, rate, value }) => `${date.slice(0, 10)} ${value} ${rate.toFixed(2)}`),
  ]

  test('counts who was active in a day, or a month, or later, among those who registered before', async () => {
    for (const [n, createdAt, lastSeenAt] of [
      [0, '2026-03-30T12:00:00Z', '2026-03-31T23:59:59Z'],
      [1, '2026-03-30T23:00:00Z', '2026-04-01T00:00:00Z'],
      [2, '2026-04-01T01:00:00Z', '2026-04-01T02:00:00Z'],
    ] as const)
      await sql`update users set created_at = ${createdAt}, last_seen_at = ${lastSeenAt} where id = ${userIds[n]!}`.execute(
        db,
      )
    const days = await retention({ start_at: '2026-03-30', end_at: '2026-04-01T10:00:00Z', frequency: 'day' })
    assert.deepEqual(days.map(partsOf), [
      ['2026-03-30', 'day', ['2026-03-30 2 1.00', '2026-03-31 2 1.00', '2026-04-01 1 0.50']],
      ['2026-03-31', 'day', ['2026-03-31 0 0.00', '2026-04-01 0 0.00']],
      ['2026-04-01', 'day', ['2026-04-01 1 1.00']],
    ])
    const months = await retention({ start_at: '2026-03-31', end_at: '2026-05-01', frequency: 'month' })
    assert.deepEqual(months.map(partsOf), [
      ['2026-03-01', 'month', ['2026-03-01 2 1.00', '2026-04-01 1 0.50', '2026-05-01 0 0.00']],
      ['2026-04-01', 'month', ['2026-04-01 1 1.00', '2026-05-01 0 0.00']],
      ['2026-05-01', 'month', ['2026-05-01 0 0.00']],
    ])
  })

  test('is by day for other frequencies, and of at most 100 days', async () => {
    const [cohort] = await retention({ start_at: '2026-01-01', end_at: '2026-01-01', frequency: 'year' })
    assert.equal(cohort!.frequency, 'day')
    assert.equal((await retention({ start_at: '2026-01-01', end_at: '2026-04-10' })).length, 100)
    for (const payload of [
      { start_at: '2026-01-01', end_at: '2026-04-11' },
      { start_at: '2025-01-01', end_at: '2026-06-01', frequency: 'month' },
    ])
      assert.equal((await moderator.client.post('/api/v1/admin/retention', payload)).status, 422)
  })

  test('and dimensions work with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: moderator.token })
    const period = { startAt: '2026-03-30', endAt: '2026-04-01' }
    const [cohort] = await masto.v1.admin.retention.create({ ...period, frequency: 'day' })
    assert.equal(cohort!.data[2]!.rate, 0.5)
    const [versions] = await masto.v1.admin.dimensions.create({ keys: ['software_versions'] })
    assert.equal(versions!.data[0]!.humanKey, 'Linnet')
  })
})
