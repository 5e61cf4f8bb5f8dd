import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import {
  isExcludedByList,
  matchesFollowOptions,
  isActiveUser,
  isNotBlockedOrMuted,
  STORED_ATTRIBUTES,
  STATUSES_WITH_ATTRIBUTES,
} from '../../access/feed-eligibility.ts'

/** The number of followers or list memberships that one statement processes. */
const BATCH_SIZE = 2_000

/** The number of other reblogs of a status, oldest first, that can replace the removed one. */
const MAX_OTHER_REBLOGS = 20

interface ReplacementBatch {
  last: string | null
  size: number
}

// The other reblogs of $statusId, after $accountId has removed its reblog.
const OTHER_REBLOGS = `others as materialized (
  select s.id, s.account_id, ${STORED_ATTRIBUTES.language} as language, involved.* from ${STATUSES_WITH_ATTRIBUTES}
  where s.reblog_of_id = $statusId and s.deleted_at is null order by s.id limit ${MAX_OTHER_REBLOGS})`
const REBLOG_ATTRIBUTES = {
  isReblog: 'true',
  language: 'reblog.language',
  directRecipientIds: 'reblog.direct_recipient_ids',
  involvedIds: 'reblog.involved_ids',
  authorIds: 'reblog.author_ids',
  domains: 'reblog.domains',
}
const LOCKED_REBLOGS = `locked as (
  select id from statuses where id = any(array(select reblog_id from replacements)) and deleted_at is null
  for key share)`
const BATCH_RESULT = 'select max(cursor) as last, count(*)::int as size from batch'

// Feeds that still contain the status or a reblog of it get no replacement.
const replaceInHomes = statement<{
  params: { accountId: string; statusId: string; after: string; limit: number }
  row: ReplacementBatch
}>(
  `with ${OTHER_REBLOGS}, batch as (
     select f.id as cursor, f.account_id from follows f
     where f.target_account_id = $accountId and f.id > $after::bigint order by f.id limit $limit
   ), readers as (
     select account_id from batch union all select $accountId where $after::bigint = 0
   ), replacements as (
     select distinct on (r.account_id) r.account_id, reblog.id as reblog_id
     from readers r join users u on u.account_id = r.account_id cross join others reblog
       left join follows f on f.account_id = r.account_id and f.target_account_id = reblog.account_id
     where ${isActiveUser()} and u.aggregate_reblogs
       and (reblog.account_id = r.account_id
         or (f.id is not null and ${matchesFollowOptions('f', REBLOG_ATTRIBUTES)} and ${isNotBlockedOrMuted('r.account_id', REBLOG_ATTRIBUTES)}
           and not ${isExcludedByList('r.account_id', 'reblog.account_id')}))
       and not exists (
         select from feed_entries e where e.account_id = r.account_id and e.original_id = $statusId offset 0)
     order by r.account_id, reblog.id
   ), ${LOCKED_REBLOGS}, added as (
     insert into feed_entries (account_id, status_id, original_id)
     select replacements.account_id, locked.id, $statusId
     from replacements join locked on locked.id = replacements.reblog_id on conflict do nothing
   )
   ${BATCH_RESULT}`,
)
const replaceInLists = statement<{
  params: { accountId: string; statusId: string; after: string; limit: number }
  row: ReplacementBatch
}>(
  `with ${OTHER_REBLOGS}, batch as (
     select la.id as cursor, l.id, l.account_id from list_accounts la join lists l on l.id = la.list_id
     where la.account_id = $accountId and la.id > $after::bigint order by la.id limit $limit
   ), replacements as (
     select distinct on (c.id) c.id, reblog.id as reblog_id
     from batch c join users u on u.account_id = c.account_id join list_accounts m on m.list_id = c.id
       join others reblog on reblog.account_id = m.account_id left join follows f on f.id = m.follow_id
     where ${isActiveUser()} and u.aggregate_reblogs
       and (reblog.account_id = c.account_id
         or (f.id is not null and ${matchesFollowOptions('f', REBLOG_ATTRIBUTES)} and ${isNotBlockedOrMuted('c.account_id', REBLOG_ATTRIBUTES)}))
       and not exists (select from list_entries e where e.list_id = c.id and e.original_id = $statusId offset 0)
     order by c.id, reblog.id
   ), ${LOCKED_REBLOGS}, added as (
     insert into list_entries (list_id, status_id, original_id)
     select replacements.id, locked.id, $statusId
     from replacements join locked on locked.id = replacements.reblog_id on conflict do nothing
   )
   ${BATCH_RESULT}`,
)

/**
 * Effect: after an account has removed its reblog of a status, adds another reblog of it to the feeds of the account's
 * followers: the oldest by the follower or an account that the follower follows, or by a member of the list.
 */
export async function replaceReblog(
  ctx: Ctx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  for (const replace of [replaceInHomes, replaceInLists]) {
    let cursor: string | null = '0'
    while (cursor !== null) {
      const after: string = cursor
      const [batch] = await ctx.write((tx) => replace(tx.db, { accountId, statusId, after, limit: BATCH_SIZE }))
      cursor = batch && batch.size === BATCH_SIZE ? batch.last : null
    }
  }
}
