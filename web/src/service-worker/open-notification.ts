import type { NotificationData } from './pushed-notification.ts'

/** Sends the request of the pressed button, or opens the page of the notification, in a window that is already open. */
export async function openNotification(clients: Clients, { action, notification }: NotificationEvent): Promise<void> {
  const { path, token, requests } = notification.data as NotificationData
  const request = requests[action]
  if (request !== undefined) {
    const response = await fetch(request, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    if (response.ok) return
  }
  const windows = await clients.matchAll({ type: 'window' })
  const [opened] = windows
  if (!opened) return void (await clients.openWindow(path))
  await opened.focus()
  // A window of this worker always has its origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  opened.postMessage({ type: 'open', path })
}
