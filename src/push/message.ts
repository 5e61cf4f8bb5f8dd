import type { Notification } from '../entities/notification.ts'
import { selectLocale } from '../lib/messages/locales.ts'
import type { Locale } from '../lib/messages/locales.ts'
import { message } from '../lib/messages/message.ts'
import { plainText } from '../lib/text/plainText.ts'
import { MAX_PUSH_BYTES } from '../platform/push/encrypt.ts'

const NAME_LENGTH = 60
const BODY_LENGTH = 140

/** Returns the payload of a push: JSON with the keys of Mastodon (WebPushSubscription). It fits into one push message. */
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
  const name = shorten(account.display_name.trim() || account.username, NAME_LENGTH)
  const facts = {
    access_token: token,
    preferred_locale: locale,
    // The one place where programs read an id as a number only; theirs are small.
    notification_id: Number(id),
    notification_type: type,
    title: message(selectLocale({ setting: locale, serverDefault: defaultLocale }), `push.title.${type}`, { name }),
  }
  const body = shorten(bodyOf(notification), BODY_LENGTH)
  const whole = encode({ ...facts, icon: account.avatar_static, body })
  // Only an address without measure is as long.
  return whole.length <= MAX_PUSH_BYTES ? whole : encode({ ...facts, icon: '', body })
}

/** A post behind a warning shows the warning. What is about nothing else shows what its sender says of themselves. */
function bodyOf({ type, status, account }: Notification): string {
  if (status) return status.spoiler_text || plainText(status.content ?? '')
  return type === 'follow' || type === 'follow_request' ? plainText(account.note) : ''
}

/** At most so many characters of a text, in one line. */
function shorten(text: string, length: number): string {
  const characters = Array.from(text.replace(/\s+/gu, ' ').trim())
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}

const encode = (message: object): Buffer => Buffer.from(JSON.stringify(message))
