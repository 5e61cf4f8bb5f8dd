import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isInTalk, isInTalkOfList, isKeptOut, isOnTerms, isWelcome, STORED, STORED_STATUSES } from './belongs.ts'
import { FEED_LENGTH } from './standing.ts'

/**
 * So many statuses of all people together are looked at, the newest: several times what a feed keeps, as some of them do
 * not belong into it.
 */
const NEARBY = 5 * FEED_LENGTH

/** The newest statuses of each of some people `who`, all together the newest of these. */
const nearby = (who: string, limit: string) => `
  select who.*, newest.id as status_id from ${who} who, lateral (
    select s.id from statuses s where s.account_id = who.person_id and s.deleted_at is null
    order by s.id desc limit ${limit}) newest
  order by newest.id desc limit ${NEARBY}`

/** Of several boosts of one status the first is taken, and none where the status is there; people may want them all. */
const once = (table: string, key: string, feed: string) => `(not fitting.aggregate_reblogs or (fitting.place = 1
  and not exists (select from ${table} e where e.${key} = ${feed} and e.original_id = fitting.original_id)))`

// Without authors: the statuses of all followed accounts, and the account's own.
// Entries are written by somebody who holds their statuses, so none is left when one of these is deleted.
const gatherHome = statement<{ params: { accountId: string; personIds: readonly string[] | null; perPerson: number } }>(
  `with reader as (
     select account_id, aggregate_reblogs from users where account_id = $accountId and feeds <> 'dropped'
   ), who as (
     select f.target_account_id as person_id, f.show_reblogs, f.languages, reader.aggregate_reblogs
     from reader join follows f on f.account_id = reader.account_id
     where ($personIds::bigint[] is null or f.target_account_id = any($personIds))
       and not ${isKeptOut('$accountId', 'f.target_account_id')}
     union all select account_id, true, null, aggregate_reblogs from reader where $personIds::bigint[] is null
   ), nearby as materialized (${nearby('who', '$perPerson::integer')}
   ), fitting as (
     select s.id, coalesce(s.reblog_of_id, s.id) as original_id, n.aggregate_reblogs,
       row_number() over (partition by coalesce(s.reblog_of_id, s.id) order by s.id) as place
     from nearby n, ${STORED_STATUSES}
     where s.id = n.status_id and (s.account_id = $accountId
       or (${isOnTerms('n', STORED)} and ${isInTalk('$accountId', STORED)} and ${isWelcome('$accountId', STORED)}))
   ), held as (
     select s.id, fitting.original_id from fitting join statuses s on s.id = fitting.id
     where ${once('feed_entries', 'account_id', '$accountId')}
       order by s.id desc limit ${FEED_LENGTH} for key share of s
   )
   insert into feed_entries (account_id, status_id, original_id)
   select $accountId, id, original_id from held order by id on conflict do nothing`,
)

// Without authors: the statuses of all list members. Without a list: into all lists of the account.
const gatherLists = statement<{
  params: { accountId: string; personIds: readonly string[] | null; perPerson: number; listId: string | null }
}>(
  `insert into list_entries (list_id, status_id, original_id)
   select l.id, held.id, held.original_id
   from users u join lists l on l.account_id = u.account_id, lateral (
     with who as (
       select la.account_id as person_id, f.show_reblogs, f.languages
       from list_accounts la left join follows f on f.id = la.follow_id
       where la.list_id = l.id and ($personIds::bigint[] is null or la.account_id = any($personIds))
         and (f.id is not null or la.account_id = l.account_id)
     ), nearby as materialized (${nearby('who', '$perPerson::integer')}
     ), fitting as (
       select s.id, coalesce(s.reblog_of_id, s.id) as original_id, u.aggregate_reblogs,
         row_number() over (partition by coalesce(s.reblog_of_id, s.id) order by s.id) as place
       from nearby n, ${STORED_STATUSES}
       where s.id = n.status_id and s.visibility <> 'direct'
         and (s.account_id = l.account_id or (${isOnTerms('n', STORED)} and ${isWelcome('l.account_id', STORED)}))
         and ${isInTalkOfList('l', STORED)}
     )
     select s.id, fitting.original_id from fitting join statuses s on s.id = fitting.id
     where ${once('list_entries', 'list_id', 'l.id')} order by s.id desc limit ${FEED_LENGTH} for key share of s
   ) held
   where u.account_id = $accountId and u.feeds <> 'dropped' and ($listId::bigint is null or l.id = $listId)
   order by l.id, held.id on conflict do nothing`,
)

interface Gathering {
  /** Whose feeds. */
  accountId: string
  /** Whose statuses; left out: those of everybody. */
  personIds?: readonly string[]
  /** So many of each of them, the newest. */
  perPerson: number
}

/** Brings into a person's home feed what belongs there now and is not there. */
export async function gatherIntoHome(tx: Tx, { accountId, personIds, perPerson }: Gathering): Promise<void> {
  await gatherHome(tx.db, { accountId, personIds: personIds ?? null, perPerson })
}

/** Brings into a person's lists, or into one of them, what belongs there now and is not there. */
export async function gatherIntoLists(
  tx: Tx,
  { accountId, personIds, perPerson, listId }: Gathering & { listId?: string },
): Promise<void> {
  await gatherLists(tx.db, { accountId, personIds: personIds ?? null, perPerson, listId: listId ?? null })
}
