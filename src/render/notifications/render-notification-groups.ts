import type { CachedRead } from '../../domain/context.ts'
import type { NotificationGroupRow } from '../../domain/notifications/read/notification-groups.ts'
import type { GroupedNotificationsResults, NotificationGroup } from '../../entities/notifications/notification.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { entityJson, entityJsonWith, integerJson } from '../../lib/json/entity-json.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { findAccountRecords, partialAccount } from '../accounts/account-records.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'
import type { TypeFields } from './notification-attachments.ts'

/**
 * Returns groups of the viewer's notifications in their order, and their accounts and statuses without duplicates.
 * `isPage`: groups contain their first and last id on the page. `partial`: only the first account of each group is
 * complete, for `expand_accounts=partial_avatars`.
 */
export async function renderNotificationGroups(
  read: CachedRead,
  {
    groups,
    viewerId,
    isPage,
    partial = false,
    supported = null,
  }: {
    groups: readonly NotificationGroupRow[]
    viewerId: string
    isPage: boolean
    partial?: boolean
    supported?: readonly string[] | null
  },
): Promise<EntityJson<GroupedNotificationsResults>> {
  const [accounts, attachments] = await Promise.all([
    findAccountRecords(read, { ids: new Set(groups.flatMap(({ sampleAccountIds }) => sampleAccountIds)) }),
    renderAttachments(read, { rows: groups, viewerId, supported }),
  ])
  const statuses = new Map<string, EntityJson<Status>>()
  const completeIds = new Set<string>()
  const partialIds = new Set<string>()
  const rendered = groups.flatMap((group) => {
    if (!isKnown(group)) return []
    const attachment = attachments.of(group)
    const samples = group.sampleAccountIds.filter((id) => accounts.has(id))
    if (!attachment || samples.length === 0) return []
    const { status, fields } = attachment
    if (status !== undefined) statuses.set(group.status_id!, status)
    for (const id of partial ? samples.slice(0, 1) : samples) completeIds.add(id)
    if (partial) for (const id of samples.slice(1)) partialIds.add(id)
    return [
      entityJsonWith<NotificationGroup, TypeFields>(fields, {
        group_key: group.key,
        notifications_count: group.count,
        type: group.type,
        most_recent_notification_id: integerJson(group.newestId),
        ...pageFieldsOf(group, isPage),
        sample_account_ids: samples,
        status_id: status === undefined ? undefined : group.status_id,
        fallback: attachments.fallback(group),
      }),
    ]
  })
  return entityJson<GroupedNotificationsResults>({
    accounts: [...completeIds].map((id) => accounts.get(id)!.json),
    partial_accounts: partial
      ? [...partialIds].filter((id) => !completeIds.has(id)).map((id) => partialAccount(accounts.get(id)!))
      : undefined,
    statuses: [...statuses.values()],
    notification_groups: rendered,
  })
}

type PageField = 'page_min_id' | 'page_max_id' | 'latest_page_notification_at'

function pageFieldsOf(group: NotificationGroupRow, isPage: boolean): Complete<Pick<NotificationGroup, PageField>> {
  return {
    page_min_id: isPage ? group.pageMinId : undefined,
    page_max_id: isPage ? group.pageMaxId : undefined,
    latest_page_notification_at: isPage ? group.latestAt.toISOString() : undefined,
  }
}
