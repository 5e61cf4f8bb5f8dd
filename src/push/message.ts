import type { Notification } from '../entities/notifications/notification.ts'
import { selectLocale } from '../lib/messages/locales.ts'
import type { Locale } from '../lib/messages/locales.ts'
import { message } from '../lib/messages/message.ts'
import { stripDirectionOverrides } from '../lib/html/html.ts'
import { htmlToPlainText } from '../lib/html/html-to-plain-text.ts'
import { MAX_PUSH_BYTES } from '../platform/push/encrypt-push.ts'

const NAME_LENGTH = 60
const BODY_LENGTH = 140

/**
 * Returns the payload of a push: JSON with the keys of Mastodon (WebPushSubscription). It fits into one push message.
 */
export function pushMessage({
  notification,
  token,
  locale,
  defaultLocale,
}: {
  notification: Notification
  token: string
  /** The setting of the user (BCP 47), and the default of the server. */
  locale: string
  defaultLocale: Locale
}): Buffer {
  const { id, type, account } = notification
  // Otherwise a name could reorder the rest of the title.
  const name = shorten(stripDirectionOverrides(account.display_name).trim() || account.username, NAME_LENGTH)
  const facts = {
    access_token: token,
    preferred_locale: locale,
    // Clients parse this id as a number only. Ids of notifications are small enough to be exact.
    notification_id: Number(id),
    notification_type: type,
    title: message(selectLocale({ setting: locale, serverDefault: defaultLocale }), `push.title.${type}`, { name }),
  }
  const body = shorten(bodyOf(notification), BODY_LENGTH)
  const whole = encode({ ...facts, icon: account.avatar_static, body })
  // The message is too long only if the URL of the icon is.
  return whole.length <= MAX_PUSH_BYTES ? whole : encode({ ...facts, icon: '', body })
}

/** Returns the text of the status, or its content warning if it has one; for a follow, the biography of the account. */
function bodyOf({ type, status, account }: Notification): string {
  if (status) return status.spoiler_text || htmlToPlainText(status.content ?? '')
  return type === 'follow' || type === 'follow_request' ? htmlToPlainText(account.note) : ''
}

/** Returns a text on one line, cut to the number of characters. */
function shorten(text: string, length: number): string {
  const characters = Array.from(text.replace(/\s+/gu, ' ').trim())
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}

const encode = (message: object): Buffer => Buffer.from(JSON.stringify(message))
