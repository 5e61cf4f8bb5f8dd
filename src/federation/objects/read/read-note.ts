import { html } from '../../../lib/html/html.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { sanitizeHtml } from '../../../lib/html/sanitize.ts'
import type { WireObject } from '../../wire/normalize.ts'
import {
  audienceOf,
  dateOf,
  fitsBytes,
  flagOf,
  idOf,
  isOfType,
  isSameHost,
  lineOf,
  linksOf,
  listOf,
  objectOf,
  pastDateOf,
  textOf,
  textsByLanguage,
  totalOf,
} from '../../wire/read-values.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { LIMITS } from './limits.ts'
import { readAttachedPages, readAttachments } from './read-attachments.ts'
import type { ParsedAttachment } from './read-attachments.ts'
import { readPlainText } from './read-plain-text.ts'
import { readPoll } from './read-poll.ts'
import type { ParsedPoll } from './read-poll.ts'
import { readQuote, readQuotePolicy } from './read-quote.ts'
import type { ParsedQuote, QuotePolicyUris } from './read-quote.ts'
import { readTags } from './read-tags.ts'
import type { ParsedTags } from './read-tags.ts'

/** A remote note, as far as this server understands it. Its contents are unverified. */
export interface ParsedNote extends ParsedTags {
  uri: string
  /** The URL of its web page. */
  url: string
  /** Its author's id. */
  attributedTo: string
  to: string[]
  cc: string[]
  /** It is a message to the accounts that it addresses, whether it mentions them or not. */
  isDirectMessage: boolean
  /** Clean HTML. */
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  inReplyTo: string | null
  /** null if missing or before 1970. Never in the future. */
  publishedAt: Date | null
  /** The time of the last edit by the clock of its server; null if the document names none. */
  updatedAt: Date | null
  attachments: ParsedAttachment[]
  /** The URLs of attached pages. */
  attachedPages: string[]
  poll: ParsedPoll | null
  /** The name of a reply: if the reply is a vote in a poll, the text of the chosen option. */
  vote: string | null
  quote: ParsedQuote | null
  quoteRules: QuotePolicyUris
  conversation: string | null
  /** The URL of its replies collection. */
  repliesUrl: string | null
  /** The ids on its own host in the embedded first page of its replies collection; usually self-replies. */
  replyUris: string[]
  /** The counts that the origin publishes; null if it does not. */
  repliesCount: number | null
  likesCount: number | null
  sharesCount: number | null
}

const NOTE_TYPES = new Set(['Note', 'Question'])

/** The types that are converted to a title, a summary and a link. */
const CONVERTED_TYPES = new Set(['Article', 'Page', 'Video', 'Image', 'Audio', 'Event'])

/** Returns whether an object has a type that becomes a status. */
export function isNote(object: WireObject): boolean {
  return isOfType(object, NOTE_TYPES) || isOfType(object, CONVERTED_TYPES)
}

/**
 * Reads a Note, a Question, or an object of a type that is converted to a title with a link.
 * @throws InvalidDocumentError for other types, and if it has no id or no author
 */
export function readNote(object: WireObject, { now }: { now: Date }): ParsedNote {
  if (!isNote(object)) throw new InvalidDocumentError('The object is not a note')
  const uri = idOf(object)
  const attributedTo = idOf(object['attributedTo'])
  if (uri === null || attributedTo === null) throw new InvalidDocumentError('A note needs an id and an author')
  const isNative = isOfType(object, NOTE_TYPES)
  const url = webUrlOf(object) ?? uri
  const content = isNative ? readContent(object) : convertToHtml(object, url)
  const inReplyTo = idOf(object['inReplyTo'])
  const spoilerText = isNative ? summaryOf(object) : ''
  return {
    uri,
    url,
    attributedTo,
    to: audienceOf(object['to'], LIMITS.recipients),
    cc: audienceOf(object['cc'], LIMITS.recipients),
    isDirectMessage: flagOf(object['directMessage']) === true || isPrivateMessage(object),
    content: sanitizeHtml(content.html),
    language: content.language,
    spoilerText,
    sensitive: flagOf(object['sensitive']) === true || spoilerText !== '',
    inReplyTo,
    publishedAt: pastDateOf(object['published'], now),
    updatedAt: updatedAtOf(object),
    ...readTags(object),
    attachments: readAttachments(object),
    attachedPages: readAttachedPages(object),
    poll: isNative ? readPoll(object, { now }) : null,
    vote: isNative && inReplyTo !== null ? lineOf(object['name'], LIMITS.option) : null,
    quote: readQuote(object),
    quoteRules: readQuotePolicy(object),
    conversation: conversationOf(object),
    repliesUrl: idOf(object['replies']),
    replyUris: embeddedReplies(object, uri),
    repliesCount: totalOf(object['replies']),
    likesCount: totalOf(object['likes']),
    sharesCount: totalOf(object['shares']),
  }
}

/**
 * Returns whether a note is a private message of Lemmy: it has its source in Markdown, addresses one recipient, and has
 * neither `cc` nor `tag`, which other servers send even if they are empty.
 */
function isPrivateMessage(object: WireObject): boolean {
  const hasMarkdown = objectOf(object['source'])?.['mediaType'] === 'text/markdown'
  return hasMarkdown && listOf(object['to']).length === 1 && object['cc'] === undefined && object['tag'] === undefined
}

function readContent(object: WireObject): { html: string; language: string | null } {
  const texts = textsByLanguage(object['contentMap'])
  const content = textOf(object['content'], LIMITS.content)
  // Of several languages, the one whose text equals `content`.
  const chosen = texts.find(({ text }) => text === object['content']) ?? texts[0]
  return { html: readPlainText(object) ?? content ?? '', language: languageOf(object, chosen?.language) }
}

/**
 * Returns the language of the note: that of the chosen text, or else the first one that a language map names. Mbin sends
 * a map without a text for a post that is only a link.
 */
function languageOf(object: WireObject, chosen?: string): string | null {
  if (chosen !== undefined) return normalizeLanguage(chosen)
  const named = ['contentMap', 'nameMap', 'summaryMap'].flatMap((map) => Object.keys(objectOf(object[map]) ?? {}))
  return normalizeLanguage(named[0])
}

function convertToHtml(object: WireObject, url: string): { html: string; language: string | null } {
  const title = lineOf(object['name'], LIMITS.title)
  const parts = [
    title === null ? '' : html`<h2>${title}</h2>`.toString(),
    // Sanitised on its own, so that unclosed tags end within it.
    sanitizeHtml(summaryOf(object)),
    html`<p><a href="${url}">${url}</a></p>`.toString(),
  ]
  return {
    html: parts.join(''),
    language: languageOf(object),
  }
}

function embeddedReplies(object: WireObject, uri: string): string[] {
  const collection = objectOf(object['replies'])
  const page = objectOf(collection?.['first']) ?? collection
  const items = [...listOf(page?.['items']), ...listOf(page?.['orderedItems'])]
  const ids = items.map((item) => idOf(item)).filter((id) => id !== null)
  return ids.filter((id) => isSameHost(id, uri)).slice(0, LIMITS.replies)
}

function summaryOf(object: WireObject): string {
  return (textOf(object['summary'], LIMITS.summary) ?? '').trim()
}

/**
 * Returns the time of the last edit. A future time is not clamped to now, so that edits by a fast clock stay in order.
 * In its Updates, Mbin names the time in an object within the edited one.
 */
function updatedAtOf(object: WireObject): Date | null {
  const published = dateOf(object['published'])
  const updated = dateOf(object['updated']) ?? dateOf(objectOf(object['object'])?.['updated'])
  return updated !== null && updated > (published ?? 0) ? updated : null
}

/** Returns the URL of the note's web page. */
function webUrlOf(object: WireObject): string | null {
  const links = linksOf(object['url'], LIMITS.links)
  return (links.find(({ mediaType }) => mediaType?.startsWith('text/html')) ?? links[0])?.url ?? null
}

/** Returns the URI of the conversation, which need not be an http(s) URL: Honk names it by a data URL. */
function conversationOf(object: WireObject): string | null {
  for (const name of ['conversation', 'context']) {
    const [value] = listOf(object[name])
    if (typeof value !== 'string' || !fitsBytes(value, LIMITS.conversation)) continue
    if (/^(?:https?|tag|urn|ostatus|data):\S+$/i.test(value)) return value
  }
  return null
}
