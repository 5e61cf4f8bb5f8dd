import { listSessionAccounts } from './auth/sessions.ts'
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
    endBrowserSubscription(accountId),
  ])
}

/**
 * Ends the push subscription of the browser for an account, unless other accounts use it, too: a browser has only one.
 * The server has one for each token.
 */
export async function endBrowserSubscription(accountId: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const accountIds = await listSessionAccounts().catch(() => [])
  if (accountIds.some((id) => id !== accountId)) return
  const registration = await navigator.serviceWorker.getRegistration('/')
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
