import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts'
import { escapeText } from '../../lib/html/sanitize-rules.ts'
import type { WireObject } from '../wire/normalize.ts'
import { hostOf, idOf, isOfType, isSameHost, lineOf, objectsOf } from '../wire/read-values.ts'
import { LIMITS } from '../objects/read/limits.ts'

/** A mentioned account, as the tags of a post describe it. */
interface Mention {
  uri: string
  /** Without a domain if the account was on the same server as the author. */
  username: string
  domain: string | null
}

const MENTION = new Set(['Mention'])

// The sanitiser writes each link in this form, and no link within another one.
const LINK = /<a href="([^"]*)"((?: [a-z]+="[^"]*")*)>(.*?)<\/a>/gs
const QUOTE_CLASS = ' class="quote-inline"'

/**
 * Returns the text of a post, as its author could have typed it, from its sanitised HTML: empty lines between
 * paragraphs, complete URLs, complete handles. A link with a text of its own is followed by its URL.
 */
export function postTextOf(content: string, { object }: { object: WireObject }): string {
  const mentions = readMentions(object)
  const html = content
    // The URL of a quoted post is the only trace of the quote.
    .replaceAll(QUOTE_CLASS, '')
    .replaceAll(LINK, (_link, href: string, attributes: string, inner: string) => {
      const isMention = /\bclass="[^"]*\bmention\b/.test(attributes)
      return escapeText(linkText({ url: unescape(href), text: htmlToPlainText(inner), isMention, mentions }))
    })
  return htmlToPlainText(html)
}

function linkText({
  url,
  text,
  isMention,
  mentions,
}: {
  url: string
  text: string
  isMention: boolean
  mentions: readonly Mention[]
}): string {
  if (text === '') return url
  if (text.startsWith('#')) return text
  if (isMention && text.startsWith('@')) return handleOf({ url, text, mentions })
  if (bareUrl(url) === bareUrl(text)) return url
  // A URL that is shortened by its text instead of by hidden parts.
  const beginning = text.endsWith('…') && bareUrl(text.slice(0, -1))
  if (beginning && bareUrl(url).startsWith(beginning)) return url
  return `${text} (${url})`
}

/** Returns the complete handle of a mentioned account. */
function handleOf({ url, text, mentions }: { url: string; text: string; mentions: readonly Mention[] }): string {
  const [username = '', domain] = text.slice(1).split('@')
  const named = mentions.filter((one) => one.username.toLowerCase() === username.toLowerCase())
  const mention =
    named.find((one) => one.uri === url) ??
    named.find((one) => domain !== undefined && one.domain === domain) ??
    named.find((one) => isSameHost(one.uri, url)) ??
    (named.length === 1 ? named[0] : undefined)
  const host = domain ?? mention?.domain ?? hostOf(mention?.uri ?? url)
  return host === null ? `@${username}` : `@${username}@${host}`
}

function readMentions(object: WireObject): Mention[] {
  return objectsOf(object['tag'], LIMITS.tags).flatMap((tag) => {
    const uri = isOfType(tag, MENTION) ? idOf(tag['href']) : null
    const [, username, domain = null] =
      /^@?([^@\s]+)(?:@([^@\s]+))?$/.exec(lineOf(tag['name'], LIMITS.field) ?? '') ?? []
    return uri !== null && username !== undefined ? [{ uri, username, domain }] : []
  })
}

function bareUrl(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
}

function unescape(attribute: string): string {
  return attribute.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
