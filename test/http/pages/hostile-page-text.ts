import { raw } from '../../../src/lib/html/html.ts'
import type { Locale } from '../../../src/lib/messages/locales.ts'
import type { Frame } from '../../../src/http/pages/layout/layout.ts'
import type { PageAccount } from '../../../src/http/pages/layout/page-account.ts'

/** Breaks out of text, both kinds of quotes and comments, and changes the direction of the following text. */
export const HOSTILE = `ev\u202eil"'>--><script>alert(1)</script><img src=x onerror=alert(2)>&lt;\u2067`
/** The same without bidirectional characters, for texts of Linnet or the administrator. */
export const HOSTILE_WITHOUT_BIDI = HOSTILE.replace(/[\u202e\u2067]/g, '')
export const HOSTILE_URL = `javascript:alert("1")//'><script>`

export const now = new Date('2026-05-14T12:00:00Z')
export const viewer: PageAccount = {
  name: HOSTILE,
  handle: `${HOSTILE}@${HOSTILE}`,
  url: HOSTILE_URL,
  avatar: HOSTILE_URL,
  emojis: [{ shortcode: HOSTILE, url: HOSTILE_URL }],
}
/** Returns the layout parameters of a page in one language, for a visitor and for a logged-in user. */
export function framesIn(locale: Locale): { frame: Frame; inside: Frame } {
  const frame = { ...baseFrame, locale }
  return { frame, inside: { ...frame, viewer, accountState: 'usable' } }
}

const baseFrame: Omit<Frame, 'locale'> = {
  siteTitle: HOSTILE,
  domain: HOSTILE,
  version: HOSTILE_WITHOUT_BIDI,
  sourceUrl: HOSTILE_URL,
  csrf: HOSTILE_WITHOUT_BIDI,
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
  author: viewer,
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
  reblogs: 2,
  favourites: 3_000,
}
