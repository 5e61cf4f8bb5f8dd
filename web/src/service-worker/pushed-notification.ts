/** What a push contains (Mastodon: the payload of Web Push). */
export interface PushPayload {
  access_token: string
  notification_id: number
  notification_type: string
  title: string
  body: string
  icon: string
}

/** The part of a notification of the API that the service worker needs. */
export interface PushedNotification {
  account: { id: string; acct: string }
  status?: { id: string; visibility: string; account: { acct: string } } | null
  collection?: { id: string } | null
}

/** What belongs to a shown notification. */
export interface NotificationData {
  /** The page of the client that shows it. */
  path: string
  /** Null if the server could not be reached. */
  accountId: string | null
  token: string
  /** The API path to which each button sends a request. */
  requests: Readonly<Record<string, string>>
}

/** Returns the page that shows a notification. */
export function pathOf(type: string, notification: PushedNotification | null): string {
  if (!notification) return '/notifications'
  const { account, status, collection } = notification
  if (status) return `/@${status.account.acct}/${status.id}`
  if (collection) return `/collections/${collection.id}`
  if (type === 'follow') return `/@${account.acct}`
  return type === 'follow_request' ? '/follow_requests' : '/notifications'
}

/** Returns the API paths of the buttons of a notification, by the name of the button. */
export function requestsOf(type: string, notification: PushedNotification | null): Record<string, string> {
  const { status, account } = notification ?? {}
  if (type === 'follow_request' && account) {
    const path = `/api/v1/follow_requests/${account.id}`
    return { authorize: `${path}/authorize`, reject: `${path}/reject` }
  }
  if (!status || !['mention', 'status', 'quote'].includes(type)) return {}
  const path = `/api/v1/statuses/${status.id}`
  const isPublic = status.visibility === 'public' || status.visibility === 'unlisted'
  return { favourite: `${path}/favourite`, ...(isPublic && { reblog: `${path}/reblog` }) }
}
