import type { CachedRead } from '../../domain/context.ts'
import type { NotificationRow } from '../../domain/notifications/read/list-notifications.ts'
import type { Notification } from '../../entities/notifications/notification.ts'
import { entityJsonWith, listJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { findAccountRecords } from '../accounts/account-records.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'
import type { TypeFields } from './notification-attachments.ts'

interface NotificationsInput {
  rows: readonly NotificationRow[]
  viewerId: string
  /** The types that the client supports; others get a fallback. Null if the client does not list them. */
  supported?: readonly string[] | null
}

/**
 * Returns the viewer's notifications in the order of the rows. Omits those whose account or subject no longer exists.
 * The caller has checked that the viewer may see their subjects.
 */
async function renderNotifications(
  read: CachedRead,
  { rows, viewerId, supported = null }: NotificationsInput,
): Promise<EntityJson<Notification>[]> {
  const known = rows.filter(isKnown)
  const [accounts, attachments] = await Promise.all([
    findAccountRecords(read, { ids: new Set(known.map((row) => row.from_account_id)) }),
    renderAttachments(read, { rows: known, viewerId, supported }),
  ])
  const rendered: EntityJson<Notification>[] = []
  for (const row of known) {
    const account = accounts.get(row.from_account_id)
    const attachment = attachments.of(row)
    if (account === undefined || attachment === null) continue
    const notification = entityJsonWith<Notification, TypeFields>(attachment.fields, {
      id: row.id,
      type: row.type,
      group_key: row.group_key ?? `ungrouped-${row.id}`,
      created_at: row.created_at,
      account: account.json,
      status: attachment.status,
      filtered: row.filtered ? true : undefined,
      fallback: attachments.fallback(row),
    })
    rendered.push(notification)
  }
  return rendered
}

/** Returns a page of notifications as the body of a response. */
export async function renderNotificationPage(
  read: CachedRead,
  input: NotificationsInput,
): Promise<EntityJson<Notification[]>> {
  return listJson(await renderNotifications(read, input))
}

/** Returns one notification; undefined if its account or subject no longer exists. */
export async function renderNotification(
  read: CachedRead,
  { row, ...input }: { row: NotificationRow } & Omit<NotificationsInput, 'rows'>,
): Promise<EntityJson<Notification> | undefined> {
  const [notification] = await renderNotifications(read, { rows: [row], ...input })
  return notification
}
