import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { tell } from '../stream-news.ts'
import { holdNotifications } from './hold.ts'
import { REQUESTED_KINDS } from './notify.ts'
import { isShown } from './shown.ts'

/** No further than so many are counted: requests, and notifications of each. */
const MAX_COUNT = 100

/** So many notifications are let in by one transaction. */
const CHUNK = 500

/** Somebody whose words are held back. */
export interface NotificationRequestRow {
  id: string
  fromAccountId: string
  createdAt: Date
  updatedAt: Date
  count: number
  /** What they said last, if it was a post. */
  lastStatusId: string | null
}

// What is there to decide about is asked of the notifications themselves: it may have gone since, or be hidden.
const pending = `
  join lateral (
    select count(*)::int as count, (array_agg(n.status_id order by n.status_id desc nulls last))[1] as last_status_id from (
      select n.id, n.status_id from notifications n
      where n.from_account_id = r.from_account_id and n.filtered and n.type = any('{${REQUESTED_KINDS.join(',')}}') and ${isShown('n')}
      order by n.id desc limit ${MAX_COUNT}) n
  ) waiting on waiting.count > 0`
const columns = `r.id, r.from_account_id as "fromAccountId", r.created_at as "createdAt", r.updated_at as "updatedAt",
  waiting.count, waiting.last_status_id as "lastStatusId"`

const page = pageClause('r.id')
const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: NotificationRequestRow }>(
    `select ${columns} from notification_requests r ${pending} where r.account_id = $accountId
      and ${page.where} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)
const findOne = statement<{ params: { accountId: string; id: string }; row: NotificationRequestRow }>(
  `select ${columns} from notification_requests r ${pending} where r.account_id = $accountId and r.id = $id`,
)

/** A page of those whose words somebody has to decide about, the latest request first. */
export async function readRequests(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<NotificationRequestRow[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}

/** @throws NotFound also for somebody else's, and for what is hidden by now */
export async function findRequest(
  read: Read,
  { accountId, id }: { accountId: string; id: string },
): Promise<NotificationRequestRow> {
  const [row] = await findOne(read.db, { accountId, id })
  if (!row) throw new NotFound()
  return row
}

const count = statement<{ params: { accountId: string }; row: { requests: number; notifications: number } }>(
  `select count(*)::int as requests, coalesce(sum(n), 0)::int as notifications from (
     select waiting.count as n from notification_requests r ${pending}
       where r.account_id = $accountId limit ${MAX_COUNT}) r`,
)

/** How much waits for a decision. */
export async function countPending(
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
const removeHeldBack = statement<{ params: { accountId: string; senders: readonly string[] } }>(
  `delete from notifications where account_id = $accountId and from_account_id = any($senders::bigint[]) and filtered`,
)

/**
 * Lets people in: what they do is notified from now on whatever the policy says, and what was held back comes to the
 * rest soon. Ids of requests that there are not are left out. Returns how many there were.
 */
export async function acceptRequests(
  tx: Tx,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<number> {
  // Nothing more is held back behind this: who writes notifications sees the permission.
  await holdNotifications(tx, { accountId })
  const senders = (await remove(tx.db, { accountId, ids: ids.filter(isId) })).map((row) => row.from_account_id)
  if (senders.length > 0) await permit(tx.db, { accountId, senders, now: tx.now })
  for (const fromAccountId of senders) tx.emit('notifications.accepted', { accountId, fromAccountId })
  return senders.length
}

/** Throws away what was held back of people. They may ask again. Returns how many requests there were. */
export async function dismissRequests(
  tx: Tx,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<number> {
  await holdNotifications(tx, { accountId })
  const senders = (await remove(tx.db, { accountId, ids: ids.filter(isId) })).map((row) => row.from_account_id)
  if (senders.length > 0) await removeHeldBack(tx.db, { accountId, senders })
  return senders.length
}

const findUnmerged = statement<{ params: { accountId: string } }>(
  `select from notification_permissions where account_id = $accountId and merged_at is null limit 1`,
)

/** Whether everything that was let in is among the rest by now. */
export async function areMerged(read: Read, { accountId }: { accountId: string }): Promise<boolean> {
  return (await findUnmerged(read.db, { accountId })).length === 0
}

const letIn = statement<{ params: { accountId: string; fromAccountId: string }; row: { id: string } }>(
  `update notifications set filtered = false where id = any(array(
     select id from notifications where account_id = $accountId and from_account_id = $fromAccountId and filtered
     order by id limit ${CHUNK} for update)) returning id`,
)
const markMerged = statement<{
  params: { accountId: string; fromAccountId: string; now: Date }
  row: { account_id: string }
}>(
  `update notification_permissions set merged_at = $now
   where account_id = $accountId and from_account_id = $fromAccountId and merged_at is null returning account_id`,
)

/** Effect: puts among the rest what was held back of somebody who has been let in, and tells the streams when it is done. */
export async function mergeAccepted(
  ctx: Ctx,
  { accountId, fromAccountId }: { accountId: string; fromAccountId: string },
): Promise<void> {
  let more = true
  while (more) {
    more = await ctx.write(async (tx) => (await letIn(tx.db, { accountId, fromAccountId })).length === CHUNK)
  }
  const isLast = await ctx.write(async (tx) => {
    await markMerged(tx.db, { accountId, fromAccountId, now: tx.now })
    return areMerged(tx, { accountId })
  })
  if (isLast) await tell(ctx.bus, 'stream.notifications_merged', { accountId })
}
