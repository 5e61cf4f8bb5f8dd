import { raw } from '../src/lib/html.ts'
import type { Locale } from '../src/lib/messages/locales.ts'
import type { Frame } from '../src/http/pages/layout/layout.ts'
import type { PageAccount } from '../src/http/pages/layout/page-account.ts'

/** Breaks out of text, of both kinds of quotes and of a comment, and turns the direction of what follows. */
export const HOSTILE = `ev\u202eil"'>--><script>alert(1)</script><img src=x onerror=alert(2)>&lt;\u2067`
/** The same without direction, where the text is our own or the administrator's. */
export const STRAIGHT = HOSTILE.replace(/[\u202e\u2067]/g, '')
export const HOSTILE_URL = `javascript:alert("1")//'><script>`

export const now = new Date('2026-05-14T12:00:00Z')
export const person: PageAccount = {
  name: HOSTILE,
  handle: `${HOSTILE}@${HOSTILE}`,
  url: HOSTILE_URL,
  avatar: HOSTILE_URL,
  emojis: [{ shortcode: HOSTILE, url: HOSTILE_URL }],
}
/** A page's surroundings in one language, for a visitor and for a user who is logged in. */
export function framesIn(locale: Locale): { frame: Frame; inside: Frame } {
  const frame = { ...surroundings, locale }
  return { frame, inside: { ...frame, viewer: person } }
}

const surroundings: Omit<Frame, 'locale'> = {
  siteTitle: HOSTILE,
  domain: HOSTILE,
  version: STRAIGHT,
  sourceUrl: HOSTILE_URL,
  csrf: STRAIGHT,
  registrations: 'open',
  flash: { kind: 'alert', text: HOSTILE },
  hasPrivacyPolicy: true,
  hasTerms: true,
}
const media = (['image', 'gifv', 'video', 'audio', 'unknown'] as const).map((kind) => ({
  kind,
  url: HOSTILE_URL,
  preview: kind === 'video' ? HOSTILE_URL : null,
  description: HOSTILE,
  blurhash: HOSTILE,
}))
export const post = {
  id: '1',
  url: HOSTILE_URL,
  at: now,
  author: person,
  warning: HOSTILE,
  sensitive: true,
  content: raw('<p>clean</p>'),
  language: HOSTILE,
  emojis: [{ shortcode: 'x', url: HOSTILE_URL }],
  media,
  poll: {
    options: [
      { title: HOSTILE, votes: 1 },
      { title: HOSTILE, votes: null },
    ],
    votes: 2,
    ended: true,
  },
  replies: 1,
  boosts: 2,
  favourites: 3_000,
}
