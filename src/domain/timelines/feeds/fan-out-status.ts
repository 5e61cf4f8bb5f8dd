import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { publishToHomes, publishToLists } from '../../core/stream-topics.ts'
import {
  isReplyWanted,
  isReplyWantedInList,
  matchesFollowOptions,
  isActiveUser,
  isNotBlockedOrMuted,
  STORED_ATTRIBUTES,
  STATUSES_WITH_ATTRIBUTES,
} from '../../access/feed-eligibility.ts'
import type { StatusAttributes } from '../../access/feed-eligibility.ts'
import { findFeedsContaining, HOME_FEED, LIST_FEED, isAmongNewestEntries } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'

/** The maximum number of followers or list memberships that one statement processes. */
const BATCH_SIZE = 2_000

interface FannedOutStatus {
  id: string
  account_id: string
  original_id: string
  is_reblog: boolean
  language: string | null
  is_own_thread: boolean
  is_restored: boolean
  replied_to_id: string | null
  direct_recipient_ids: string[] | null
  involved_ids: string[]
  author_ids: string[]
  domains: string[]
  /** Whether the author is on any list, and on an exclusive one, which excludes its members from the home feed. */
  is_listed: boolean
  is_excluded: boolean
  /** The followed hashtags of a public status. */
  followed_tag_ids: string[]
}

const loadStatus = statement<{ params: { reblogId: string }; row: FannedOutStatus }>(
  `select s.id, s.account_id, coalesce(s.reblog_of_id, s.id) as original_id, ${STORED_ATTRIBUTES.isReblog} as is_reblog,
     ${STORED_ATTRIBUTES.language} as language, ${STORED_ATTRIBUTES.isOwnThread} as is_own_thread, ${STORED_ATTRIBUTES.repliedToId} as replied_to_id,
     involved.*, s.restored_at is not null as is_restored,
     exists (select from list_accounts la where la.account_id = s.account_id) as is_listed,
     exists (select from list_accounts la join lists l on l.id = la.list_id
       where la.account_id = s.account_id and l.exclusive) as is_excluded,
     array(select st.tag_id from status_tags st
       where st.status_id = s.id and s.visibility = 'public' and s.reblog_of_id is null
         and exists (select from tag_follows t where t.tag_id = st.tag_id offset 0)
         and not exists (select from accounts a where a.id = s.account_id and a.silenced_at is not null)
     ) as followed_tag_ids
   from ${STATUSES_WITH_ATTRIBUTES} where s.id = $reblogId and s.deleted_at is null`,
)

const ATTRIBUTES: StatusAttributes = {
  isReblog: '$isReblog',
  language: '$language',
  isOwnThread: '$isOwnThread',
  repliedToId: '$repliedToId',
  directRecipientIds: '$directRecipientIds',
  involvedIds: '$involvedIds',
  authorIds: '$authorIds',
  domains: '$domains',
}

interface FanOutBatch {
  last: string | null
  size: number
  /** The feeds that contain the status now, also those from an earlier run, which may not have published it. */
  feed_ids: string[] | null
}

// One lock for all entries of the status: a concurrent deletion waits, and then deletes these entries too.
const LOCKED_STATUS = 'locked as (select id from statuses where id = $statusId and deleted_at is null for key share)'

/** SQL for the users who have the author on an exclusive list. */
const excludedReaders = (isExcluded: string) => `excluded_readers as (
  select l.account_id from list_accounts la join lists l on l.id = la.list_id
  where ${isExcluded}::boolean and la.account_id = $accountId and l.exclusive)`

const isMissingFrom = (feed: string) =>
  `not exists (select from unnest($feedIds::bigint[]) containing (id) where containing.id = ${feed})`

const BATCH_RESULT = `select (select max(cursor) from batch) as last, (select count(*)::int from batch) as size,
  (select array_agg(readers.id::text) from readers, locked) as feed_ids`

interface FanOutParameters {
  statusId: string
  accountId: string
  originalId: string
  isReblog: boolean
  language: string | null
  isOwnThread: boolean
  repliedToId: string | null
  directRecipientIds: readonly string[] | null
  involvedIds: readonly string[]
  authorIds: readonly string[]
  domains: readonly string[]
  feedIds: readonly string[]
  cursor: string
  limit: number
}

// The first batch also adds the status to the author's own feed.
const homeFanOut = (condition: (feed: string) => string) =>
  statement<{ params: FanOutParameters & { isExcluded: boolean }; row: FanOutBatch }>(
    `with ${LOCKED_STATUS}, ${excludedReaders('$isExcluded')}, batch as (
       select f.id as cursor, f.account_id, f.show_reblogs, f.languages from follows f
       where f.target_account_id = $accountId and f.id > $cursor::bigint order by f.id limit $limit
     ), readers as (
       select c.account_id as id from batch c join users u on u.account_id = c.account_id
       where ${isActiveUser()} and ${matchesFollowOptions('c', ATTRIBUTES)} and ${isReplyWanted('c.account_id', ATTRIBUTES)}
         and ${isNotBlockedOrMuted('c.account_id', ATTRIBUTES)} and ${isMissingFrom('c.account_id')} ${condition('c.account_id')}
         and not exists (select from excluded_readers k where k.account_id = c.account_id)
       union all
       select u.account_id from users u
       where u.account_id = $accountId and $cursor::bigint = 0 and ${isMissingFrom('u.account_id')} ${condition('u.account_id')}
     ), added as (
       insert into feed_entries (account_id, status_id, original_id)
       select readers.id, locked.id, $originalId from readers, locked on conflict do nothing
     )
     ${BATCH_RESULT}`,
  )

const listFanOut = (condition: string) =>
  statement<{ params: FanOutParameters; row: FanOutBatch }>(
    `with ${LOCKED_STATUS}, batch as (
       select la.id as cursor, la.follow_id, l.id, l.account_id, l.replies_policy
       from list_accounts la join lists l on l.id = la.list_id
       where la.account_id = $accountId and la.id > $cursor::bigint order by la.id limit $limit
     ), readers as (
       select c.id from batch c join users u on u.account_id = c.account_id join follows f on f.id = c.follow_id
       where ${isActiveUser()} and ${matchesFollowOptions('f', ATTRIBUTES)} and ${isReplyWantedInList('c', ATTRIBUTES)}
         and ${isNotBlockedOrMuted('c.account_id', ATTRIBUTES)} and ${isMissingFrom('c.id')} ${condition}
       union all
       select c.id from batch c join users u on u.account_id = c.account_id
       where c.account_id = $accountId and ${isReplyWantedInList('c', ATTRIBUTES)} and ${isMissingFrom('c.id')} ${condition}
     ), added as (
       insert into list_entries (list_id, status_id, original_id)
       select readers.id, locked.id, $originalId from readers, locked on conflict do nothing
     )
     ${BATCH_RESULT}`,
  )

// `byFeedIds` leaves out the feeds that $feedIds lists; `byEntries` checks the newest entries of each feed.
const FAN_OUTS = {
  feed_entries: {
    byFeedIds: homeFanOut(() => ''),
    byEntries: homeFanOut(
      (feed) => `and not ${isAmongNewestEntries(HOME_FEED, { feed, original: '$originalId', reblog: '$statusId' })}`,
    ),
  },
  list_entries: {
    byFeedIds: listFanOut(''),
    byEntries: listFanOut(
      `and not ${isAmongNewestEntries(LIST_FEED, { feed: 'c.id', original: '$originalId', reblog: '$statusId' })}`,
    ),
  },
}

const TAG_ATTRIBUTES = {
  directRecipientIds: 'null',
  involvedIds: '$involvedIds',
  authorIds: '$authorIds',
  domains: '$domains',
}
const fanOutToTagFollowers = statement<{
  params: {
    statusId: string
    accountId: string
    involvedIds: readonly string[]
    authorIds: readonly string[]
    domains: readonly string[]
    tagId: string
    cursor: string
    limit: number
    isExcluded: boolean
  }
  row: FanOutBatch
}>(
  `with ${LOCKED_STATUS}, ${excludedReaders('$isExcluded')}, batch as (
     select t.id as cursor, t.account_id from tag_follows t
     where t.tag_id = $tagId and t.id > $cursor::bigint order by t.id limit $limit
   ), readers as (
     select c.account_id as id from batch c join users u on u.account_id = c.account_id
     where ${isActiveUser()} and c.account_id <> $accountId and ${isNotBlockedOrMuted('c.account_id', TAG_ATTRIBUTES)}
       and not exists (select from excluded_readers k where k.account_id = c.account_id)
   ), added as (
     insert into feed_entries (account_id, status_id, original_id)
     select readers.id, locked.id, locked.id from readers, locked on conflict do nothing
   )
   ${BATCH_RESULT}`,
)

/**
 * Effect: adds a status to the home feeds of its author, of the author's followers and of the followers of its
 * hashtags, and to the feeds of lists with the author, and publishes it to their streams unless staff restored it. Can
 * be repeated: entries are unique, and a stream sends a status only once.
 */
export async function fanOutStatus(ctx: Ctx, payload: { statusId: string; reblogId?: string }): Promise<void> {
  const [status] = await loadStatus(ctx.db, { reblogId: payload.reblogId ?? payload.statusId })
  if (!status) return
  const publish = async (accountIds: string[]) => {
    if (!status.is_restored) await publishToHomes(ctx.bus, { event: 'update', statusId: status.id, accountIds })
  }
  // A reply to an unknown status lacks its context, so only the author's feed gets it.
  const isThreadKnown = status.is_own_thread || status.replied_to_id !== null
  const home = await chooseFanOut(ctx, { kind: HOME_FEED, variants: FAN_OUTS.feed_entries, status })
  await inBatches(ctx, {
    write: (tx, cursor) =>
      home.fanOut(tx.db, {
        ...parametersOf(status),
        feedIds: home.containingFeedIds,
        cursor,
        limit: isThreadKnown ? BATCH_SIZE : 0,
        isExcluded: status.is_excluded,
      }),
    onReached: publish,
  })
  for (const tagId of status.followed_tag_ids) {
    const { id, account_id, involved_ids, author_ids, domains } = status
    await inBatches(ctx, {
      write: (tx, cursor) =>
        fanOutToTagFollowers(tx.db, {
          statusId: id,
          accountId: account_id,
          involvedIds: involved_ids,
          authorIds: author_ids,
          domains,
          tagId,
          cursor,
          limit: BATCH_SIZE,
          isExcluded: status.is_excluded,
        }),
      onReached: publish,
    })
  }
  // Direct messages are not shown in lists.
  if (status.is_listed && isThreadKnown && status.direct_recipient_ids === null) {
    const lists = await chooseFanOut(ctx, { kind: LIST_FEED, variants: FAN_OUTS.list_entries, status })
    await inBatches(ctx, {
      write: (tx, cursor) =>
        lists.fanOut(tx.db, {
          ...parametersOf(status),
          feedIds: lists.containingFeedIds,
          cursor,
          limit: BATCH_SIZE,
        }),
      onReached: async (listIds) => status.is_restored || publishToLists(ctx.bus, { statusId: status.id, listIds }),
    })
  }
}

function parametersOf(status: FannedOutStatus): Omit<FanOutParameters, 'feedIds' | 'cursor' | 'limit'> {
  const { id, account_id, original_id, is_reblog, language, is_own_thread, replied_to_id } = status
  const { direct_recipient_ids, involved_ids, author_ids, domains } = status
  return {
    statusId: id,
    accountId: account_id,
    originalId: original_id,
    isReblog: is_reblog,
    language,
    isOwnThread: is_own_thread,
    repliedToId: replied_to_id,
    directRecipientIds: direct_recipient_ids,
    involvedIds: involved_ids,
    authorIds: author_ids,
    domains,
  }
}

/**
 * Returns the statement for a status, and the feeds in which a reblog would repeat its original if they can be listed.
 */
async function chooseFanOut<FanOut>(
  ctx: Ctx,
  {
    kind,
    variants: { byFeedIds, byEntries },
    status,
  }: { kind: FeedKind; variants: { byFeedIds: FanOut; byEntries: FanOut }; status: FannedOutStatus },
): Promise<{ fanOut: FanOut; containingFeedIds: string[] }> {
  if (!status.is_reblog) return { fanOut: byFeedIds, containingFeedIds: [] }
  const found = await findFeedsContaining(ctx, { kind, originalId: status.original_id, reblogId: status.id })
  return { fanOut: found === null ? byEntries : byFeedIds, containingFeedIds: found ?? [] }
}

async function inBatches(
  ctx: Ctx,
  steps: { write: (tx: Tx, cursor: string) => Promise<FanOutBatch[]>; onReached: (ids: string[]) => Promise<unknown> },
): Promise<void> {
  let cursor: string | null = '0'
  while (cursor !== null) {
    const after: string = cursor
    const [batch] = await ctx.write((tx) => steps.write(tx, after))
    if (!batch) return
    if (batch.feed_ids) await steps.onReached(batch.feed_ids)
    cursor = batch.size === BATCH_SIZE ? batch.last : null
  }
}
