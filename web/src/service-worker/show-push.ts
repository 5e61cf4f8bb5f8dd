import { pathOf, requestsOf } from './pushed-notification.ts'
import type { NotificationData, PushedNotification, PushPayload } from './pushed-notification.ts'

/** Where `features/offline/push-subscription.ts` stores the labels of the buttons. */
const TEXTS_URL = '/web/notification-texts'

/** Shows a notification that the server has pushed. Browsers require that each push shows one. */
export async function showPush(
  registration: ServiceWorkerRegistration,
  { data }: { data: PushMessageData | null },
): Promise<void> {
  const payload = data?.json() as PushPayload | undefined
  if (!payload) return
  const { access_token: token, notification_id: id, notification_type: type, title, body, icon } = payload
  const [notification, account] = await Promise.all([
    fetchAs<PushedNotification>(token, `/api/v1/notifications/${id}`),
    fetchAs<{ id: string }>(token, '/api/v1/accounts/verify_credentials'),
  ])
  const requests = requestsOf(type, notification)
  const options = {
    body,
    icon: icon || '/pages/icon-192.png',
    badge: '/pages/icon-48.png',
    tag: `notification-${id}`,
    data: {
      path: pathOf(type, notification),
      accountId: account?.id ?? null,
      token,
      requests,
    } satisfies NotificationData,
    actions: await labelled(Object.keys(requests)),
  }
  await registration.showNotification(title, options)
}

/** Loads what the payload does not contain. Returns null if the server cannot be reached. */
async function fetchAs<Entity>(token: string, path: string): Promise<Entity | null> {
  try {
    const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    return response.ok ? ((await response.json()) as Entity) : null
  } catch {
    return null
  }
}

async function labelled(actions: readonly string[]): Promise<{ action: string; title: string }[]> {
  const stored = actions.length > 0 ? await caches.match(TEXTS_URL) : undefined
  if (!stored) return []
  const texts = (await stored.json()) as Record<string, string>
  return actions.flatMap((action) => (texts[action] ? [{ action, title: texts[action] }] : []))
}
