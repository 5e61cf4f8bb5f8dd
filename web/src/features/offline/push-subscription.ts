import { MastoHttpError } from 'masto'
import { endBrowserSubscription } from '../../lib/offline-data.ts'
import { api, currentAccountId } from '../../lib/session.ts'
import { message } from '../../lib/i18n/messages.ts'

/** The kinds of notifications that users choose, by their names in the API. */
export const ALERTS = [
  'mention',
  'quote',
  'status',
  'reblog',
  'favourite',
  'follow',
  'followRequest',
  'poll',
  'update',
] as const
type Alert = (typeof ALERTS)[number]

export const PUSH_POLICIES = ['all', 'followed', 'follower'] as const
type PushPolicy = (typeof PUSH_POLICIES)[number]

/** Which notifications are pushed to this browser. */
export interface PushPreferences {
  alerts: Readonly<Partial<Record<Alert, boolean>>>
  policy: PushPolicy
}

/** The user has forbidden notifications of this site in the browser. */
export class PushForbiddenError extends Error {
  override readonly name = 'PushForbiddenError'
}

/** Where the service worker finds the labels of the buttons. It has no catalogue of its own. */
const TEXTS_CACHE = 'linnet-texts'
const TEXTS_URL = '/web/notification-texts'

/** Returns whether this browser can receive pushes. On iPhones, only installed sites can. */
export const supportsPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

/** Returns the preferences of this browser; null if it receives no pushes. */
export async function fetchPushPreferences(): Promise<PushPreferences | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (!(await registration?.pushManager.getSubscription())) return null
  try {
    const { alerts, policy } = (await api().v1.push.subscription.fetch()) as unknown as PushPreferences
    return { alerts, policy }
  } catch (error) {
    if (error instanceof MastoHttpError && error.statusCode === 404) return null
    throw error
  }
}

/** Subscribes this browser (Web Push, RFC 8291). @throws PushForbiddenError */
export async function subscribeToPush(preferences: PushPreferences): Promise<PushPreferences> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushForbiddenError('Notifications are denied')
  const { configuration } = await api().v2.instance.fetch()
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: configuration.vapid.publicKey,
  })
  const { endpoint, keys } = subscription.toJSON()
  await saveTexts()
  await api().v1.push.subscription.create({
    subscription: { endpoint, keys, standard: true },
    data: preferences,
  } as unknown as Parameters<ReturnType<typeof api>['v1']['push']['subscription']['create']>[0])
  return preferences
}

export async function changePushPreferences(preferences: PushPreferences): Promise<PushPreferences> {
  await api().v1.push.subscription.update({ data: preferences })
  return preferences
}

/** Ends the pushes of the account to this browser. */
export async function unsubscribeFromPush(): Promise<null> {
  await api().v1.push.subscription.remove()
  await endBrowserSubscription(currentAccountId())
  return null
}

async function saveTexts(): Promise<void> {
  const texts = {
    favourite: message('web.status.favourite'),
    reblog: message('web.status.reblog'),
    authorize: message('web.push.accept'),
    reject: message('web.push.reject'),
  }
  await (await caches.open(TEXTS_CACHE)).put(TEXTS_URL, Response.json(texts))
}
