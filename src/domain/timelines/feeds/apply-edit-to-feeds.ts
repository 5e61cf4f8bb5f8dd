import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import {
  isExcludedByList,
  isNotBlockedOrMuted,
  isReplyEligible,
  isReplyEligibleInList,
  matchesFollowOptions,
  STATUSES_WITH_ATTRIBUTES,
} from '../../access/feed-eligibility.ts'
import { processInRounds } from '../../core/process-in-rounds.ts'
import { publishMessage } from '../../core/stream-topics.ts'
import { AUDIENCE_ATTRIBUTES, AUDIENCE_COLUMNS, FOLLOWED_TAG_IDS, isThreadKnown } from './audience.ts'
import { HOME_FEED, LIST_FEED } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'
import { fanOutEditedStatus } from './fan-out-statuses.ts'

/** The maximum number of entries that one statement checks. */
const ROUND_SIZE = 2_000

/** The maximum number of reblogs whose entries are checked together. */
const REBLOG_BATCH_SIZE = 500

// An existing entry of a reblog stays if the user has excluded reblogs since.
const ATTRIBUTES = { ...AUDIENCE_ATTRIBUTES, isReblog: 'false' }

interface CheckedEntries {
  position: number
  last: string | null
  size: number
}

/**
 * Returns the statement that deletes the entries of statuses `audience` that are not eligible any more. `reader`: SQL
 * for the owner of the feed of an `entry`. `isEligible`: SQL condition for another author than the owner.
 */
const removal = ({ key, table }: FeedKind, { reader, isEligible }: { reader: string; isEligible: string }) =>
  statement<{
    params: { statusIds: readonly string[]; cursors: readonly string[]; limit: number }
    row: CheckedEntries
  }>(
    `with audience as materialized (
       select given.position, given.cursor, s.visibility, ${FOLLOWED_TAG_IDS} as tag_ids, ${AUDIENCE_COLUMNS}
       from unnest($statusIds::bigint[], $cursors::bigint[]) with ordinality given (status_id, cursor, position),
         ${STATUSES_WITH_ATTRIBUTES}
       where s.id = given.status_id
     ), entry as materialized (
       select audience.position, e.${key} as feed_id from audience, lateral (
         select e.${key} from ${table} e where e.status_id = audience.id and e.${key} > audience.cursor
         order by e.status_id, e.${key} limit $limit) e
     ), ineligible as (
       select audience.id, entry.feed_id
       from entry join audience on audience.position = entry.position ${reader}
       where reader.account_id <> audience.account_id and not (${isEligible})
     ), removed as (
       delete from ${table} e using ineligible where e.${key} = ineligible.feed_id and e.status_id = ineligible.id
     )
     select position::int as position, max(feed_id) as last, count(*)::int as size from entry group by position`,
  )

const isOfFollow = `(${isThreadKnown(ATTRIBUTES)} and ${isReplyEligible('reader.account_id', ATTRIBUTES)} and exists (
  select from follows f where f.account_id = reader.account_id and f.target_account_id = audience.account_id
    and ${matchesFollowOptions('f', ATTRIBUTES)} offset 0))`
const isOfTag = `exists (
  select from tag_follows t where t.account_id = reader.account_id and t.tag_id = any(audience.tag_ids) offset 0)`
const removeFromHomes = removal(HOME_FEED, {
  reader: 'cross join lateral (select entry.feed_id as account_id) reader',
  isEligible: `${isNotBlockedOrMuted('reader.account_id', ATTRIBUTES)} and (${isOfFollow} or ${isOfTag})
    and not ${isExcludedByList('reader.account_id', 'audience.account_id')}`,
})
const removeFromLists = removal(LIST_FEED, {
  reader: 'join lists reader on reader.id = entry.feed_id',
  isEligible: `audience.visibility <> 'direct' and ${isThreadKnown(ATTRIBUTES)}
    and ${isNotBlockedOrMuted('reader.account_id', ATTRIBUTES)} and ${isReplyEligibleInList('reader', ATTRIBUTES)}
    and exists (
      select from list_accounts la join follows f on f.id = la.follow_id
      where la.list_id = reader.id and la.account_id = audience.account_id and ${matchesFollowOptions('f', ATTRIBUTES)})`,
})

// Locks for a moment, which waits for every statement that adds the former version to feeds.
const awaitFanOuts = statement<{ params: { statusId: string } }>(
  `select from statuses where id = $statusId and deleted_at is null for update`,
)
const findReblogs = statement<{ params: { statusId: string; after: string }; row: { id: string } }>(
  `select id from statuses where reblog_of_id = $statusId and deleted_at is null and id > $after::bigint
   order by id limit ${REBLOG_BATCH_SIZE}`,
)

/**
 * Effect: if an edit changed who gets a status, removes it and its reblogs from the home and list feeds of readers who
 * do not get the present version, and adds it to the feeds of those who do. Then publishes the edit to the streams, so
 * that these readers receive it as an edit. Reblogs are not added. Can be repeated.
 */
export async function applyEditToFeeds(
  ctx: Ctx,
  { statusId, audienceChanged }: { statusId: string; audienceChanged?: boolean },
): Promise<void> {
  if (audienceChanged) {
    await ctx.write((tx) => awaitFanOuts(tx.db, { statusId }))
    await removeEntries(ctx, [statusId])
    let reblogIds: string[] = []
    do {
      const after = reblogIds.at(-1) ?? '0'
      reblogIds = (await findReblogs(ctx.db, { statusId, after })).map(({ id }) => id)
      await removeEntries(ctx, reblogIds)
    } while (reblogIds.length === REBLOG_BATCH_SIZE)
    await fanOutEditedStatus(ctx, { statusId })
  }
  await publishMessage(ctx.bus, 'stream.edited', { statusId })
}

/** Removes statuses from the feeds of the readers who do not get them now. */
async function removeEntries(ctx: Ctx, statusIds: readonly string[]): Promise<void> {
  for (const remove of [removeFromHomes, removeFromLists]) {
    await processInRounds(statusIds, {
      roundSize: ROUND_SIZE,
      process: async (sets, limit) =>
        ctx.write((tx) =>
          remove(tx.db, {
            statusIds: sets.map(({ item }) => item),
            cursors: sets.map(({ cursor }) => cursor),
            limit,
          }),
        ),
    })
  }
}
