import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import type { NotificationKind } from './kinds.ts'
import { isShown } from './shown.ts'

/** The kinds that can be told by letter. */
export const MAIL_KINDS = [
  'mention',
  'quote',
  'follow',
  'follow_request',
  'reblog',
  'favourite',
] as const satisfies NotificationKind[]

export type MailKind = (typeof MAIL_KINDS)[number]

export function isMailKind(kind: string): kind is MailKind {
  return (MAIL_KINDS as readonly string[]).includes(kind)
}

/** What somebody wants letters about. */
export interface MailChoice {
  kinds: MailKind[]
  /** Also of what they saw already. */
  always: boolean
}

const find = statement<{ params: { userId: string }; row: { mail_kinds: string[]; always_mail: boolean } }>(
  `select mail_kinds, always_mail from users where id = $userId`,
)
const save = statement<{ params: { userId: string; kinds: readonly string[]; always: boolean } }>(
  `update users set mail_kinds = $kinds, always_mail = $always where id = $userId`,
)
const drop = statement<{ params: { userId: string; kind: string } }>(
  `update users set mail_kinds = array_remove(mail_kinds, $kind) where id = $userId`,
)

export async function readMailChoice(read: Read, { userId }: { userId: string }): Promise<MailChoice> {
  const [row] = await find(read.db, { userId })
  return { kinds: (row?.mail_kinds ?? []).filter(isMailKind), always: row?.always_mail ?? false }
}

export async function saveMailChoice(
  tx: Tx,
  { userId, kinds, always }: { userId: string } & MailChoice,
): Promise<void> {
  await save(tx.db, { userId, kinds, always })
}

/** Ends the letters of one kind. */
export async function unsubscribe(tx: Tx, { userId, kind }: { userId: string; kind: MailKind }): Promise<void> {
  await drop(tx.db, { userId, kind })
}

const markHeard = statement<{ params: { notificationId: string; now: Date } }>(
  `update notifications set heard_at = $now where id = $notificationId and heard_at is null`,
)

/** Notes that a stream or a push has told of a notification: no letter needs to. */
export async function markNotificationHeard(tx: Tx, { notificationId }: { notificationId: string }): Promise<void> {
  await markHeard(tx.db, { notificationId, now: tx.now })
}

/** What a letter about a notification says. */
export interface MailedNotification {
  kind: MailKind
  userId: string
  email: string
  locale: string
  username: string
  fromAccountId: string
  /** Display name and handle of who caused it. */
  fromName: string
  fromHandle: string
  statusId: string | null
}

// Read by then, or seen elsewhere, it needs no letter.
const findMailed = statement<{ params: { accountId: string; notificationId: string }; row: MailedNotification }>(
  `select n.type as kind, me.id as "userId", me.email, me.locale, own.username, sender.id as "fromAccountId",
     coalesce(nullif(sender.display_name, ''), sender.username) as "fromName",
     sender.username || coalesce('@' || sender.domain, '') as "fromHandle", n.status_id as "statusId"
   from notifications n join users me on me.account_id = n.account_id join accounts own on own.id = n.account_id
     join accounts sender on sender.id = n.from_account_id
   where n.id = $notificationId and not n.filtered and n.type = any(me.mail_kinds) and me.disabled_at is null
     and (me.always_mail or (n.heard_at is null and not exists (
       select from markers read_to where read_to.account_id = n.account_id and read_to.timeline = 'notifications'
         and read_to.last_read_id >= n.id)))
     and ${isShown('n')}`,
)
const findOwner = statement<{ params: { notificationId: string }; row: { account_id: string } }>(
  `select account_id from notifications where id = $notificationId`,
)

/** A notification that is to be told by letter now; null: it is gone, seen or unwanted. */
export async function findMailedNotification(
  read: Read,
  { notificationId }: { notificationId: string },
): Promise<MailedNotification | null> {
  const [owner] = await findOwner(read.db, { notificationId })
  const [row] = owner ? await findMailed(read.db, { accountId: owner.account_id, notificationId }) : []
  return row ?? null
}
