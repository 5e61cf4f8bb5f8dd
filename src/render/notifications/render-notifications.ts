import type { CachedRead } from '../../domain/context.ts'
import type { NotificationRow } from '../../domain/notifications/read/list-notifications.ts'
import type { Notification } from '../../entities/notifications/notification.ts'
import { entityJson, listJson } from '../../lib/entity-json.ts'
import type { EntityJson } from '../../lib/entity-json.ts'
import { findAccountRecords } from '../accounts/account-records.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'

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
  return known.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const attached = attachments.of(row)
    if (account === undefined || attached === null) return []
    return [
      entityJson<Notification>({
        id: row.id,
        type: row.type,
        group_key: row.group_key ?? `ungrouped-${row.id}`,
        created_at: row.created_at,
        account: account.json,
        ...attached,
        filtered: row.filtered ? true : undefined,
        fallback: attachments.fallback(row),
      }),
    ]
  })
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
