import type { Read } from '../domain/context.ts'
import type { NotificationRequestRow } from '../domain/notifications/requests.ts'
import type { NotificationRequest } from '../entities/notification.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { renderAccountMap } from './accounts.ts'
import { renderStatusMap } from './statuses.ts'

/** Requests of the viewer's in their order; those of people who went meanwhile are left out. */
export async function renderNotificationRequests(
  read: Read,
  { requests, viewerId }: { requests: readonly NotificationRequestRow[]; viewerId: string },
): Promise<Json<NotificationRequest>[]> {
  const statusIds = requests.map(({ lastStatusId }) => lastStatusId).filter((id) => id !== null)
  const [accounts, statuses] = await Promise.all([
    renderAccountMap(read, { ids: requests.map(({ fromAccountId }) => fromAccountId) }),
    renderStatusMap(read, { ids: statusIds, viewerId }),
  ])
  return requests.flatMap(({ id, fromAccountId, createdAt, updatedAt, count, lastStatusId }) => {
    const account = accounts.get(fromAccountId)
    if (account === undefined) return []
    return jsonObject<NotificationRequest>({
      id: toJson(id),
      created_at: toJson(createdAt.toISOString()),
      updated_at: toJson(updatedAt.toISOString()),
      notifications_count: toJson(String(count)),
      account,
      last_status: statuses.get(lastStatusId ?? '') ?? toJson(null),
    })
  })
}
