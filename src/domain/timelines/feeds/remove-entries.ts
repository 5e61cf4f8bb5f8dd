import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { domainsOfAccount } from '../../access/user-domain-blocks.ts'
import { isExcludedByList } from '../../access/feed-eligibility.ts'

// The present relationships decide which entries are removed, not the action that caused the removal. So the removals
// can be repeated and run in any order.

/** SQL conditions for the relationships between the owner $accountId of the feeds and an `author`. */
const BLOCKS_OR_MUTES = `(exists (select from blocks b where b.account_id = $accountId and b.target_account_id = author.id)
  or exists (select from mutes m where m.account_id = $accountId and m.target_account_id = author.id
    and (m.expires_at is null or m.expires_at > now())))`
const IS_BLOCKED_BY = `exists (select from blocks b where b.account_id = author.id and b.target_account_id = $accountId)`
const FOLLOWS = `exists (select from follows f where f.account_id = $accountId and f.target_account_id = author.id)`

const AUTHORS = `authors as materialized (
  select author.id, ${BLOCKS_OR_MUTES} as is_hidden, ${IS_BLOCKED_BY} as is_blocked_by, ${FOLLOWS} as follows,
    ${isExcludedByList('$accountId', 'author.id')} as is_excluded
  from unnest($accountIds::bigint[]) author (id))`

const HIDDEN = '(select id from authors where is_hidden or is_blocked_by)'

/**
 * SQL condition: the status `s` or its original `o` is by one of the authors, and one account blocks the other or the
 * owner mutes the author; or the status mentions an author that the owner blocks or mutes. PostgreSQL looks each status
 * up in hashed sets of authors, because there may be hundreds of authors and forty thousand entries.
 */
const INVOLVES_HIDDEN_AUTHOR = `(s.account_id in ${HIDDEN} or o.account_id in ${HIDDEN}
  or s.account_id <> $accountId and exists (select from authors where is_hidden) and exists (
    select from mentions m where m.status_id = coalesce(o.id, s.id) and not m.silent
      and m.account_id in (select id from authors where is_hidden)))`

const removeFromHome = statement<{ params: { accountId: string; accountIds: readonly string[] } }>(
  `with ${AUTHORS}
   delete from feed_entries e using statuses s left join statuses o on o.id = s.reblog_of_id
   where e.account_id = $accountId and s.id = e.status_id and (${INVOLVES_HIDDEN_AUTHOR}
     or s.account_id in (select id from authors where id <> $accountId and (not follows or is_excluded)))`,
)
const removeFromLists = statement<{ params: { accountId: string; accountIds: readonly string[] } }>(
  `with ${AUTHORS}
   delete from list_entries e using lists l, statuses s left join statuses o on o.id = s.reblog_of_id
   where l.account_id = $accountId and e.list_id = l.id and s.id = e.status_id and (${INVOLVES_HIDDEN_AUTHOR}
     or (s.account_id in (select id from authors) and not exists (
       select from list_accounts la
       where la.list_id = l.id and la.account_id = s.account_id and (la.follow_id is not null
         or s.account_id = $accountId))))`,
)

interface EntryRemoval {
  /** The owner of the feeds. */
  accountId: string
  /** The accounts whose statuses are removed. */
  authorIds: readonly string[]
}

/**
 * Removes from a user's home feed the statuses and reblogs of those authors that the user does not follow or has on an
 * exclusive list, and every status that involves an author whom the user blocks or mutes, or who blocks the user.
 */
export async function removeHomeEntries(tx: Tx, { accountId, authorIds }: EntryRemoval): Promise<void> {
  await removeFromHome(tx.db, { accountId, accountIds: authorIds })
}

/** Does the same for the feeds of the user's lists; removes from each the statuses of authors who are not members. */
export async function removeListEntries(tx: Tx, { accountId, authorIds }: EntryRemoval): Promise<void> {
  await removeFromLists(tx.db, { accountId, accountIds: authorIds })
}

/**
 * Returns a statement that deletes the entries by authors of domains that the user blocks. It reads the entries once for
 * all domains, and each author once. `entries`: SQL for the entries of the user's feeds, with the column `feed`.
 */
const removingDomains = ({ table, key, entries }: { table: string; key: string; entries: string }) =>
  statement<{ params: { accountId: string; domains: readonly string[] } }>(
    `with blocked as (
       select array(select d.domain from unnest($domains::text[]) named (domain)
         join account_domain_blocks d on d.account_id = $accountId and d.domain = named.domain) as domains
     ), entry as materialized (
       select e.feed, e.status_id, s.account_id, o.account_id as reblogged_id
       from blocked cross join lateral (${entries}) e
         join statuses s on s.id = e.status_id left join statuses o on o.id = s.reblog_of_id
       where blocked.domains <> '{}'
     ), author as materialized (
       select a.id from (select account_id as id from entry union select reblogged_id from entry) involved
         cross join blocked cross join lateral (
           select a.id from accounts a where a.id = involved.id and a.domain is not null
             and ${domainsOfAccount('a')} && blocked.domains offset 0) a
     )
     delete from ${table} e using entry
     where e.${key} = entry.feed and e.status_id = entry.status_id
       and (entry.account_id in (select id from author) or entry.reblogged_id in (select id from author))`,
  )
const removeDomainsFromHome = removingDomains({
  table: 'feed_entries',
  key: 'account_id',
  entries: `select e.account_id as feed, e.status_id from feed_entries e where e.account_id = $accountId`,
})
const removeDomainsFromLists = removingDomains({
  table: 'list_entries',
  key: 'list_id',
  entries: `select e.list_id as feed, e.status_id from lists l join list_entries e on e.list_id = l.id
    where l.account_id = $accountId`,
})

/** Removes from all feeds of a user the statuses of domains that the user blocks, and reblogs of them. */
export async function removeDomainEntries(
  tx: Tx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  await removeDomainsFromHome(tx.db, { accountId, domains })
  await removeDomainsFromLists(tx.db, { accountId, domains })
}

const removeTagFromHome = statement<{ params: { accountId: string; tagId: string } }>(
  `delete from feed_entries e using statuses s, status_tags st
   where e.account_id = $accountId and s.id = e.status_id and st.status_id = s.id and st.tag_id = $tagId
     and s.account_id <> $accountId
     and not exists (select from follows f where f.account_id = $accountId and f.target_account_id = s.account_id)
     and not exists (
       select from status_tags other join tag_follows t on t.tag_id = other.tag_id and t.account_id = $accountId
       where other.status_id = s.id)`,
)

/**
 * Removes from a user's home feed the statuses with this hashtag, unless the user follows their author or another
 * hashtag.
 */
export async function removeTagEntries(
  tx: Tx,
  { accountId, tagId }: { accountId: string; tagId: string },
): Promise<void> {
  await removeTagFromHome(tx.db, { accountId, tagId })
}
