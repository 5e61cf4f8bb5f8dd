import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { countReadRowsOfWrites } from '../../../../test/performance/count-read-rows.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { mergeAccountsIntoFeeds, removeDomainsFromFeeds, separateFeedsOfPairs } from './merge-into-feeds.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { accountId, client } = await testServer.createUser()
const followed = await createUsers(ctx, { prefix: 'followed', count: 600 })
await sql`insert into follows (account_id, target_account_id)
  select ${accountId}, unnest(${followed}::bigint[])`.execute(ctx.db)
await sql`update users set last_seen_at = now()`.execute(ctx.db)
const { rows: lists } = await sql<{ id: string }>`
  insert into lists (account_id, title) values (${accountId}, 'A list') returning id`.execute(ctx.db)
const listId = lists[0]!.id
await sql`insert into list_accounts (list_id, account_id, follow_id)
  select ${listId}, target_account_id, id from follows where account_id = ${accountId}`.execute(ctx.db)
const { rows: statuses } = await sql<{ id: string; author: string }>`
  insert into statuses (id, account_id, uri, url, content, visibility, local, created_at)
  select next_status_id(), a, 'https://linnet.test/posts/' || a, 'https://linnet.test/posts/' || a, '', 'public', true, now()
  from unnest(${followed}::bigint[]) a returning id, account_id as author`.execute(ctx.db)
const pairsWith = (targets: readonly string[]) => targets.map((targetAccountId) => ({ accountId, targetAccountId }))

/** Returns the authors of the entries of the user's home feed and of the list. */
async function authorsOf(owner = accountId): Promise<{ home: string[]; list: string[] }> {
  const { rows } = await sql<{ home: string[]; list: string[] }>`select
    array(select s.account_id from feed_entries e join statuses s on s.id = e.status_id where e.account_id = ${owner}
      order by s.account_id)::text[] as home,
    array(select s.account_id from list_entries e join statuses s on s.id = e.status_id where e.list_id = ${listId}
      order by s.account_id)::text[] as list`.execute(ctx.db)
  return rows[0]!
}

test('a merge reads the follows and members that it is for, of a user with many, and twenty authors together', async () => {
  await sql`analyze follows, list_accounts, statuses, accounts, users`.execute(ctx.db)
  const targets = followed.slice(0, 30)
  for (const table of ['follows', 'list_accounts']) {
    const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table })
    await mergeAccountsIntoFeeds(counting, pairsWith([...targets, targets[0]!]))
    assert.equal(rowsOfWrites.length, 2)
    assert.ok(Math.max(...rowsOfWrites) <= 200, `${table}: ${rowsOfWrites.join(', ')}`)
  }
  assert.deepEqual(await authorsOf(), { home: targets, list: targets })
  // Of a user who does not follow them, no feed changes.
  await mergeAccountsIntoFeeds(ctx, [{ accountId: followed[0]!, targetAccountId: followed[1]! }])
  assert.deepEqual((await authorsOf(followed[0])).home, [])
})

test('blocks of many accounts read the feeds of the user once, and those of the blocked accounts', async () => {
  await sql`insert into list_entries (list_id, status_id, original_id)
    select ${listId}, id, id from unnest(${statuses.map(({ id }) => id)}::bigint[]) id on conflict do nothing`.execute(
    ctx.db,
  )
  const { body: own } = await client.post<Status>('/api/v1/statuses', { status: 'Hello' })
  const blocked = followed.slice(5, 30)
  await sql`insert into feed_entries (account_id, status_id, original_id)
    select unnest(${blocked}::bigint[]), ${own.id}, ${own.id}`.execute(ctx.db)
  await sql`insert into blocks (account_id, target_account_id) select ${accountId}, unnest(${blocked}::bigint[])`.execute(
    ctx.db,
  )
  await sql`analyze list_entries, feed_entries, blocks`.execute(ctx.db)
  const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table: 'list_entries' })
  await separateFeedsOfPairs(counting, pairsWith(blocked))
  const rows = rowsOfWrites.reduce((sum, count) => sum + count)
  assert.ok(rows <= 2_000, `${rows} rows`)
  assert.deepEqual(await authorsOf(), {
    home: followed.slice(0, 5),
    list: [...followed.slice(0, 5), ...followed.slice(30)],
  })
  assert.deepEqual((await authorsOf(blocked[0])).home, [])
})

test('blocks of many domains read the feeds of the user once, and end the entries of their authors', async () => {
  const posted = []
  for (const domain of ['kept.test', 'sub.gone0.test', 'gone7.test']) {
    const authorId = await createRemoteAccount(ctx, { handle: { username: 'author', domain } })
    const id = await createRemoteStatus(ctx, { accountId: authorId, uri: `https://${domain}/1` })
    posted.push({ id, authorId })
  }
  const ids = posted.map(({ id }) => id)
  const { rows: reblogs } = await sql<{ id: string }>`
    insert into statuses (id, account_id, uri, url, content, visibility, local, created_at, reblog_of_id)
    select next_status_id(), ${followed[0]}, 'https://linnet.test/reblog', 'https://linnet.test/reblog', '', 'public', true, now(), ${ids[2]}
    returning id`.execute(ctx.db)
  await sql`insert into list_entries (list_id, status_id, original_id)
    select ${listId}, id, id from unnest(${[...ids, reblogs[0]!.id]}::bigint[]) id`.execute(ctx.db)
  await sql`insert into feed_entries (account_id, status_id, original_id)
    select ${accountId}, id, id from unnest(${[...ids, reblogs[0]!.id]}::bigint[]) id`.execute(ctx.db)
  const domains = Array.from({ length: 50 }, (_, n) => `gone${n}.test`)
  // Without a block, nothing is removed: the user may have ended it meanwhile.
  await removeDomainsFromFeeds(ctx, { accountId, domains })
  assert.equal((await authorsOf()).home.length, 5 + 4)
  await sql`insert into account_domain_blocks (account_id, domain) select ${accountId}, unnest(${domains}::text[])`.execute(
    ctx.db,
  )
  const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table: 'list_entries' })
  await removeDomainsFromFeeds(counting, { accountId, domains })
  const rows = rowsOfWrites.reduce((sum, count) => sum + count)
  assert.ok(rows <= 2_000, `${rows} rows`)
  const kept = posted[0]!.authorId
  const { home, list } = await authorsOf()
  assert.deepEqual(home.toSorted(), [...followed.slice(0, 5), kept].toSorted())
  assert.deepEqual(list.toSorted(), [...followed.slice(0, 5), ...followed.slice(30), kept].toSorted())
})
