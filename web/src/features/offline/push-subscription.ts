import { MastoHttpError } from 'masto'
import { deleteValue, readValue, writeValue } from '../../lib/database.ts'
import { accountKey, endBrowserSubscription } from '../../lib/offline-data.ts'
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
  await renewPushes().catch(() => undefined)
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (!(await registration?.pushManager.getSubscription())) return null
  const subscription = await fetchSubscription()
  return subscription && { alerts: subscription.alerts, policy: subscription.policy }
}

/** Returns the subscription of the token at the server; null if there is none. */
async function fetchSubscription(): Promise<(PushPreferences & { endpoint: string }) | null> {
  try {
    return (await api().v1.push.subscription.fetch()) as unknown as PushPreferences & { endpoint: string }
  } catch (error) {
    if (error instanceof MastoHttpError && error.statusCode === 404) return null
    throw error
  }
}

/** Subscribes this browser (Web Push, RFC 8291). @throws PushForbiddenError */
export async function subscribeToPush(preferences: PushPreferences): Promise<PushPreferences> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushForbiddenError('Notifications are denied')
  await createSubscription(preferences)
  await rememberPreferences(preferences)
  return preferences
}

async function createSubscription(preferences: PushPreferences): Promise<void> {
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
}

const preferencesKey = () => accountKey(currentAccountId(), 'push')

/** The server forgets them with the token, and when the push service ends the subscription. */
async function rememberPreferences(preferences: PushPreferences): Promise<void> {
  await writeValue('settings', preferencesKey(), preferences).catch(() => undefined)
}

/**
 * Turns the pushes on again that the user has not turned off: the client has a new token, or the browser has replaced
 * its subscription.
 */
export async function renewPushes(): Promise<void> {
  const preferences = await readValue<PushPreferences>('settings', preferencesKey())
  if (!preferences || !supportsPush() || Notification.permission !== 'granted') return
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (!registration) return
  const [own, known] = await Promise.all([registration.pushManager.getSubscription(), fetchSubscription()])
  if (!own || own.endpoint !== known?.endpoint) await createSubscription(preferences)
}

export async function changePushPreferences(preferences: PushPreferences): Promise<PushPreferences> {
  await api().v1.push.subscription.update({ data: preferences })
  await rememberPreferences(preferences)
  return preferences
}

/** Ends the pushes of the account to this browser. */
export async function unsubscribeFromPush(): Promise<null> {
  await deleteValue('settings', preferencesKey()).catch(() => undefined)
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
