import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { isActiveUser } from '../../access/feed-eligibility.ts'
import { FEED_LENGTH, HOME_FEED, LIST_FEED } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'

/** The users whose feeds one transaction empties. */
const BATCH_SIZE = 50

/** The feeds of one user, of users who were active lately, or of all users. */
type FeedOwners = { accountId: string } | 'active' | 'all'

interface Selection {
  accountId: string | null
  onlyActive: boolean
  skipFilled: boolean
}

/** SQL condition: a feed has at most half of the entries that it can have, or filled feeds are not skipped. */
const isSelected = ({ table, key }: FeedKind, feed: string) => `(not $skipFilled or (select count(*) from (
    select from ${table} e where e.${key} = ${feed} limit ${FEED_LENGTH / 2} + 1) entries) <= ${FEED_LENGTH / 2})`

const SELECTED = `($accountId::bigint is null or u.account_id = $accountId) and (not $onlyActive or ${isActiveUser()})
  and (${isSelected(HOME_FEED, 'u.account_id')}
    or exists (select from lists l where l.account_id = u.account_id and ${isSelected(LIST_FEED, 'l.id')}))`

const count = statement<{ params: Selection; row: { users: number } }>(
  `select count(*)::integer as users from users u where ${SELECTED}`,
)
// Pruned feeds accept no entries, so none is added between the deletion and the rebuild.
const emptyFeeds = statement<{
  params: Selection & { after: string; limit: number; state: 'pruned' | 'rebuild_requested' }
  row: { id: string; account_id: string }
}>(
  `with selected as (
     select id from users u where u.id > $after and ${SELECTED} order by id limit $limit for no key update
   ), emptied as (
     update users u set feed_state = $state from selected where u.id = selected.id returning u.id, u.account_id
   ), home_entries as (
     delete from feed_entries where account_id = any(array(
       select account_id from emptied where ${isSelected(HOME_FEED, 'emptied.account_id')}))
   ), entries_of_lists as (
     delete from list_entries where list_id = any(array(
       select l.id from lists l where l.account_id = any(array(select account_id from emptied))
         and ${isSelected(LIST_FEED, 'l.id')}))
   )
   select id, account_id from emptied order by id`,
)

const findUsername = statement<{ params: { accountId: string }; row: { username: string } }>(
  `select username from accounts where id = $accountId`,
)

/** What `resetFeeds` does, and with which feeds. */
interface FeedReset {
  owners: FeedOwners
  /** Jobs rebuild the feeds; otherwise they are rebuilt when their owner reads them. */
  rebuild: boolean
  /** Feeds that are more than half full keep their entries, and users who have only such feeds are left out. */
  skipFilled: boolean
}

/**
 * Empties the home and list feeds of users for an administrator on the command line, and requests their rebuild. Returns
 * the number of users; with `dryRun`, only counts them. `onProgress`: called with the part that is done, from 0 to 1.
 */
export async function resetFeeds(
  ctx: Ctx,
  { dryRun, onProgress, ...reset }: FeedReset & { dryRun: boolean; onProgress: (done: number) => void },
): Promise<number> {
  const total = await countOwners(ctx, reset)
  if (dryRun) return total
  await ctx.write((tx) => record(tx, reset))
  let [users, after] = [0, '0']
  for (;;) {
    const from = after
    const batch = await ctx.write((tx) => resetBatch(tx, { ...reset, after: from }))
    users += batch.users
    after = batch.last
    if (batch.users < BATCH_SIZE) return users
    onProgress(Math.min(1, users / total))
  }
}

async function countOwners(read: Read, { owners, skipFilled }: FeedReset): Promise<number> {
  const [row] = await count(read.db, { ...selectionOf(owners), skipFilled })
  return row!.users
}

async function record(tx: Tx, { owners, rebuild }: FeedReset): Promise<void> {
  const accountId = typeof owners === 'string' ? null : owners.accountId
  const [account] = accountId === null ? [] : await findUsername(tx.db, { accountId })
  await recordAuditEntry(tx, {
    by: null,
    action: rebuild ? 'rebuild_feeds' : 'clear_feeds',
    targetType: 'account',
    targetId: accountId,
    label: account?.username ?? 'local accounts',
  })
}

/** Empties the feeds of a batch of users, after a user id. Returns the number of users and the last id. */
async function resetBatch(
  tx: Tx,
  { owners, rebuild, skipFilled, after }: FeedReset & { after: string },
): Promise<{ users: number; last: string }> {
  const state = rebuild ? 'rebuild_requested' : 'pruned'
  const rows = await emptyFeeds(tx.db, { ...selectionOf(owners), skipFilled, after, limit: BATCH_SIZE, state })
  if (rebuild) for (const { account_id: accountId } of rows) tx.emit('feeds.rebuild_requested', { accountId })
  return { users: rows.length, last: rows.at(-1)?.id ?? after }
}

function selectionOf(owners: FeedOwners): Omit<Selection, 'skipFilled'> {
  return typeof owners === 'string'
    ? { accountId: null, onlyActive: owners === 'active' }
    : { accountId: owners.accountId, onlyActive: false }
}
