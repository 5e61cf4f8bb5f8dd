import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { tellHomes, tellLists } from '../stream-news.ts'
import { isInTalk, isInTalkOfList, isOnTerms, isSeenLately, isWelcome, STORED, STORED_STATUSES } from './belongs.ts'
import type { Traits } from './belongs.ts'
import { findStanding, HOME, LIST, standsIn } from './standing.ts'
import type { FeedKind } from './standing.ts'

/** People, or lists, whose feeds are written in one statement. */
const CHUNK = 2_000

interface Posted {
  id: string
  account_id: string
  original_id: string
  is_boost: boolean
  language: string | null
  is_own_talk: boolean
  replied_to_id: string | null
  named: string[] | null
  people: string[]
  authors: string[]
  domains: string[]
  /** Whether anybody has the author on a list, and on one that keeps its people out of the home feed. */
  is_listed: boolean
  is_kept_out: boolean
  /** Hashtags that somebody follows, of what may be shown to everybody. */
  followed_tag_ids: string[]
}

const loadStatus = statement<{ params: { boostId: string }; row: Posted }>(
  `select s.id, s.account_id, coalesce(s.reblog_of_id, s.id) as original_id, ${STORED.isBoost} as is_boost,
     ${STORED.language} as language, ${STORED.isOwnTalk} as is_own_talk, ${STORED.repliedToId} as replied_to_id,
     involved.*,
     exists (select from list_accounts la where la.account_id = s.account_id) as is_listed,
     exists (select from list_accounts la join lists l on l.id = la.list_id
       where la.account_id = s.account_id and l.exclusive) as is_kept_out,
     array(select st.tag_id from status_tags st
       where st.status_id = s.id and s.visibility = 'public' and s.reblog_of_id is null
         and exists (select from tag_follows t where t.tag_id = st.tag_id offset 0)
         and not exists (select from accounts a where a.id = s.account_id and a.silenced_at is not null)
     ) as followed_tag_ids
   from ${STORED_STATUSES} where s.id = $boostId and s.deleted_at is null`,
)

const POSTED: Traits = {
  isBoost: '$isReblog',
  language: '$language',
  isOwnTalk: '$isSelfReply',
  repliedToId: '$repliedToId',
  named: '$named',
  people: '$people',
  authors: '$authors',
  domains: '$domains',
}

interface Chunk {
  last: string | null
  size: number
  /** Feeds that have it now, be it by this or since an earlier run that nobody may have been told of. */
  reached: string[] | null
}

// Held once for all of its entries: whoever deletes it waits, and then deletes them with it.
const HELD = 'held as (select id from statuses where id = $statusId and deleted_at is null for key share)'

/** Those who have the author on a list that keeps its people out of the home feed. */
const keptOut = (isKeptOut: string) => `kept_out as (
  select l.account_id from list_accounts la join lists l on l.id = la.list_id
  where ${isKeptOut}::boolean and la.account_id = $accountId and l.exclusive)`

const hasItNot = (feed: string) =>
  `not exists (select from unnest($feedsWithIt::bigint[]) standing (id) where standing.id = ${feed})`

const DONE = `select (select max(cursor) from chunk) as last, (select count(*)::int from chunk) as size,
  (select array_agg(readers.id::text) from readers, held) as reached`

interface FillParameters {
  statusId: string
  accountId: string
  originalId: string
  isReblog: boolean
  language: string | null
  isSelfReply: boolean
  repliedToId: string | null
  named: readonly string[] | null
  people: readonly string[]
  authors: readonly string[]
  domains: readonly string[]
  feedsWithIt: readonly string[]
  cursor: string
  limit: number
}

// The author's own feed has whatever it has not yet; it is written with the first chunk.
const fillHomes = (condition: (feed: string) => string) =>
  statement<{ params: FillParameters & { isKeptOut: boolean }; row: Chunk }>(
    `with ${HELD}, ${keptOut('$isKeptOut')}, chunk as (
       select f.id as cursor, f.account_id, f.show_reblogs, f.languages from follows f
       where f.target_account_id = $accountId and f.id > $cursor::bigint order by f.id limit $limit
     ), readers as (
       select c.account_id as id from chunk c join users u on u.account_id = c.account_id
       where ${isSeenLately()} and ${isOnTerms('c', POSTED)} and ${isInTalk('c.account_id', POSTED)}
         and ${isWelcome('c.account_id', POSTED)} and ${hasItNot('c.account_id')} ${condition('c.account_id')}
         and not exists (select from kept_out k where k.account_id = c.account_id)
       union all
       select u.account_id from users u
       where u.account_id = $accountId and $cursor::bigint = 0 and ${hasItNot('u.account_id')} ${condition('u.account_id')}
     ), added as (
       insert into feed_entries (account_id, status_id, original_id)
       select readers.id, held.id, $originalId from readers, held on conflict do nothing
     )
     ${DONE}`,
  )

const fillLists = (condition: string) =>
  statement<{ params: FillParameters; row: Chunk }>(
    `with ${HELD}, chunk as (
       select la.id as cursor, la.follow_id, l.id, l.account_id, l.replies_policy
       from list_accounts la join lists l on l.id = la.list_id
       where la.account_id = $accountId and la.id > $cursor::bigint order by la.id limit $limit
     ), readers as (
       select c.id from chunk c join users u on u.account_id = c.account_id join follows f on f.id = c.follow_id
       where ${isSeenLately()} and ${isOnTerms('f', POSTED)} and ${isInTalkOfList('c', POSTED)}
         and ${isWelcome('c.account_id', POSTED)} and ${hasItNot('c.id')} ${condition}
       union all
       select c.id from chunk c join users u on u.account_id = c.account_id
       where c.account_id = $accountId and ${isInTalkOfList('c', POSTED)} and ${hasItNot('c.id')} ${condition}
     ), added as (
       insert into list_entries (list_id, status_id, original_id)
       select readers.id, held.id, $originalId from readers, held on conflict do nothing
     )
     ${DONE}`,
  )

const FILLS = {
  feed_entries: {
    listed: fillHomes(() => ''),
    looked: fillHomes((feed) => `and not ${standsIn(HOME, { feed, original: '$originalId', boost: '$statusId' })}`),
  },
  list_entries: {
    listed: fillLists(''),
    looked: fillLists(`and not ${standsIn(LIST, { feed: 'c.id', original: '$originalId', boost: '$statusId' })}`),
  },
}

// $statusId status, $accountId author, $originalId people, $isReblog authors, $language domains, $isSelfReply tag, $repliedToId cursor, $named chunk, $people is kept out
const TAGGED = { named: 'null', people: '$people', authors: '$authors', domains: '$domains' }
const fillTag = statement<{
  params: {
    statusId: string
    accountId: string
    people: readonly string[]
    authors: readonly string[]
    domains: readonly string[]
    tagId: string
    cursor: string
    limit: number
    isKeptOut: boolean
  }
  row: Chunk
}>(
  `with ${HELD}, ${keptOut('$isKeptOut')}, chunk as (
     select t.id as cursor, t.account_id from tag_follows t
     where t.tag_id = $tagId and t.id > $cursor::bigint order by t.id limit $limit
   ), readers as (
     select c.account_id as id from chunk c join users u on u.account_id = c.account_id
     where ${isSeenLately()} and c.account_id <> $accountId and ${isWelcome('c.account_id', TAGGED)}
       and not exists (select from kept_out k where k.account_id = c.account_id)
   ), added as (
     insert into feed_entries (account_id, status_id, original_id)
     select readers.id, held.id, held.id from readers, held on conflict do nothing
   )
   ${DONE}`,
)

/**
 * Effect: writes a status into the feeds of its author, of those who follow them or a hashtag of it, and of the lists
 * that they are on, and tells the streams of those in which it is then. Running again doubles nothing: a stream tells
 * of a status once.
 */
export async function addToFeeds(ctx: Ctx, payload: { statusId: string; boostId?: string }): Promise<void> {
  const [status] = await loadStatus(ctx.db, { boostId: payload.boostId ?? payload.statusId })
  if (!status) return
  const tell = async (accountIds: string[]) => tellHomes(ctx.bus, { event: 'update', statusId: status.id, accountIds })
  // A reply to what nobody here knows is a voice without its talk: only its author's feed has it.
  const inTalk = status.is_own_talk || status.replied_to_id !== null
  const { fill, standing } = await chooseFill(ctx, { kind: HOME, fills: FILLS.feed_entries, status })
  await inChunks(ctx, {
    write: (tx, cursor) =>
      fill(tx.db, {
        ...parametersOf(status),
        feedsWithIt: standing,
        cursor,
        limit: inTalk ? CHUNK : 0,
        isKeptOut: status.is_kept_out,
      }),
    onReached: tell,
  })
  for (const tagId of status.followed_tag_ids) {
    const { id, account_id, people, authors, domains } = status
    await inChunks(ctx, {
      write: (tx, cursor) =>
        fillTag(tx.db, {
          statusId: id,
          accountId: account_id,
          people,
          authors,
          domains,
          tagId,
          cursor,
          limit: CHUNK,
          isKeptOut: status.is_kept_out,
        }),
      onReached: tell,
    })
  }
  // What is meant for those whom it names is no post for a list.
  if (status.is_listed && inTalk && status.named === null) {
    const lists = await chooseFill(ctx, { kind: LIST, fills: FILLS.list_entries, status })
    await inChunks(ctx, {
      write: (tx, cursor) =>
        lists.fill(tx.db, { ...parametersOf(status), feedsWithIt: lists.standing, cursor, limit: CHUNK }),
      onReached: async (listIds) => tellLists(ctx.bus, { statusId: status.id, listIds }),
    })
  }
}

function parametersOf(status: Posted): Omit<FillParameters, 'feedsWithIt' | 'cursor' | 'limit'> {
  const { id, account_id, original_id, is_boost, language, is_own_talk, replied_to_id } = status
  const { named, people, authors, domains } = status
  return {
    statusId: id,
    accountId: account_id,
    originalId: original_id,
    isReblog: is_boost,
    language,
    isSelfReply: is_own_talk,
    repliedToId: replied_to_id,
    named,
    people,
    authors,
    domains,
  }
}

/** The statement for a status, and the feeds where it would be a repetition, if these can be named beforehand. */
async function chooseFill<Fill>(
  ctx: Ctx,
  {
    kind,
    fills: { listed, looked },
    status,
  }: { kind: FeedKind; fills: { listed: Fill; looked: Fill }; status: Posted },
): Promise<{ fill: Fill; standing: string[] }> {
  if (!status.is_boost) return { fill: listed, standing: [] }
  const standing = await findStanding(ctx, { kind, originalId: status.original_id, boostId: status.id })
  return standing === null ? { fill: looked, standing: [] } : { fill: listed, standing }
}

async function inChunks(
  ctx: Ctx,
  {
    write,
    onReached,
  }: { write: (tx: Tx, cursor: string) => Promise<Chunk[]>; onReached: (ids: string[]) => Promise<void> },
): Promise<void> {
  let cursor: string | null = '0'
  while (cursor !== null) {
    const after: string = cursor
    const [chunk] = await ctx.write((tx) => write(tx, after))
    if (!chunk) return
    if (chunk.reached) await onReached(chunk.reached)
    cursor = chunk.size === CHUNK ? chunk.last : null
  }
}
