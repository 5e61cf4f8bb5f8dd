import type { Notification } from '../entities/notification.ts'
import { plainText } from '../lib/text/plainText.ts'
import { MAX_PUSH_BYTES } from '../platform/push/encrypt.ts'

const NAME_LENGTH = 60
const BODY_LENGTH = 140

/** What is said of each kind of notification, of the one who caused it. */
const TITLES: Record<Notification['type'], (name: string) => string> = {
  mention: (name) => `${name} mentioned you`,
  status: (name) => `${name} just posted`,
  reblog: (name) => `${name} boosted your post`,
  follow: (name) => `${name} follows you now`,
  follow_request: (name) => `${name} asks to follow you`,
  favourite: (name) => `${name} favourited your post`,
  poll: (name) => `A poll by ${name} has ended`,
  update: (name) => `${name} edited a post`,
  quote: (name) => `${name} quoted you`,
  quoted_update: (name) => `${name} edited a post that you quoted`,
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} sent a report`,
  severed_relationships: () => 'You lost followers or people whom you followed',
  moderation_warning: () => 'The moderators have something to tell you',
  annual_report: () => 'See what your year was like',
  added_to_collection: (name) => `${name} added you to a collection`,
  collection_update: (name) => `${name} changed a collection that you are in`,
}

/** What a program is told: JSON, with the keys that programs know from Mastodon. It fits into one push. */
export function pushMessage({
  notification,
  token,
  locale,
}: {
  notification: Notification
  token: string
  locale: string
}): Buffer {
  const { id, type, account } = notification
  const facts = {
    access_token: token,
    preferred_locale: locale,
    // The one place where programs read an id as a number only; theirs are small.
    notification_id: Number(id),
    notification_type: type,
    title: TITLES[type](shorten(account.display_name.trim() || account.username, NAME_LENGTH)),
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
