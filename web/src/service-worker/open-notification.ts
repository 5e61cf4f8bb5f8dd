import type { NotificationData } from './pushed-notification.ts'

/** A window in the background may be frozen, and then does not answer. */
const ANSWER_MS = 500

/** Whether the client opens at a path. */
type IsClientPage = (pathname: string) => boolean
/**
 * Sends the request of the pressed button, or opens the page of the notification: in a window that shows the client with
 * the account that got the notification, else in a new one.
 */
export async function openNotification(
  clients: Clients,
  { action, notification }: NotificationEvent,
  isClientPage: IsClientPage,
): Promise<void> {
  const { path, accountId, token, requests } = notification.data as NotificationData
  const request = requests[action]
  if (request !== undefined) {
    const response = await fetch(request, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    if (response.ok) return
  }
  const window = await findWindow(clients, { accountId, isClientPage })
  if (!window) return void (await clients.openWindow(accountId === null ? path : `${path}#account=${accountId}`))
  // Browsers allow only one window to get the focus.
  await window.focus()
  window.postMessage({ type: 'open', path, accountId }, [])
}

async function findWindow(
  clients: Clients,
  { accountId, isClientPage }: { accountId: string | null; isClientPage: IsClientPage },
): Promise<WindowClient | undefined> {
  const windows = await clients.matchAll({ type: 'window' })
  const answers = await Promise.all(windows.map((window) => ask(window, accountId)))
  return (
    windows.find((_, index) => answers[index] === true) ??
    windows.find(({ url }, index) => answers[index] === null && isClientPage(new URL(url).pathname))
  )
}

/** Asks a window whether it shows the client with an account. Returns null without an answer. */
async function ask(window: WindowClient, accountId: string | null): Promise<boolean | null> {
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<boolean | null>()
  const timer = setTimeout(resolve, ANSWER_MS, null)
  port1.addEventListener('message', ({ data }: MessageEvent<boolean>) => resolve(data))
  port1.start()
  window.postMessage({ type: 'ask', accountId }, [port2])
  const answer = await promise
  clearTimeout(timer)
  port1.close()
  return answer
}
