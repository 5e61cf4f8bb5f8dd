import type { Account, GroupedNotificationsResults, NotificationGroup } from '../../lib/api/entities.ts'

/** A part of the notifications page. */
export type NotificationTab = 'all' | 'conversations' | 'activity'

export type NotificationType = NotificationGroup['type']

const CONVERSATION_TYPES: readonly NotificationType[] = ['mention', 'quote']

/** The types with a sentence and an icon of their own. The server sends a fallback for all others. */
export const SUPPORTED_TYPES: readonly NotificationType[] = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
  'added_to_collection',
  'collection_update',
]

/** Returns the parameters of the request for a part of the notifications. */
export function filterOf(tab: NotificationTab): { types?: NotificationType[]; excludeTypes?: NotificationType[] } {
  switch (tab) {
    case 'all':
      return {}
    case 'conversations':
      return { types: [...CONVERSATION_TYPES] }
    case 'activity':
      return { excludeTypes: [...CONVERSATION_TYPES] }
  }
}

/** A group with the accounts that it shows, the newest first. `id`: of its newest notification. */
export type LoadedGroup = Omit<NotificationGroup, 'sampleAccountIds' | 'mostRecentNotificationId'> & {
  id: string
  accounts: Account[]
}

/** Returns the groups of a response, each with its accounts. */
export function toLoadedGroups({ accounts, notificationGroups }: GroupedNotificationsResults): LoadedGroup[] {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return notificationGroups.map(({ sampleAccountIds, mostRecentNotificationId, ...group }) => ({
    ...group,
    // The number is too large for JavaScript; the id of the page is a string.
    id: group.pageMaxId ?? String(mostRecentNotificationId),
    accounts: sampleAccountIds.flatMap((id) => byId.get(id) ?? []),
  }))
}

/** Puts newer groups on top. A group that has grown moves there, so its older version is removed. */
export function mergeNewer(
  pages: readonly (readonly LoadedGroup[])[],
  newer: readonly LoadedGroup[],
): readonly LoadedGroup[][] {
  const keys = new Set(newer.map(({ groupKey }) => groupKey))
  const older = pages.map((page) => page.filter(({ groupKey }) => !keys.has(groupKey)))
  return [[...newer, ...(older[0] ?? [])], ...older.slice(1)]
}

/** How many names of a group are shown. */
const SHOWN_NAMES = 3

/** Returns whose names a group shows, and the number of all others. */
export function namesOf({ accounts, notificationsCount }: Pick<LoadedGroup, 'accounts' | 'notificationsCount'>): {
  shown: Account[]
  otherCount: number
} {
  const unique = [...new Map(accounts.map((account) => [account.id, account])).values()]
  const shown = unique.slice(0, SHOWN_NAMES)
  return { shown, otherCount: Math.max(0, notificationsCount - shown.length - (accounts.length - unique.length)) }
}
