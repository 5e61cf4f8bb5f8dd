import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { judgement } from './judge.ts'
import { kindsThat } from './kinds.ts'
import type { NotificationKind } from './kinds.ts'
import { isWanted } from './wanted.ts'

/** Notifications that belong together are one group for so long after the first of them. */
const GROUP_HOURS = 12

/** A letter about a notification waits so long, for somebody who is about to see it anyway. */
const MAIL_DELAY_MS = 2 * 60_000

/** Kinds that are asked for when they are held back: what somebody says to the recipient. */
export const REQUESTED_KINDS: readonly NotificationKind[] = ['mention', 'quote']

// Shared with each other, but not with a block or a mute of the recipient: whichever comes second sees the first.
const hold = statement<{ params: { recipientIds: readonly string[] } }>(
  `select from accounts where id = any($recipientIds::bigint[]) order by id for share`,
)

const hour = `floor(extract(epoch from $now::timestamptz) / 3600)::bigint`

// The hour of the first of a group names it. Whoever has none yet that is young enough begins another.
const groupKey = `case when $kind = any('{${kindsThat('groups').join(',')}}') then coalesce(
  (select young.key from generate_series(${hour}, ${hour} - ${GROUP_HOURS - 1}, -1) began,
     concat_ws('-', $kind::text, $statusId::bigint, began) as young (key)
   where exists (select from notifications n where n.account_id = a.id and n.group_key = young.key) limit 1),
  concat_ws('-', $kind::text, $statusId::bigint, ${hour})) end`

interface Made {
  id: string
  accountId: string
  filtered: boolean
  mails: boolean
}

// $recipientIds recipients, $fromAccountId who caused it, $kind kind, $statusId status or null, $now now, $collectionId collection, $reportId report, $severanceId severance, $warningId warning,
// $annualReportId annual report
const insert = statement<{
  params: {
    recipientIds: readonly string[]
    fromAccountId: string
    kind: string
    statusId: string | null
    now: Date
    collectionId: string | null
    reportId: string | null
    severanceId: string | null
    warningId: string | null
    annualReportId: string | null
  }
  row: Made
}>(
  `with judged as (
     select a.id as account_id, sender.id as from_account_id, ${judgement} as verdicts, ${groupKey} as group_key,
       $kind = any(u.mail_kinds) as mails
     from accounts a join users u on u.account_id = a.id
       join accounts sender on sender.id = $fromAccountId left join users sender_user on sender_user.account_id = sender.id
       left join notification_policies policy on policy.account_id = a.id
     where a.id = any($recipientIds::bigint[]) and ${isWanted}
   ), made as (
     insert into notifications (account_id, from_account_id, type, status_id, created_at, collection_id, report_id,
       severance_id, warning_id, annual_report_id, group_key, filtered)
     select account_id, from_account_id, $kind::text, $statusId::bigint, $now::timestamptz, $collectionId::bigint, $reportId::bigint, $severanceId::bigint,
       $warningId::bigint, $annualReportId::bigint, group_key, coalesce('filter' = any(verdicts), false)
     from judged where not coalesce('drop' = any(verdicts), false) order by account_id
     on conflict (account_id, type, from_account_id, (coalesce(status_id, 0)), (coalesce(collection_id, 0)),
       (coalesce(report_id, 0)), (coalesce(severance_id, 0)), (coalesce(warning_id, 0)),
       (coalesce(annual_report_id, 0))) do nothing
     returning id, account_id, filtered
   )
   select made.id, made.account_id as "accountId", made.filtered, judged.mails
   from made join judged on judged.account_id = made.account_id order by made.id`,
)
const request = statement<{ params: { heldBack: readonly string[]; fromAccountId: string; now: Date } }>(
  `insert into notification_requests (account_id, from_account_id, created_at, updated_at)
   select account_id, $fromAccountId, $now, $now from unnest($heldBack::bigint[]) account_id order by account_id
   on conflict (account_id, from_account_id) do update set updated_at = excluded.updated_at`,
)

export interface Notice {
  kind: NotificationKind
  /** Who caused it. */
  fromAccountId: string
  statusId?: string
  collectionId?: string
  reportId?: string
  severanceId?: string
  warningId?: string
  annualReportId?: string
  recipientIds: readonly string[]
}

/**
 * The one door through which a notification comes to be. It is left out for whom it is not meant (`wanted.ts`), and the
 * second time, since an effect may run twice. What the recipient's policy holds back (`judge.ts`) is written, but told to
 * nobody: somebody's words become a request to be heard.
 *
 * The effect that calls it has looked, in the same transaction and with a lock, that what happened is still so.
 */
export async function notify(tx: Tx, { kind, fromAccountId, recipientIds, ...about }: Notice): Promise<void> {
  if (recipientIds.length === 0) return
  await hold(tx.db, { recipientIds })
  const { statusId, collectionId, reportId, severanceId, warningId, annualReportId } = about
  const made = await insert(tx.db, {
    recipientIds,
    fromAccountId,
    kind,
    statusId: statusId ?? null,
    now: tx.now,
    collectionId: collectionId ?? null,
    reportId: reportId ?? null,
    severanceId: severanceId ?? null,
    warningId: warningId ?? null,
    annualReportId: annualReportId ?? null,
  })
  const heldBack = made.filter(({ filtered }) => filtered).map(({ accountId }) => accountId)
  if (heldBack.length > 0 && REQUESTED_KINDS.includes(kind))
    await request(tx.db, { heldBack, fromAccountId, now: tx.now })
  const mailAt = new Date(tx.now.getTime() + MAIL_DELAY_MS)
  for (const { id, filtered, mails } of made) {
    if (filtered) continue
    tx.emit('notification.created', { notificationId: id })
    if (mails) tx.emit('notification.mail_due', { notificationId: id }, mailAt)
  }
}
