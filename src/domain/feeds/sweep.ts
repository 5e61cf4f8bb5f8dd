import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isOfDomain } from '../relationships/domain-blocking.ts'
import { isKeptOut } from './belongs.ts'

// What is swept out of a person's feeds is decided by what is between two people now, not by what was done: so it does
// not matter how often it is done, or in which order.

/** Whether the person `$accountId` does not want to meet `person.id`, or is not to meet them. */
const SHUNS = `(exists (select from blocks b where b.account_id = $accountId and b.target_account_id = person.id)
  or exists (select from mutes m where m.account_id = $accountId and m.target_account_id = person.id
    and (m.expires_at is null or m.expires_at > now())))`
const IS_SHUNNED = `exists (select from blocks b where b.account_id = person.id and b.target_account_id = $accountId)`
const FOLLOWS = `exists (select from follows f where f.account_id = $accountId and f.target_account_id = person.id)`

const PEOPLE = `people as materialized (
  select person.id, ${SHUNS} as shuns, ${IS_SHUNNED} as is_shunned, ${FOLLOWS} as follows,
    ${isKeptOut('$accountId', 'person.id')} as is_kept_out
  from unnest($personIds::bigint[]) person (id))`

/** Whether a status `s` has to do with `person` in a way that keeps it from who shuns them, or is shunned. */
const CONCERNS = `((person.shuns or person.is_shunned) and (s.account_id = person.id or o.account_id = person.id)
  or person.shuns and s.account_id <> $accountId and exists (
    select from mentions m where m.status_id = coalesce(o.id, s.id) and m.account_id = person.id and not m.silent))`

const sweepHome = statement<{ params: { accountId: string; personIds: readonly string[] } }>(
  `with ${PEOPLE}
   delete from feed_entries e using statuses s left join statuses o on o.id = s.reblog_of_id
   where e.account_id = $accountId and s.id = e.status_id and exists (
     select from people person where ${CONCERNS}
       or (s.account_id = person.id and person.id <> $accountId and (not person.follows or person.is_kept_out)))`,
)
const sweepLists = statement<{ params: { accountId: string; personIds: readonly string[] } }>(
  `with ${PEOPLE}
   delete from list_entries e using lists l, statuses s left join statuses o on o.id = s.reblog_of_id
   where l.account_id = $accountId and e.list_id = l.id and s.id = e.status_id and exists (
     select from people person where ${CONCERNS}
       or (s.account_id = person.id and not exists (
         select from list_accounts la
         where la.list_id = l.id and la.account_id = person.id and (la.follow_id is not null
           or person.id = $accountId))))`,
)

interface Sweep {
  /** Whose feeds. */
  accountId: string
  /** What has to do with whom. */
  personIds: readonly string[]
}

/**
 * Takes out of a person's home feed what these others wrote or boosted, if the person does not follow them or has them on
 * a list that keeps them out; and whatever has to do with those of them whom the person blocks or mutes, or who block
 * the person.
 */
export async function sweepFromHome(tx: Tx, { accountId, personIds }: Sweep): Promise<void> {
  await sweepHome(tx.db, { accountId, personIds })
}

/** The same for the person's lists: out of each of them goes what those wrote who are not on it. */
export async function sweepFromLists(tx: Tx, { accountId, personIds }: Sweep): Promise<void> {
  await sweepLists(tx.db, { accountId, personIds })
}

const blocked = `exists (select from account_domain_blocks d where d.account_id = $accountId and d.domain = $domain)`
const concerned = `(${isOfDomain('s.account_id', '$domain')} or ${isOfDomain('o.account_id', '$domain')})`
const sweepHomeOfDomain = statement<{ params: { accountId: string; domain: string } }>(
  `delete from feed_entries e using statuses s left join statuses o on o.id = s.reblog_of_id
   where e.account_id = $accountId and s.id = e.status_id and ${blocked} and ${concerned}`,
)
const sweepListsOfDomain = statement<{ params: { accountId: string; domain: string } }>(
  `delete from list_entries e using lists l, statuses s left join statuses o on o.id = s.reblog_of_id
   where l.account_id = $accountId and e.list_id = l.id and s.id = e.status_id and ${blocked} and ${concerned}`,
)

/** Takes out of all of a person's feeds what is of a domain that they block, or boosted from there. */
export async function sweepDomain(tx: Tx, { accountId, domain }: { accountId: string; domain: string }): Promise<void> {
  await sweepHomeOfDomain(tx.db, { accountId, domain })
  await sweepListsOfDomain(tx.db, { accountId, domain })
}

const sweepHomeOfTag = statement<{ params: { accountId: string; tagId: string } }>(
  `delete from feed_entries e using statuses s, status_tags st
   where e.account_id = $accountId and s.id = e.status_id and st.status_id = s.id and st.tag_id = $tagId
     and s.account_id <> $accountId
     and not exists (select from follows f where f.account_id = $accountId and f.target_account_id = s.account_id)
     and not exists (
       select from status_tags other join tag_follows t on t.tag_id = other.tag_id and t.account_id = $accountId
       where other.status_id = s.id)`,
)

/** Takes out of a person's home feed what has this hashtag, if they follow neither its author nor a hashtag of it. */
export async function sweepTag(tx: Tx, { accountId, tagId }: { accountId: string; tagId: string }): Promise<void> {
  await sweepHomeOfTag(tx.db, { accountId, tagId })
}
