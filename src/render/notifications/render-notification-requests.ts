import type { CachedRead } from '../../domain/context.ts'
import type { NotificationRequestRow } from '../../domain/notifications/policy/notification-requests.ts'
import type { NotificationRequest } from '../../entities/notifications/notification.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'
import { renderStatusMap } from '../statuses/render-statuses.ts'

/** Returns the viewer's notification requests in their order. Omits those from deleted accounts. */
export async function renderNotificationRequests(
  read: CachedRead,
  { requests, viewerId }: { requests: readonly NotificationRequestRow[]; viewerId: string },
): Promise<EntityJson<NotificationRequest>[]> {
  const statusIds = requests.map(({ lastStatusId }) => lastStatusId).filter((id) => id !== null)
  const [accounts, statuses] = await Promise.all([
    renderAccountMap(read, { ids: requests.map(({ fromAccountId }) => fromAccountId) }),
    renderStatusMap(read, { ids: statusIds, viewerId }),
  ])
  return requests.flatMap(({ id, fromAccountId, createdAt, updatedAt, count, lastStatusId }) => {
    const account = accounts.get(fromAccountId)
    if (account === undefined) return []
    return [
      entityJson<NotificationRequest>({
        id,
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
        notifications_count: String(count),
        account,
        last_status: statuses.get(lastStatusId ?? '') ?? null,
      }),
    ]
  })
}
