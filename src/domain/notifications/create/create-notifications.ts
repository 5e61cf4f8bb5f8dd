import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { policyDecisions } from './policy-decisions.ts'
import { typesWith } from './notification-types.ts'
import type { NotificationType } from './notification-types.ts'
import { isEligible } from './eligibility.ts'

/** A group takes further notifications for this time after its first one. */
const GROUP_HOURS = 12

/** The delay of an e-mail notification, which is not sent if the user sees the notification meanwhile. */
const MAIL_DELAY_MS = 2 * 60_000

/** The types that create a notification request when the policy filters them. */
export const REQUESTED_TYPES: readonly NotificationType[] = ['mention', 'quote']

// A shared lock, which conflicts with the lock of a block or mute by the recipient: the later transaction sees the
// earlier.
const lockRecipients = statement<{ params: { recipientIds: readonly string[] } }>(
  `select from accounts where id = any($recipientIds::bigint[]) order by id for share`,
)

const currentHour = `floor(extract(epoch from $now::timestamptz) / 3600)::bigint`

// The key of a group contains the hour of its first notification. Without a group that is young enough, a new one
// begins.
const groupKey = `case when $kind = any('{${typesWith('grouped').join(',')}}') then coalesce(
  (select young.key from generate_series(${currentHour}, ${currentHour} - ${GROUP_HOURS - 1}, -1) began,
     concat_ws('-', $kind::text, cause.status_id, began) as young (key)
   where exists (select from notifications n where n.account_id = a.id and n.group_key = young.key) limit 1),
  concat_ws('-', $kind::text, cause.status_id, ${currentHour})) end`

interface CreatedNotification {
  id: string
  accountId: string
  fromAccountId: string
  filtered: boolean
  mails: boolean
}

const insertNotifications = statement<{
  params: {
    recipientIds: readonly string[]
    fromAccountIds: readonly string[]
    statusIds: readonly (string | null)[]
    kind: string
    now: Date
    collectionId: string | null
    reportId: string | null
    severanceId: string | null
    warningId: string | null
    annualReportId: string | null
  }
  row: CreatedNotification
}>(
  `with cause as (
     select * from unnest($recipientIds::bigint[], $fromAccountIds::bigint[], $statusIds::bigint[])
       given (recipient_id, from_account_id, status_id)
   ), decided as (
     select a.id as account_id, sender.id as from_account_id, cause.status_id, ${policyDecisions} as decisions,
       ${groupKey} as group_key
     from cause join accounts a on a.id = cause.recipient_id join users u on u.account_id = a.id
       join accounts sender on sender.id = cause.from_account_id left join users sender_user on sender_user.account_id = sender.id
       left join notification_policies policy on policy.account_id = a.id
     where ${isEligible}
   ), created as (
     insert into notifications (account_id, from_account_id, type, status_id, created_at, collection_id, report_id,
       severance_id, warning_id, annual_report_id, group_key, filtered)
     select account_id, from_account_id, $kind::text, status_id, $now::timestamptz, $collectionId::bigint, $reportId::bigint, $severanceId::bigint,
       $warningId::bigint, $annualReportId::bigint, group_key, coalesce('filter' = any(decisions), false)
     from decided where not coalesce('drop' = any(decisions), false) order by account_id, status_id, from_account_id
     on conflict (account_id, type, from_account_id, (coalesce(status_id, 0)), (coalesce(collection_id, 0)),
       (coalesce(report_id, 0)), (coalesce(severance_id, 0)), (coalesce(warning_id, 0)),
       (coalesce(annual_report_id, 0))) do nothing
     returning id, account_id, from_account_id, filtered
   )
   select created.id, created.account_id as "accountId", created.from_account_id as "fromAccountId", created.filtered,
     $kind = any(u.mail_types) as mails
   from created join users u on u.account_id = created.account_id order by created.id`,
)
const upsertRequests = statement<{
  params: { accountIds: readonly string[]; fromAccountIds: readonly string[]; now: Date }
}>(
  `insert into notification_requests (account_id, from_account_id, created_at, updated_at)
   select distinct account_id, from_account_id, $now::timestamptz, $now::timestamptz
   from unnest($accountIds::bigint[], $fromAccountIds::bigint[]) filtered (account_id, from_account_id)
   order by account_id, from_account_id
   on conflict (account_id, from_account_id) do update set updated_at = excluded.updated_at`,
)

/** What notifications refer to, besides a status. */
interface NotificationTarget {
  collectionId?: string
  reportId?: string
  severanceId?: string
  warningId?: string
  annualReportId?: string
}

/** One notification. `fromAccountId`: the account that caused it. */
export interface NewNotification {
  recipientId: string
  fromAccountId: string
  statusId?: string
}

/**
 * Creates notifications of one type; every notification is created here, by a fixed number of statements. Leaves out
 * recipients that are not eligible (`eligibility.ts`) and existing notifications, since an effect may run twice.
 * Notifications that the recipient's policy filters (`policy-decisions.ts`) are stored, but not published; those of
 * `REQUESTED_TYPES` create a notification request.
 *
 * The calling effect has checked in the same transaction, with a lock, that the causes of the notifications still exist.
 */
export async function createManyNotifications(
  tx: Tx,
  {
    type,
    notifications,
    ...target
  }: { type: NotificationType; notifications: readonly NewNotification[] } & NotificationTarget,
): Promise<void> {
  if (notifications.length === 0) return
  const recipientIds = notifications.map(({ recipientId }) => recipientId)
  await lockRecipients(tx.db, { recipientIds })
  const { collectionId, reportId, severanceId, warningId, annualReportId } = target
  const created = await insertNotifications(tx.db, {
    recipientIds,
    fromAccountIds: notifications.map(({ fromAccountId }) => fromAccountId),
    statusIds: notifications.map(({ statusId }) => statusId ?? null),
    kind: type,
    now: tx.now,
    collectionId: collectionId ?? null,
    reportId: reportId ?? null,
    severanceId: severanceId ?? null,
    warningId: warningId ?? null,
    annualReportId: annualReportId ?? null,
  })
  const filtered = created.filter((notification) => notification.filtered)
  if (filtered.length > 0 && REQUESTED_TYPES.includes(type))
    await upsertRequests(tx.db, {
      accountIds: filtered.map(({ accountId }) => accountId),
      fromAccountIds: filtered.map(({ fromAccountId }) => fromAccountId),
      now: tx.now,
    })
  const mailAt = new Date(tx.now.getTime() + MAIL_DELAY_MS)
  for (const { id, filtered: isFiltered, mails } of created) {
    if (isFiltered) continue
    tx.emit('notification.created', { notificationId: id })
    if (mails) tx.emit('notification.mail_due', { notificationId: id }, mailAt)
  }
}

/** Creates the same notification for several recipients. */
export async function createNotifications(
  tx: Tx,
  {
    fromAccountId,
    statusId,
    recipientIds,
    ...notification
  }: Omit<NewNotification, 'recipientId'> & {
    type: NotificationType
    recipientIds: readonly string[]
  } & NotificationTarget,
): Promise<void> {
  await createManyNotifications(tx, {
    ...notification,
    notifications: recipientIds.map((recipientId) => ({
      recipientId,
      fromAccountId,
      ...(statusId !== undefined && { statusId }),
    })),
  })
}
