import { html } from '../../lib/html.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { sanitizeHtml } from '../../lib/text/sanitize.ts'
import type { WireObject } from '../wire/normalise.ts'
import {
  audienceOf,
  dateOf,
  fits,
  flagOf,
  idOf,
  isOfType,
  lineOf,
  linksOf,
  listOf,
  momentOf,
  textOf,
  textsByLanguage,
  totalOf,
} from '../wire/read.ts'
import { Unreadable } from '../wire/unreadable.ts'
import { LIMITS } from './limits.ts'
import { readAttachments } from './read-attachments.ts'
import type { AttachmentFacts } from './read-attachments.ts'
import { readPoll } from './read-poll.ts'
import type { PollFacts } from './read-poll.ts'
import { readQuote, readQuoteRules } from './read-quote.ts'
import type { QuoteFacts, QuoteRules } from './read-quote.ts'
import { readTags } from './read-tags.ts'
import type { TagFacts } from './read-tags.ts'

/** What somebody elsewhere wrote, as far as it is understood here. Nothing in it has been proven. */
export interface NoteFacts extends TagFacts {
  uri: string
  /** Where a browser reads it. */
  url: string
  /** Its author's id. */
  attributedTo: string
  to: string[]
  cc: string[]
  /** Clean HTML. */
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  inReplyTo: string | null
  /** null: not told, or before there was a network. Never in the future. */
  publishedAt: Date | null
  /** When it was last edited, by the clock of its server; null: never, as far as it tells. */
  updatedAt: Date | null
  attachments: AttachmentFacts[]
  poll: PollFacts | null
  /** When it may be a vote: the option that it names, in a poll that it answers. */
  vote: string | null
  quote: QuoteFacts | null
  quoteRules: QuoteRules
  conversation: string | null
  /** The collection of its replies. */
  repliesUrl: string | null
  /** What the origin says of itself; null: it does not. */
  repliesCount: number | null
  likesCount: number | null
  sharesCount: number | null
}

const NATIVE = new Set(['Note', 'Question'])

/** Other kinds of things become a title, a summary and a link. */
const CONVERTED = new Set(['Article', 'Page', 'Video', 'Image', 'Audio', 'Event'])

/** Whether an object is of a kind that becomes a status. */
export function isNote(object: WireObject): boolean {
  return isOfType(object, NATIVE) || isOfType(object, CONVERTED)
}

/**
 * Reads a note, a question, or one of the kinds that are shown as a title with a link.
 * @throws Unreadable for other kinds, and for what has no id or no author
 */
export function readNote(object: WireObject, { now }: { now: Date }): NoteFacts {
  if (!isNote(object)) throw new Unreadable('No note')
  const uri = idOf(object)
  const attributedTo = idOf(object['attributedTo'])
  if (uri === null || attributedTo === null) throw new Unreadable('A note has an id and an author')
  const native = isOfType(object, NATIVE)
  const url = pageOf(object) ?? uri
  const written = native ? readContent(object) : convert(object, url)
  const inReplyTo = idOf(object['inReplyTo'])
  const spoilerText = native ? summaryOf(object) : ''
  return {
    uri,
    url,
    attributedTo,
    to: audienceOf(object['to'], LIMITS.recipients),
    cc: audienceOf(object['cc'], LIMITS.recipients),
    content: sanitizeHtml(written.html),
    language: written.language,
    spoilerText,
    sensitive: flagOf(object['sensitive']) === true || spoilerText !== '',
    inReplyTo,
    publishedAt: momentOf(object['published'], now),
    updatedAt: editOf(object),
    ...readTags(object),
    attachments: readAttachments(object),
    poll: native ? readPoll(object, { now }) : null,
    vote: native && inReplyTo !== null && written.html === '' ? lineOf(object['name'], LIMITS.option) : null,
    quote: readQuote(object),
    quoteRules: readQuoteRules(object),
    conversation: conversationOf(object),
    repliesUrl: idOf(object['replies']),
    repliesCount: totalOf(object['replies']),
    likesCount: totalOf(object['likes']),
    sharesCount: totalOf(object['shares']),
  }
}

function readContent(object: WireObject): { html: string; language: string | null } {
  const texts = textsByLanguage(object['contentMap'])
  const content = textOf(object['content'], LIMITS.content)
  // Of several languages the one that the text is in.
  const chosen = texts.find(({ text }) => text === object['content']) ?? texts[0]
  return { html: content ?? textOf(chosen?.text, LIMITS.content) ?? '', language: languageOf(object, chosen?.language) }
}

function languageOf(object: WireObject, chosen: string | undefined): string | null {
  const [named] = [
    chosen,
    textsByLanguage(object['nameMap'])[0]?.language,
    textsByLanguage(object['summaryMap'])[0]?.language,
  ].filter((one) => one !== undefined)
  return normalizeLanguage(named)
}

function convert(object: WireObject, url: string): { html: string; language: string | null } {
  const title =
    lineOf(object['name'], LIMITS.title) ?? lineOf(textsByLanguage(object['nameMap'])[0]?.text, LIMITS.title)
  const parts = [
    title === null ? '' : html`<h2>${title}</h2>`.toString(),
    // Made clean by itself, so that a tag that it leaves open ends there.
    sanitizeHtml(summaryOf(object)),
    html`<p><a href="${url}">${url}</a></p>`.toString(),
  ]
  return {
    html: parts.join(''),
    language: languageOf(object, textsByLanguage(object['contentMap'])[0]?.language),
  }
}

/** Like the text, it may be told in a map only. */
function summaryOf(object: WireObject): string {
  const [first] = textsByLanguage(object['summaryMap'])
  return (textOf(object['summary'], LIMITS.summary) ?? textOf(first?.text, LIMITS.summary) ?? '').trim()
}

/** Not brought back to now: edits by a clock that is ahead could not be put in order any more. */
function editOf(object: WireObject): Date | null {
  const [published, updated] = [dateOf(object['published']), dateOf(object['updated'])]
  return updated !== null && updated > (published ?? 0) ? updated : null
}

/** The page for people among the addresses of a note. */
function pageOf(object: WireObject): string | null {
  const links = linksOf(object['url'], LIMITS.links)
  return (links.find(({ mediaType }) => mediaType?.startsWith('text/html')) ?? links[0])?.url ?? null
}

/** The name of a thread; not an address, so it need not look like one. */
function conversationOf(object: WireObject): string | null {
  for (const name of ['conversation', 'context']) {
    const [value] = listOf(object[name])
    if (typeof value !== 'string' || !fits(value, LIMITS.conversation)) continue
    if (/^(?:https?|tag|urn|ostatus):\S+$/i.test(value)) return value
  }
  return null
}
