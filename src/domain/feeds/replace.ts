import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { isKeptOut, isOnTerms, isSeenLately, isWelcome, STORED, STORED_STATUSES } from './belongs.ts'

/** People, or lists, that are looked at in one statement. */
const CHUNK = 2_000

/** Of the other boosts of a status so many are looked at, the oldest. */
const OTHERS = 20

interface Chunk {
  last: string | null
  size: number
}

// $accountId who took a boost back, $statusId what was boosted, $after cursor, $limit chunk
const OTHER_BOOSTS = `others as materialized (
  select s.id, s.account_id, ${STORED.language} as language, involved.* from ${STORED_STATUSES}
  where s.reblog_of_id = $statusId and s.deleted_at is null order by s.id limit ${OTHERS})`
const BOOST = {
  isBoost: 'true',
  language: 'boost.language',
  named: 'boost.named',
  people: 'boost.people',
  authors: 'boost.authors',
  domains: 'boost.domains',
}
const HELD = `held as (
  select id from statuses where id = any(array(select boost_id from next)) and deleted_at is null for key share)`
const DONE = 'select max(cursor) as last, count(*)::int as size from chunk'

// Where the status is shown already, be it as a boost, nothing takes its place.
const replaceInHomes = statement<{
  params: { accountId: string; statusId: string; after: string; limit: number }
  row: Chunk
}>(
  `with ${OTHER_BOOSTS}, chunk as (
     select f.id as cursor, f.account_id from follows f
     where f.target_account_id = $accountId and f.id > $after::bigint order by f.id limit $limit
   ), readers as (
     select account_id from chunk union all select $accountId where $after::bigint = 0
   ), next as (
     select distinct on (r.account_id) r.account_id, boost.id as boost_id
     from readers r join users u on u.account_id = r.account_id cross join others boost
       left join follows f on f.account_id = r.account_id and f.target_account_id = boost.account_id
     where ${isSeenLately()} and u.aggregate_reblogs
       and (boost.account_id = r.account_id
         or (f.id is not null and ${isOnTerms('f', BOOST)} and ${isWelcome('r.account_id', BOOST)}
           and not ${isKeptOut('r.account_id', 'boost.account_id')}))
       and not exists (
         select from feed_entries e where e.account_id = r.account_id and e.original_id = $statusId offset 0)
     order by r.account_id, boost.id
   ), ${HELD}, added as (
     insert into feed_entries (account_id, status_id, original_id)
     select next.account_id, held.id, $statusId from next join held on held.id = next.boost_id on conflict do nothing
   )
   ${DONE}`,
)
const replaceInLists = statement<{
  params: { accountId: string; statusId: string; after: string; limit: number }
  row: Chunk
}>(
  `with ${OTHER_BOOSTS}, chunk as (
     select la.id as cursor, l.id, l.account_id from list_accounts la join lists l on l.id = la.list_id
     where la.account_id = $accountId and la.id > $after::bigint order by la.id limit $limit
   ), next as (
     select distinct on (c.id) c.id, boost.id as boost_id
     from chunk c join users u on u.account_id = c.account_id join list_accounts m on m.list_id = c.id
       join others boost on boost.account_id = m.account_id left join follows f on f.id = m.follow_id
     where ${isSeenLately()} and u.aggregate_reblogs
       and (boost.account_id = c.account_id
         or (f.id is not null and ${isOnTerms('f', BOOST)} and ${isWelcome('c.account_id', BOOST)}))
       and not exists (select from list_entries e where e.list_id = c.id and e.original_id = $statusId offset 0)
     order by c.id, boost.id
   ), ${HELD}, added as (
     insert into list_entries (list_id, status_id, original_id)
     select next.id, held.id, $statusId from next join held on held.id = next.boost_id on conflict do nothing
   )
   ${DONE}`,
)

/**
 * Effect: where a boost was shown that is taken back, another boost of the same status takes its place, the oldest of
 * the person or somebody whom they follow, or of who is on the list.
 */
export async function replaceBoost(
  ctx: Ctx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  for (const replace of [replaceInHomes, replaceInLists]) {
    let cursor: string | null = '0'
    while (cursor !== null) {
      const after: string = cursor
      const [chunk] = await ctx.write((tx) => replace(tx.db, { accountId, statusId, after, limit: CHUNK }))
      cursor = chunk && chunk.size === CHUNK ? chunk.last : null
    }
  }
}
