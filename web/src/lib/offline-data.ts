import { deleteValues } from './database.ts'

/** The cache with the document of this client, which the service worker shows without a network. */
export const SHELL_CACHE = 'linnet-shell'
export const SHELL_PATH = '/home'

/** The key of something that is stored for one account. */
export const accountKey = (accountId: string, name: string): string => `${accountId}/${name}`

/** Deletes what others could read in this browser without a network, and ends its pushes. */
export async function deleteOfflineData(accountId: string): Promise<void> {
  await Promise.allSettled([
    ...(['timelines', 'settings', 'queue'] as const).map((store) => deleteValues(store, accountKey(accountId, ''))),
    'caches' in window && caches.delete(SHELL_CACHE),
    endPushes(),
  ])
}

async function endPushes(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration('/')
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
