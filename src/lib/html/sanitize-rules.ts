import { cleanText } from '../text/clean-text.ts'

/** Elements that are kept. `h1` to `h6` become bold paragraphs, `math` its TeX. */
export const ALLOWED_ELEMENTS = new Set(
  'p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp'.split(' '),
)
export const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** Elements that are removed with their content. */
export const REMOVED_ELEMENTS = new Set(
  'script style svg iframe object embed template title noscript noembed noframes xmp plaintext'.split(' '),
)
/** Elements that close an open paragraph. */
export const BLOCKS = new Set(['p', 'pre', 'blockquote', 'ul', 'ol', 'li', ...HEADINGS])
/** Elements whose tags are removed, but that separate words. */
export const SEPARATORS = new Set(
  `address article aside caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header
  hgroup hr legend main menu nav section summary table tbody td tfoot th thead tr`.split(/\s+/),
)

const SCHEMES = new Set('http https dat dweb ipfs ipns ssb gopher xmpp magnet gemini'.split(' '))
const MICROFORMAT = /^(?:h|p|u|dt|e)-[A-Za-z0-9-]+$/
const CLASSES = new Set(['mention', 'hashtag', 'ellipsis', 'invisible', 'quote-inline'])
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,6}$/

export type ElementAttributes = Readonly<Record<string, string | undefined>>

/**
 * Returns the target of a link, or null if the link must become text: no URL, one without a scheme (`/path`, `//host`),
 * or one with a scheme that is not allowed.
 */
export function sanitizeHref(value: string | undefined): string | null {
  if (value === undefined) return null
  // Browsers drop surrounding white space and all tabs and line ends before they parse the scheme.
  const href = cleanText(value)
    .replace(/[\t\n]/g, '')
    .trim()
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme === undefined || !SCHEMES.has(scheme)) return null
  if (scheme.startsWith('http') && !/^https?:\/\/[^/\\?#]/i.test(href)) return null
  return URL.canParse(href) ? href : null
}

/** Returns the allowed attributes of an element as HTML, each with a leading space. */
export function serializeAttributes(name: string, from: ElementAttributes, href: string | null): string {
  let out = href === null ? '' : ` href="${escapeAttribute(href)}"`
  const { class: classes, lang, rel, reversed, start, translate, value } = from
  if (name === 'a' || name === 'span' || name === 'p') {
    const allowedClasses = (classes ?? '').split(/\s+/).filter((token) => CLASSES.has(token) || MICROFORMAT.test(token))
    if (allowedClasses.length > 0) out += ` class="${allowedClasses.join(' ')}"`
  }
  if (href !== null) {
    const isTag = (rel ?? '').toLowerCase().split(/\s+/).includes('tag')
    out += ` rel="${isTag ? 'tag ' : ''}nofollow noopener" target="_blank"`
  }
  if ((name === 'a' || name === 'span') && translate === 'no') out += ' translate="no"'
  if (name === 'ol' && isInteger(start)) out += ` start="${start}"`
  if (name === 'ol' && reversed !== undefined) out += ' reversed=""'
  if (name === 'li' && isInteger(value)) out += ` value="${value}"`
  if (lang !== undefined && LANGUAGE_TAG.test(lang)) out += ` lang="${lang}"`
  return out
}

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;')
}

function isInteger(value: string | undefined): boolean {
  return value !== undefined && /^-?\d{1,9}$/.test(value)
}
