import { statement } from '../../platform/db/statement.ts'
import { usableUser } from '../access/usable-account.ts'
import type { Read, Tx } from '../context.ts'
import type { NotificationType } from './create/notification-types.ts'
import { isVisibleNotification } from './read/notification-visibility.ts'

/** The notification types that can be sent by e-mail. */
export const MAIL_TYPES = [
  'mention',
  'quote',
  'follow',
  'follow_request',
  'reblog',
  'favourite',
] as const satisfies NotificationType[]

export type MailType = (typeof MAIL_TYPES)[number]

export function isMailType(kind: string): kind is MailType {
  return (MAIL_TYPES as readonly string[]).includes(kind)
}

/** A user's preferences for e-mail notifications. */
export interface MailPreferences {
  types: MailType[]
  /** Whether to send notifications that the user has seen already. */
  evenIfSeen: boolean
}

const find = statement<{ params: { userId: string }; row: { mail_types: string[]; mail_even_if_seen: boolean } }>(
  `select mail_types, mail_even_if_seen from users where id = $userId`,
)
const save = statement<{ params: { userId: string; types: readonly string[]; always: boolean } }>(
  `update users set mail_types = $types, mail_even_if_seen = $always where id = $userId`,
)
const removeMailType = statement<{ params: { userId: string; kind: string } }>(
  `update users set mail_types = array_remove(mail_types, $kind) where id = $userId`,
)

/** Returns which notifications a user gets by e-mail. */
export async function readMailPreferences(read: Read, { userId }: { userId: string }): Promise<MailPreferences> {
  const [row] = await find(read.db, { userId })
  return { types: (row?.mail_types ?? []).filter(isMailType), evenIfSeen: row?.mail_even_if_seen ?? false }
}

export async function saveMailPreferences(
  tx: Tx,
  { userId, types, evenIfSeen }: { userId: string } & MailPreferences,
): Promise<void> {
  await save(tx.db, { userId, types, always: evenIfSeen })
}

/** Unsubscribes a user from e-mail notifications of one type. */
export async function unsubscribe(tx: Tx, { userId, kind }: { userId: string; kind: MailType }): Promise<void> {
  await removeMailType(tx.db, { userId, kind })
}

const markSeen = statement<{ params: { notificationId: string; now: Date } }>(
  `update notifications set seen_at = $now where id = $notificationId and seen_at is null`,
)

/** Records that a stream or a push message has delivered a notification, so that no mail is needed. */
export async function markNotificationSeen(tx: Tx, { notificationId }: { notificationId: string }): Promise<void> {
  await markSeen(tx.db, { notificationId, now: tx.now })
}

/** The content of an e-mail notification. */
export interface MailedNotification {
  type: MailType
  userId: string
  email: string
  locale: string
  username: string
  fromAccountId: string
  /** The display name of the sender. `fromHandle`: the handle of the sender. */
  fromName: string
  fromHandle: string
  statusId: string | null
}

// Leaves out notifications that the user has read or seen meanwhile, unless the user wants mails about those too. Users
// who cannot use the API meanwhile get no mails, as in Mastodon.
const findMailed = statement<{ params: { accountId: string; notificationId: string }; row: MailedNotification }>(
  `select n.type as type, recipient.id as "userId", recipient.email, recipient.locale, own.username, sender.id as "fromAccountId",
     coalesce(nullif(sender.display_name, ''), sender.username) as "fromName",
     sender.username || coalesce('@' || sender.domain, '') as "fromHandle", n.status_id as "statusId"
   from notifications n join users recipient on recipient.account_id = n.account_id join accounts own on own.id = n.account_id
     join accounts sender on sender.id = n.from_account_id
   where n.id = $notificationId and not n.filtered and n.type = any(recipient.mail_types) and ${usableUser('own', 'recipient')}
     and own.moved_to_account_id is null
     and (recipient.mail_even_if_seen or (n.seen_at is null and not exists (
       select from markers marker where marker.account_id = n.account_id and marker.timeline = 'notifications'
         and marker.last_read_id >= n.id)))
     and ${isVisibleNotification('n')}`,
)
const findOwner = statement<{ params: { notificationId: string }; row: { account_id: string } }>(
  `select account_id from notifications where id = $notificationId`,
)

/** Returns the notification for a mail that is due; null if it is deleted, hidden, seen or not wanted by e-mail. */
export async function findMailedNotification(
  read: Read,
  { notificationId }: { notificationId: string },
): Promise<MailedNotification | null> {
  const [owner] = await findOwner(read.db, { notificationId })
  const [row] = owner ? await findMailed(read.db, { accountId: owner.account_id, notificationId }) : []
  return row ?? null
}
