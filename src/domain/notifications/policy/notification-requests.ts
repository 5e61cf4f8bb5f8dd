import { NotFoundError } from '../../../lib/errors.ts'
import type { Page } from '../../../lib/page.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { publishMessage } from '../../core/stream-topics.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'
import { REQUESTED_TYPES } from '../create/create-notifications.ts'
import { isVisibleNotification } from '../read/notification-visibility.ts'

/** The maximum count of requests, and of notifications per request. */
const MAX_COUNT = 100

/** The number of notifications that one transaction unfilters. */
const BATCH_SIZE = 500

/** The filtered notifications from one sender, which the recipient can accept or dismiss. */
export interface NotificationRequestRow {
  id: string
  fromAccountId: string
  createdAt: Date
  updatedAt: Date
  count: number
  /** The latest status of the filtered notifications. */
  lastStatusId: string | null
}

// Counts the notifications themselves, because they may have been deleted or hidden since the request.
const pending = `
  join lateral (
    select count(*)::int as count, (array_agg(n.status_id order by n.status_id desc nulls last))[1] as last_status_id from (
      select n.id, n.status_id from notifications n
      where n.from_account_id = r.from_account_id and n.filtered and n.type = any('{${REQUESTED_TYPES.join(',')}}') and ${isVisibleNotification('n')}
      order by n.id desc limit ${MAX_COUNT}) n
  ) filtered on filtered.count > 0`
const columns = `r.id, r.from_account_id as "fromAccountId", r.created_at as "createdAt", r.updated_at as "updatedAt",
  filtered.count, filtered.last_status_id as "lastStatusId"`

const keyset = keysetClause('r.id')
const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: NotificationRequestRow }>(
    `select ${columns} from notification_requests r ${pending} where r.account_id = $accountId
      and ${keyset.where} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)
const findOne = statement<{ params: { accountId: string; id: string }; row: NotificationRequestRow }>(
  `select ${columns} from notification_requests r ${pending} where r.account_id = $accountId and r.id = $id`,
)

/**
 * Returns a page of an account's notification requests, latest first (Mastodon: GET /api/v1/notifications/requests).
 */
export async function listNotificationRequests(
  read: Read,
  { accountId, page }: { accountId: string; page: Page },
): Promise<NotificationRequestRow[]> {
  const values = { accountId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}

/** @throws NotFoundError also for a request of another account, and if its notifications are hidden */
export async function findNotificationRequest(
  read: Read,
  { accountId, id }: { accountId: string; id: string },
): Promise<NotificationRequestRow> {
  const [row] = await findOne(read.db, { accountId, id })
  if (!row) throw new NotFoundError()
  return row
}

const count = statement<{ params: { accountId: string }; row: { requests: number; notifications: number } }>(
  `select count(*)::int as requests, coalesce(sum(n), 0)::int as notifications from (
     select filtered.count as n from notification_requests r ${pending}
       where r.account_id = $accountId limit ${MAX_COUNT}) r`,
)

/** Returns the number of pending requests and of their notifications, each limited by `MAX_COUNT`. */
export async function countPendingRequests(
  read: Read,
  { accountId }: { accountId: string },
): Promise<{ requests: number; notifications: number }> {
  const [row] = await count(read.db, { accountId })
  return row!
}

const remove = statement<{ params: { accountId: string; ids: readonly string[] }; row: { from_account_id: string } }>(
  `delete from notification_requests where account_id = $accountId and id = any($ids::bigint[])
    returning from_account_id`,
)
const permit = statement<{ params: { accountId: string; senders: readonly string[]; now: Date } }>(
  `insert into notification_permissions (account_id, from_account_id, created_at)
   select $accountId, sender, $now from unnest($senders::bigint[]) sender order by sender
   on conflict (account_id, from_account_id) do update set merged_at = null`,
)
const removeFiltered = statement<{ params: { accountId: string; senders: readonly string[] } }>(
  `delete from notifications where account_id = $accountId and from_account_id = any($senders::bigint[]) and filtered`,
)

/**
 * Accepts notification requests: the policy no longer filters notifications from the senders, and a job merges the
 * filtered ones into the others. Ignores unknown ids. Returns the number of accepted requests.
 */
export async function acceptNotificationRequests(
  tx: Tx,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<number> {
  // After this lock, concurrent transactions that create notifications see the permission and filter nothing more.
  await lockNotifications(tx, { accountId })
  const senders = (await remove(tx.db, { accountId, ids: ids.filter(isId) })).map((row) => row.from_account_id)
  if (senders.length > 0) await permit(tx.db, { accountId, senders, now: tx.now })
  for (const fromAccountId of senders) tx.emit('notification_request.accepted', { accountId, fromAccountId })
  return senders.length
}

/**
 * Dismisses requests and deletes their notifications. The senders can cause new requests. Returns the number of
 * requests.
 */
export async function dismissNotificationRequests(
  tx: Tx,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<number> {
  await lockNotifications(tx, { accountId })
  const senders = (await remove(tx.db, { accountId, ids: ids.filter(isId) })).map((row) => row.from_account_id)
  if (senders.length > 0) await removeFiltered(tx.db, { accountId, senders })
  return senders.length
}

const findUnmerged = statement<{ params: { accountId: string } }>(
  `select from notification_permissions where account_id = $accountId and merged_at is null limit 1`,
)

/** Returns whether the notifications of all accepted requests are merged. */
export async function areNotificationsMerged(read: Read, { accountId }: { accountId: string }): Promise<boolean> {
  return (await findUnmerged(read.db, { accountId })).length === 0
}

const unfilterNotifications = statement<{ params: { accountId: string; fromAccountId: string }; row: { id: string } }>(
  `update notifications set filtered = false where id = any(array(
     select id from notifications where account_id = $accountId and from_account_id = $fromAccountId and filtered
     order by id limit ${BATCH_SIZE} for update)) returning id`,
)
const markMerged = statement<{
  params: { accountId: string; fromAccountId: string; now: Date }
  row: { account_id: string }
}>(
  `update notification_permissions set merged_at = $now
   where account_id = $accountId and from_account_id = $fromAccountId and merged_at is null returning account_id`,
)

/**
 * Effect: unfilters the notifications of an accepted sender, and publishes to the streams when all senders are merged.
 */
export async function mergeAcceptedNotifications(
  ctx: Ctx,
  { accountId, fromAccountId }: { accountId: string; fromAccountId: string },
): Promise<void> {
  let more = true
  while (more) {
    more = await ctx.write(
      async (tx) => (await unfilterNotifications(tx.db, { accountId, fromAccountId })).length === BATCH_SIZE,
    )
  }
  const isLast = await ctx.write(async (tx) => {
    // Concurrent jobs of senders that were accepted together would each find the sender of the other unmerged.
    await lockNotifications(tx, { accountId })
    await markMerged(tx.db, { accountId, fromAccountId, now: tx.now })
    return areNotificationsMerged(tx, { accountId })
  })
  if (isLast) await publishMessage(ctx.bus, 'stream.notifications_merged', { accountId })
}
