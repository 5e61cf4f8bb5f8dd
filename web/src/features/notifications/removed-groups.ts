import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LoadedGroup } from './notification-groups.ts'
import type { NotificationPages } from './notification-queries.ts'

type Group = Pick<LoadedGroup, 'groupKey' | 'id'>

/**
 * The groups that the user has removed, with their newest notifications. Lists hide them: removing them from the loaded
 * pages is not enough, because a page that was requested before may still have them.
 */
let removed: ReadonlyMap<string, string> = new Map()
const listeners = new Set<() => void>()

function setRemoved(groups: ReadonlyMap<string, string>): void {
  removed = groups
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns a function that omits the groups that the user has removed. A group that has grown since is shown again. */
export function useRemovedGroups(): (groups: readonly LoadedGroup[]) => LoadedGroup[] {
  const hidden = useSyncExternalStore(subscribe, () => removed)
  return (groups) => groups.filter(({ groupKey, id }) => hidden.get(groupKey) !== id)
}

/**
 * Hides a group in all lists at once, and removes it by a request.
 * @throws what the request throws, after the group is shown again
 */
export async function removeGroup(
  client: QueryClient,
  { groupKey, id }: Group,
  request: () => PromiseLike<unknown>,
): Promise<void> {
  setRemoved(new Map(removed).set(groupKey, id))
  try {
    await request()
  } catch (error) {
    setRemoved(new Map([...removed].filter(([key]) => key !== groupKey)))
    throw error
  }
  // The pages are stored for the next visit.
  const isKept = (group: Group) => group.groupKey !== groupKey || group.id !== id
  client.setQueriesData<NotificationPages>(
    { queryKey: ['notifications'] },
    (data) => data && { ...data, pages: data.pages.map((page) => page.filter(isKept)) },
  )
}
