import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { findViewerStates } from './viewer-states.ts'
import type { OriginalStatus } from './viewer-states.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

/** More than the interactions of each type that are cached for a viewer. */
const COUNT = 510

/** Creates statuses with polls; returns them from the oldest to the newest. */
async function createStatuses(accountId: string): Promise<OriginalStatus[]> {
  const { rows } = await sql<OriginalStatus>`
    with conversation as (
      insert into conversations (uri) select 'urn:conversation:' || ${accountId}::text || n from generate_series(1, ${COUNT}) n returning id, uri
    ), status as (
      insert into statuses (account_id, uri, url, visibility, conversation_id)
      select ${accountId}, 'urn:status:' || ${accountId}::text || n, '', 'public', c.id
      from generate_series(1, ${COUNT}) n join conversation c on c.uri = 'urn:conversation:' || ${accountId}::text || n
      order by n
      returning id, account_id, conversation_id
    ), poll as (
      insert into polls (status_id, account_id, options, tallies)
      select id, account_id, '{a,b,c}', '{0,0,0}' from status order by id returning id, status_id
    )
    select s.id, s.account_id as author, s.conversation_id as conversation, p.id as poll
    from status s join poll p on p.status_id = s.id order by s.id`.execute(ctx.db)
  return rows
}

test('a viewer with very many interactions sees each of them', async () => {
  const [author, viewer] = [await testServer.createUser(), await testServer.createUser()]
  const statuses = await createStatuses(author.accountId)
  const ids = statuses.map(({ id }) => id)
  const viewerId = viewer.accountId
  await sql`insert into favourites (account_id, status_id) select ${viewerId}, unnest(${ids}::bigint[])`.execute(ctx.db)
  await sql`insert into bookmarks (account_id, status_id)
    values (${viewerId}, ${ids[1]}), (${viewerId}, ${ids[500]})`.execute(ctx.db)
  await sql`insert into conversation_mutes (account_id, conversation_id)
    values (${viewerId}, ${statuses[2]!.conversation}), (${viewerId}, ${statuses[501]!.conversation})`.execute(ctx.db)
  const { states } = await ctx.read(findViewerStates, { statuses, viewerId })
  const numbersOf = (name: 'bookmarked' | 'muted') => ids.flatMap((id, n) => (states.get(id)![name] ? n : []))
  assert.ok(ids.every((id) => states.get(id)!.favourited && !states.get(id)!.reblogged))
  assert.deepEqual(
    [numbersOf('bookmarked'), numbersOf('muted')],
    [
      [1, 500],
      [2, 501],
    ],
  )
})

test('a viewer who has voted in very many polls sees each vote', async () => {
  const [author, viewer] = [await testServer.createUser(), await testServer.createUser()]
  const statuses = await createStatuses(author.accountId)
  const viewerId = viewer.accountId
  await sql`insert into poll_votes (poll_id, account_id, choice)
    select id, ${viewerId}, choice
    from unnest(${statuses.map(({ poll }) => poll)}::bigint[]) id, unnest('{2,0,1}'::int[]) choice
    where id <> ${statuses[505]!.poll}`.execute(ctx.db)
  const { states } = await ctx.read(findViewerStates, { statuses, viewerId })
  assert.deepEqual(
    statuses.map(({ id }) => states.get(id)!.choices),
    statuses.map((_, n) => (n === 505 ? null : [0, 1, 2])),
  )
})

test('a viewer who has muted very many conversations sees each of them as muted', async () => {
  const [author, viewer] = [await testServer.createUser(), await testServer.createUser()]
  const statuses = await createStatuses(author.accountId)
  const viewerId = viewer.accountId
  const isMuted = (_: unknown, n: number) => n % 100 !== 3
  await sql`insert into conversation_mutes (account_id, conversation_id)
    select ${viewerId}, unnest(${statuses.filter(isMuted).map(({ conversation }) => conversation)}::bigint[])`.execute(
    ctx.db,
  )
  const { states } = await ctx.read(findViewerStates, { statuses, viewerId })
  assert.deepEqual(
    statuses.map(({ id }) => states.get(id)!.muted),
    statuses.map(isMuted),
  )
})
