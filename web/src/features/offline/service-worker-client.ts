import { SHELL_CACHE, SHELL_PATH } from '../../lib/offline-data.ts'
import { currentAccountId, switchAccount } from '../../lib/session.ts'

/** What the service worker sends to windows after a press of a notification for an account. */
interface WorkerMessage {
  /** `ask`: whether the window has this account; `open`: to show a page. */
  type?: 'ask' | 'open'
  path?: string
  /** Null: any account. */
  accountId?: string | null
}

/**
 * Starts the service worker, which shows the client without a network and the notifications that the server pushes.
 * `open` shows a page of the client, for a notification that the user has opened.
 */
export async function startServiceWorker({ open }: { open: (path: string) => void }): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<WorkerMessage>) => {
    const { type, path, accountId } = data
    const isOther = typeof accountId === 'string' && accountId !== currentAccountId()
    if (type === 'ask') ports[0]?.postMessage(!isOther)
    if (type !== 'open' || !path) return
    if (isOther) switchAccount(accountId, path)
    else open(path)
  })
  await navigator.serviceWorker.register('/web/service-worker.js', { scope: '/' })
  await saveShell()
}

/** The first document was loaded before there was a service worker that could save it. */
async function saveShell(): Promise<void> {
  const cache = await caches.open(SHELL_CACHE)
  if (!(await cache.match(SHELL_PATH))) await cache.add(SHELL_PATH)
}
