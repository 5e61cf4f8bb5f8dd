// Slow: inserts 100,000 statuses.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createRemoteAccount, createRemoteStatus, HOST, uniqueName } from '../../../test/federation/remote-records.ts'
import { captureQueries } from '../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { reblogStatus } from '../statuses/interactions/reblog-status.ts'
import { pruneRemoteStatuses } from './prune-remote-statuses.ts'
import { pruneNow, readRetentionRuns, runRetention } from './run-retention.ts'

const DAY_MS = 86_400_000
let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const user = await testServer.createUser({ scopes: 'read write follow' })
const author = await createRemoteAccount(ctx)

/** Runs the hourly job half a year later. */
async function prune(): Promise<void> {
  await testServer.waitForJobs()
  aheadMs += 200 * DAY_MS
  await runRetention(ctx)
  aheadMs -= 200 * DAY_MS
  await sql`delete from settings where name like 'retention:%'`.execute(db)
}

async function remaining(ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('statuses').select('id').where('id', 'in', ids).execute()
  return ids.filter((id) => rows.some((row) => row.id === id))
}

const createStatus = (more: Partial<Parameters<typeof createRemoteStatus>[1]> = {}) =>
  createRemoteStatus(ctx, { accountId: author, ...more })
const uriOf = (name: string) => `${HOST}/statuses/${name}`

/** Lets a remote account boost a status. Returns the id of the boost. */
async function boost(accountId: string, statusId: string): Promise<string> {
  const uri = uriOf(uniqueName('boost'))
  await ctx.write((tx) => reblogStatus(tx, { accountId, statusId, remote: { uri, publishedAt: null } }))
  const row = await db.selectFrom('statuses').select('id').where('uri', '=', uri).executeTakeFirstOrThrow()
  return row.id
}

async function act(path: string, body: object = {}): Promise<{ id: string }> {
  const response = await user.client.post(path, body)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

test('a pass at a time that a wrong clock showed does not delay the next one after the correction', async () => {
  aheadMs = 40 * DAY_MS
  await runRetention(ctx)
  aheadMs = 0
  const runs = async () =>
    (await readRetentionRuns(ctx, { now: ctx.now() })).filter(({ enabled, lastRunAt }) => enabled && lastRunAt !== null)
  const soon = Date.now() + DAY_MS / 12
  assert.ok((await runs()).length > 0)
  for (const { nextRunAt } of await runs()) assert.ok(nextRunAt!.getTime() <= soon)
  await runRetention(ctx)
  for (const { lastRunAt } of await runs()) assert.ok(lastRunAt!.getTime() <= Date.now())
  await sql`delete from settings where name like 'retention:%'`.execute(db)
})

suite('old remote statuses', () => {
  test('are pruned with all that belongs to them, and can be fetched again', async () => {
    const uri = uriOf('pruned')
    const image = { type: 'image', contentType: 'image/png', url: `${HOST}/a.png`, description: null, blurhash: null }
    const id = await createStatus({ uri, hashtags: new Map([['gone', 'gone']]), conversation: `${HOST}/threads/1` })
    await sql`insert into media_attachments (account_id, status_id, type, remote_url, content_type, byte_size, meta)
      values (${author}, ${id}, ${image.type}, ${image.url}, ${image.contentType}, 1, '{}')`.execute(db)
    await sql`insert into cached_files (media_id, rendition, remote_url, file_key, byte_size, fetched_at, used_at)
      select id, 'original', remote_url, 'a/b.png', 1, now(), now() from media_attachments where status_id = ${id}`.execute(
      db,
    )
    const [before] = await db.selectFrom('account_stats').selectAll().where('account_id', '=', author).execute()
    await testServer.waitForJobs()
    await prune()
    assert.deepEqual(await remaining([id]), [])
    for (const table of ['media_attachments', 'status_tags', 'status_stats', 'status_search_entries'] as const) {
      assert.deepEqual(await db.selectFrom(table).select('status_id').where('status_id', '=', id).execute(), [], table)
    }
    const files = await db.selectFrom('cached_files').select(['media_id', 'file_key']).execute()
    assert.deepEqual(files, [{ media_id: null, file_key: 'a/b.png' }], 'the eviction of cached files finds it')
    const threads = await db.selectFrom('conversations').select('id').where('uri', '=', `${HOST}/threads/1`).execute()
    assert.deepEqual(threads, [])
    assert.deepEqual(await db.selectFrom('tombstones').select('uri').execute(), [])
    const [afterwards] = await db.selectFrom('account_stats').selectAll().where('account_id', '=', author).execute()
    assert.deepEqual(afterwards, before, 'the number of posts of a remote account stays')
    assert.notEqual(await createStatus({ uri }), id)
  })

  test('are retained after each interaction of a local account, and by the authors that one follows', async () => {
    const followed = await createRemoteAccount(ctx)
    await sql`insert into follows (account_id, target_account_id) values (${user.accountId}, ${followed})`.execute(db)
    const own = await act('/api/v1/statuses', { status: 'Mine' })
    const kept: Record<string, string> = {}
    for (const name of ['favourite', 'bookmark', 'reblog']) {
      kept[name] = await createStatus()
      await act(`/api/v1/statuses/${kept[name]}/${name}`)
    }
    kept.reply = await createStatus()
    await act('/api/v1/statuses', { status: 'A reply', in_reply_to_id: kept.reply })
    const thread = await createStatus({ uri: uriOf('root') })
    kept.root = thread
    kept.sibling = await createStatus({ inReplyTo: uriOf('root') })
    await act('/api/v1/statuses', { status: 'A reply', in_reply_to_id: thread })
    kept.mention = await createStatus({ mentionedIds: [user.accountId] })
    kept.direct = await createStatus({ mentionedIds: [user.accountId], visibility: 'direct' })
    kept.followed = await createStatus({ accountId: followed })
    kept.boostedByFollowed = await createStatus()
    kept.boost = await boost(followed, kept.boostedByFollowed)
    kept.boostOfOwn = await boost(author, own.id)
    kept.reported = await createStatus()
    await act('/api/v1/reports', { account_id: author, status_ids: [kept.reported] })
    kept.poll = await createStatus()
    await sql`with p as (insert into polls (status_id, account_id, options, tallies)
      values (${kept.poll}, ${author}, '{a,b}', '{0,0}') returning id)
      insert into poll_votes (poll_id, account_id, choice) select id, ${user.accountId}, 0 from p`.execute(db)
    kept.quoted = await createStatus()
    await sql`insert into quotes (status_id, account_id, quoted_status_id, state)
      values (${own.id}, ${user.accountId}, ${kept.quoted}, 'accepted')`.execute(db)
    const boostByStranger = await boost(await createRemoteAccount(ctx), await createStatus())
    await prune()
    assert.deepEqual(await remaining(Object.values(kept)), Object.values(kept))
    assert.deepEqual(await remaining([boostByStranger]), [])

    await act(`/api/v1/statuses/${kept.favourite}/unfavourite`)
    await act(`/api/v1/statuses/${kept.reblog}/unreblog`)
    await sql`update reports set action_taken_at = now()`.execute(db)
    await sql`delete from follows where target_account_id = ${followed}`.execute(db)
    await prune()
    const undone = ['favourite', 'reblog', 'followed', 'boostedByFollowed', 'boost', 'reported']
    const rest = Object.keys(kept).filter((name) => !undone.includes(name))
    const left = await remaining(Object.values(kept))
    assert.deepEqual(
      left,
      rest.map((name) => kept[name]),
    )
  })

  test('of a thread go together, and a retained reply retains its ancestors', async () => {
    const uris = [0, 1, 2].map((n) => uriOf(`thread${n}`))
    const gone: string[] = []
    for (const [n, uri] of uris.entries()) gone.push(await createStatus({ uri, inReplyTo: uris[n - 1] ?? null }))
    const stays: string[] = []
    for (const [n, uri] of uris.entries())
      stays.push(await createStatus({ uri: `${uri}b`, inReplyTo: n === 0 ? null : `${uris[n - 1]}b` }))
    const leaf = await createStatus({ inReplyTo: `${uris[2]}b` })
    await act(`/api/v1/statuses/${stays[2]}/bookmark`)
    aheadMs += 200 * DAY_MS
    const expected = await pruneNow(ctx, { dryRun: true, onStep() {} })
    aheadMs -= 200 * DAY_MS
    const countOf = async () =>
      (await db.selectFrom('statuses').select('id').where('local', '=', false).execute()).length
    const all = await countOf()
    await prune()
    assert.equal(all - (await countOf()), expected.remote_statuses)
    assert.deepEqual(await remaining([...gone, ...stays, leaf]), stays)
    const [stats] = await db.selectFrom('status_stats').selectAll().where('status_id', '=', stays[2]!).execute()
    assert.equal(stats?.replies_count, 0, 'the pruned reply is not counted')
  })

  test('are retained if a user interacts with one at the moment of pruning', async () => {
    const id = await createStatus()
    const other = new pg.Client(testServer.connection)
    await other.connect()
    try {
      await other.query('begin')
      await other.query('insert into bookmarks (account_id, status_id) values ($1, $2)', [user.accountId, id])
      await prune()
      await other.query('commit')
    } finally {
      await other.end()
    }
    await prune()
    assert.deepEqual(await remaining([id]), [id])
  })

  test('that are fetched long after their publication are retained like new ones', async () => {
    const id = await createStatus({ publishedAt: new Date('2020-01-01') })
    await runRetention(ctx)
    assert.deepEqual(await remaining([id]), [id])
    await prune()
    assert.deepEqual(await remaining([id]), [])
  })

  test('are found in steps that use indexes, however many there are', async () => {
    await sql`insert into statuses (id, account_id, uri, url, content, visibility, local, created_at)
      select n::bigint * 65536, ${author}, 'https://far.test/many/' || n, '', '', 'public', false, '1970-01-01'
      from generate_series(1, 100000) n`.execute(db)
    await sql`analyze statuses`.execute(db)
    const policy = { remoteStatusesDays: 180, notificationsDays: 0, remoteVersionsDays: 0, localVersionsDays: 0 }
    const input = { cursor: String(60_000 * 65_536), policy, now: ctx.now(), dryRun: null }
    const texts = await captureQueries(async () => {
      assert.deepEqual(await pruneRemoteStatuses(ctx, input), { cursor: String(59_500 * 65_536), count: 500 })
    })
    const statements = texts.filter((text) => /^(with|select|update|delete|insert)/i.test(text.trim()))
    assert.ok(statements.length > 10 && statements.length < 25, String(statements.length))
    // `explain (generic_plan)` needs a client that does not prepare statements.
    const client = new pg.Client(testServer.connection)
    await client.connect()
    try {
      for (const text of statements) {
        const { rows } = await client.query(`explain (generic_plan) ${text}`)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        assert.ok(!/Seq Scan on statuses/.test(plan), `${text}\n${plan}`)
      }
    } finally {
      await client.end()
    }
  })
})
