import { statement } from '../../platform/db/connect.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Tx } from '../context.ts'
import { blocksDomainOf } from '../relationships/domain-blocking.ts'
import { visibleTo } from '../statuses/visibility.ts'
import type { NotificationKind } from './kinds.ts'

/** The permissions of a role that make its holder one of the staff: administrator, reports, users. */
const STAFF_PERMISSIONS = (1n << 0n) | (1n << 4n) | (1n << 10n)

const blocked = (by: string, whom: string) =>
  `exists (select from blocks b where b.account_id = ${by} and b.target_account_id = ${whom})`
const silenced = (by: string, whom: string) =>
  `exists (select from mutes m where m.account_id = ${by} and m.target_account_id = ${whom} and m.hide_notifications
     and (m.expires_at is null or m.expires_at > $5))`

// Shared with each other, but not with a block or a mute of the recipient: whichever comes second sees the first.
const hold = statement(`select from accounts where id = any($1::bigint[]) order by id for share`)

// $1 recipients, $2 who caused it, $3 kind, $4 status or null, $5 now, $6 collection or null, $7 report or null
const insert = statement<{ id: string }>(
  `insert into notifications (account_id, from_account_id, type, status_id, created_at, collection_id, report_id)
   select a.id, sender.id, $3::text, $4::bigint, $5::timestamptz, $6::bigint, $7::bigint
   from accounts a join users u on u.account_id = a.id
     join accounts sender on sender.id = $2 left join users sender_user on sender_user.account_id = sender.id
   where a.id = any($1::bigint[]) and (a.id <> sender.id or $3 = 'poll')
     and ${usableAccount()} and ${usableAccount('sender', 'sender_user')}
     and ($4::bigint is null or exists (select from statuses s where s.id = $4 and ${visibleTo('a.id')}
       and not exists (select from conversation_mutes quiet
         where quiet.account_id = a.id and quiet.conversation_id = s.conversation_id)))
     -- what the staff says to those below them arrives, and what the staff has to look at
     and ($3 = 'admin.report' or $3 = 'mention' and exists (
         select from roles r join roles below on below.id = u.role_id
         where r.id = sender_user.role_id and r.highlighted and r.position > below.position
           and r.permissions & ${STAFF_PERMISSIONS} <> 0)
       or (not ${blocked('a.id', 'sender.id')} and not ${blocked('sender.id', 'a.id')}
         and not ${silenced('a.id', 'sender.id')}
         and (not ${blocksDomainOf('a.id', 'sender')} or exists (
           select from follows f where f.account_id = a.id and f.target_account_id = sender.id))
         -- nor does a talk with somebody whom the recipient does not want to hear
         and ($3 <> 'mention' or not exists (
           select from (
             select mentioned.account_id from mentions mentioned where mentioned.status_id = $4 and not mentioned.silent
             union all select s.in_reply_to_account_id from statuses s where s.id = $4
           ) other
           where other.account_id <> a.id and (${blocked('a.id', 'other.account_id')}
             or ${silenced('a.id', 'other.account_id')})))))
   order by a.id
   on conflict (account_id, type, from_account_id, (coalesce(status_id, 0)), (coalesce(collection_id, 0)),
     (coalesce(report_id, 0))) do nothing
   returning id`,
)

export interface Notice {
  kind: NotificationKind
  /** Who caused it. */
  fromAccountId: string
  statusId?: string
  collectionId?: string
  reportId?: string
  recipientIds: readonly string[]
}

/**
 * The one door through which a notification comes to be. It is left out for whoever is not a usable person of here,
 * caused it (but for the end of a poll), may not see the status, is in a block with the sender either way, or mutes the sender with notifications or
 * the conversation;
 * and the second time, since an effect may run twice.
 *
 * The effect that calls it has looked, in the same transaction and with a lock, that what happened is still so.
 */
export async function notify(
  tx: Tx,
  { kind, fromAccountId, statusId, collectionId, reportId, recipientIds }: Notice,
): Promise<void> {
  if (recipientIds.length === 0) return
  await hold(tx.db, [recipientIds])
  const about = [statusId ?? null, tx.now, collectionId ?? null, reportId ?? null]
  const made = await insert(tx.db, [recipientIds, fromAccountId, kind, ...about])
  for (const { id } of made) tx.emit('notification.created', { notificationId: id })
}
