import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { HOST, createRemoteAccount, createRemoteStatus } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { measureMediaUsage } from '../../../../../domain/media/measure-usage.ts'
import { purgeMediaCache } from '../../../../../domain/media/remote-cache/purge-cache.ts'
import type { AdminMedia } from '../../../../../entities/admin/content/admin-media.ts'

const PATH = '/api/v1/admin/media'
const NOW = new Date('2026-11-20T12:00:00Z')

let now = NOW
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
const farId = await createRemoteAccount(ctx)
const nearId = await createRemoteAccount(ctx, {
  uri: 'https://near.test/users/ann',
  handle: { username: 'ann', domain: 'near.test' },
})

beforeEach(async () => {
  now = NOW
  await sql`delete from cached_files`.execute(db)
  await sql`delete from settings where name like 'media%'`.execute(db)
  await sql`delete from jobs`.execute(db)
})

/** Adds a file to the cache. Returns its storage key. */
async function cacheFile(owned: object, { rendition = 'original', daysAgo = 30 } = {}): Promise<string> {
  const key = `cache/media/ab/${crypto.randomUUID()}.png`
  const used = new Date(NOW.getTime() - daysAgo * 86_400_000)
  const file = { rendition, remote_url: HOST, file_key: key, byte_size: '100', fetched_at: used, used_at: used }
  await db
    .insertInto('cached_files')
    .values({ ...file, ...owned })
    .execute()
  return key
}

/** Creates a remote status with an attachment in the cache. */
async function cacheAttachment(accountId: string): Promise<{ statusId: string; key: string }> {
  const media = { url: `${HOST}/a.png`, mediaType: null, description: null, blurhash: null, focus: null }
  const attachment = { ...media, type: 'image', width: null, height: null, previewUrl: null } as const
  const statusId = await createRemoteStatus(ctx, { accountId, attachments: [attachment] })
  const query = db.selectFrom('media_attachments').select('id').where('status_id', '=', statusId)
  const { id } = await query.executeTakeFirstOrThrow()
  return { statusId, key: await cacheFile({ media_id: id }) }
}

const cachedKeys = async () =>
  (await db.selectFrom('cached_files').select('file_key').orderBy('id').execute()).map((file) => file.file_key)

async function read(): Promise<AdminMedia> {
  const { status, body } = await owner.client.get<AdminMedia>(PATH)
  assert.equal(status, 200)
  assertEntity('AdminMedia', body)
  return body
}

/** Starts a purge, and runs its job. */
async function purge(options: object): Promise<NonNullable<AdminMedia['purge']>> {
  const { status, body } = await owner.client.post<AdminMedia>(`${PATH}/purge`, options)
  assert.equal(status, 200)
  assertEntity('AdminMedia', body)
  assert.deepEqual([body.purge?.running, body.purge?.last_run_at], [true, null])
  await purgeMediaCache(ctx)
  return (await read()).purge!
}

async function auditDetails(): Promise<unknown[]> {
  const entries = db.selectFrom('audit_log_entries').selectAll().where('target_type', '=', 'media_cache')
  const rows = await entries.where('account_id', '=', owner.accountId).orderBy('id', 'desc').execute()
  return rows.map(({ action, label, details }) => [action, label, details])
}

suite('the media page of the staff', () => {
  test('shows the files by kind and origin, as they were measured at most a day ago', async () => {
    assert.deepEqual((await read()).usage, [])
    const body = Buffer.from('12345')
    await ctx.storage.put({ key: 'avatars/ab/1.png', body, contentType: 'image/png' })
    await ctx.storage.put({ key: 'cache/avatars/ab/1.png', body, contentType: 'image/png' })
    await measureMediaUsage(ctx)
    const { usage } = await read()
    assert.equal(usage.length, 12)
    const measured = { kind: 'avatars', files: 1, bytes: 5, measured_at: NOW.toISOString() }
    assert.deepEqual(
      usage.filter(({ files }) => files > 0),
      [
        { ...measured, origin: 'local' },
        { ...measured, origin: 'remote' },
      ],
    )
    await ctx.storage.put({ key: 'avatars/ab/2.png', body, contentType: 'image/png' })
    now = new Date(NOW.getTime() + 3_600_000)
    await measureMediaUsage(ctx)
    assert.deepEqual((await read()).usage, usage)
    now = new Date(NOW.getTime() + 25 * 3_600_000)
    await measureMediaUsage(ctx)
    assert.deepEqual((await read()).usage.find(({ files }) => files > 1)?.bytes, 10)
  })

  test('shows files as measured after a wrong clock was set back', async () => {
    now = new Date(NOW.getTime() + 40 * 86_400_000)
    await measureMediaUsage(ctx)
    now = NOW
    await measureMediaUsage(ctx)
    for (const { measured_at } of (await read()).usage) assert.equal(measured_at, NOW.toISOString())
  })

  test('shows the size of the remote media cache', async () => {
    await cacheFile({ account_id: farId }, { rendition: 'avatar' })
    const { cache_files, cache_bytes, cache_max_bytes, purge: last } = await read()
    assert.deepEqual([cache_files, cache_bytes, cache_max_bytes, last], [1, 100, ctx.config.mediaCacheBytes, null])
  })
})

suite('a purge of the remote media cache', () => {
  test('removes attachments that were not viewed lately, and with `profiles` also avatars', async () => {
    const { key } = await cacheAttachment(farId)
    const recent = await cacheFile({}, { daysAgo: 1 })
    const avatar = await cacheFile({ account_id: farId }, { rendition: 'avatar' })
    const result = await purge({})
    assert.deepEqual(result, {
      days: 7,
      profiles: false,
      by_domain: null,
      keep_interacted: false,
      running: false,
      started_at: NOW.toISOString(),
      last_run_at: NOW.toISOString(),
      finished_at: NOW.toISOString(),
      total_files: 3,
      examined_files: 3,
      removed_files: 1,
      removed_bytes: 100,
    })
    assert.deepEqual(await cachedKeys(), [recent, avatar])
    const { rows } = await sql`select from jobs where payload -> 'mediaKeys' ->> 0 = ${key}`.execute(db)
    assert.equal(rows.length, 1, 'a job deletes the file')
    assert.equal((await purge({ days: 0, profiles: true })).removed_files, 2)
    assert.deepEqual(await auditDetails(), [
      ['purge', 'media cache', { days: 0, profiles: true, by_domain: null, keep_interacted: false }],
      ['purge', 'media cache', { days: 7, profiles: false, by_domain: null, keep_interacted: false }],
    ])
  })

  test('removes only files of a domain', async () => {
    const far = await cacheAttachment(farId)
    await cacheAttachment(nearId)
    await cacheFile({ account_id: nearId }, { rendition: 'avatar' })
    const result = await purge({ by_domain: 'NEAR.test', profiles: true })
    assert.deepEqual([result.by_domain, result.removed_files, await cachedKeys()], ['near.test', 2, [far.key]])
    assert.equal((await owner.client.post(`${PATH}/purge`, { by_domain: 'no domain' })).status, 422)
  })

  test('retains attachments of statuses with local interaction', async () => {
    const attachments = []
    for (let n = 0; n < 6; n += 1) attachments.push(await cacheAttachment(farId))
    const [favourited, bookmarked, reblogged, answered, , liked] = attachments.map(({ statusId }) => statusId)
    await db.insertInto('favourites').values({ account_id: owner.accountId, status_id: favourited! }).execute()
    await db.insertInto('bookmarks').values({ account_id: owner.accountId, status_id: bookmarked! }).execute()
    await db.insertInto('favourites').values({ account_id: nearId, status_id: liked! }).execute()
    const local = { account_id: owner.accountId, visibility: 'public', url: '', local: true }
    await db
      .insertInto('statuses')
      .values([
        { ...local, uri: 'https://linnet.test/1', reblog_of_id: reblogged! },
        { ...local, uri: 'https://linnet.test/2', in_reply_to_id: answered!, in_reply_to_account_id: farId },
      ])
      .execute()
    await purge({ keep_interacted: true })
    assert.deepEqual(
      await cachedKeys(),
      attachments.slice(0, 4).map(({ key }) => key),
    )
    assert.equal((await purge({})).removed_files, 4)
  })

  test('continues where it was interrupted', async () => {
    await sql`insert into cached_files (rendition, remote_url, file_key, byte_size, fetched_at, used_at)
      select 'original', ${HOST}, 'cache/media/ab/' || n || '.png', 10, '2026-01-01T00:00Z', '2026-01-01T00:00Z'
      from generate_series(1, 1200) n`.execute(db)
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'lost'; end $$`.execute(db)
    await sql`create trigger fail before delete on cached_files for each row
      when (old.file_key = 'cache/media/ab/600.png') execute function fail()`.execute(db)
    await assert.rejects(purge({}), /lost/)
    const interrupted = (await read()).purge!
    assert.deepEqual(
      [interrupted.running, interrupted.total_files, interrupted.examined_files, interrupted.removed_files],
      [true, 1200, 500, 500],
    )
    await sql`drop trigger fail on cached_files`.execute(db)
    await purgeMediaCache(ctx)
    const done = (await read()).purge!
    assert.deepEqual(
      [done.running, done.examined_files, done.removed_files, done.removed_bytes, await cachedKeys()],
      [false, 1200, 1200, 12_000, []],
    )
    await cacheFile({})
    await purgeMediaCache(ctx)
    assert.equal((await cachedKeys()).length, 1, 'a finished purge removes nothing')
  })

  test('has one job, and replaces a purge that runs', async () => {
    for (const days of [3, 5]) await owner.client.post(`${PATH}/purge`, { days })
    assert.equal((await read()).purge?.days, 5)
    const { rows } = await sql`select from jobs where key = 'media-purge'`.execute(db)
    assert.equal(rows.length, 1)
    for (const days of [-1, 40_000]) assert.equal((await owner.client.post(`${PATH}/purge`, { days })).status, 422)
  })
})
