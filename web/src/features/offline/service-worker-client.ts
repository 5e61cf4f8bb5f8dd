import { SHELL_CACHE, SHELL_PATH } from '../../lib/offline-data.ts'

/**
 * Starts the service worker, which shows the client without a network and the notifications that the server pushes.
 * `open` shows a page of the client, for a notification that the user has opened.
 */
export async function startServiceWorker({ open }: { open: (path: string) => void }): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ type?: string; path?: string }>) => {
    if (data.type === 'open' && data.path) open(data.path)
  })
  await navigator.serviceWorker.register('/web/service-worker.js', { scope: '/' })
  await saveShell()
}

/** The first document was loaded before there was a service worker that could save it. */
async function saveShell(): Promise<void> {
  const cache = await caches.open(SHELL_CACHE)
  if (!(await cache.match(SHELL_PATH))) await cache.add(SHELL_PATH)
}
