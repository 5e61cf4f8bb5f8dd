// Under another name, because the formatter breaks lines in templates called `html`, and here every blank shows.
import { html as markup } from '../html.ts'
import { canonicalDomain } from '../usernames.ts'
import { extractEntities, extractUrls, type TextEntity } from './extract.ts'

/** Somebody whom a mention reached. `domain` is null for local people; `acct` is `name` or `name@domain` as shown. */
export type ResolvedMention = { username: string; domain: string | null; acct: string; url: string }

export type FormatSource = {
  text: string
  /** A handle that is none of these stays plain text. */
  mentions: readonly ResolvedMention[]
  /** The domains of this server: `@ann@here` is the local `ann`. */
  localDomains: readonly string[]
  /** The address of a tag's page, from the tag's normalised name. */
  tagUrl: (name: string) => string
}

const DISPLAYED_URL_CHARACTERS = 30

type Linking = { relMe: boolean; withDomains: boolean }

/**
 * The HTML of a local post. A quoted post's address stands before it in a paragraph for readers that know no quotes,
 * unless the text has that address already.
 */
export function formatStatus(source: FormatSource & { quoteUrl?: string | null }): string {
  const { quoteUrl, text } = source
  const body = formatParagraphs(source)
  if (!quoteUrl || extractUrls(text).some(({ url }) => url === quoteUrl)) return body
  return `<p class="quote-inline">RE: ${formatLink(quoteUrl)}</p>${body}`
}

/** The HTML of a local account's bio. */
export function formatNote(source: FormatSource): string {
  return formatParagraphs(source)
}

/** The HTML of a profile field's value: one line, its links claiming the person (`rel="me"`), handles in full. */
export function formatField(source: FormatSource): string {
  const text = source.text.trim().replace(/[\n\r]+/g, ' ')
  return formatInline({ ...source, text }, { relMe: true, withDomains: true })
}

/** A link that shows its address shortened to what helps reading; the rest is there for copying, hidden by class. */
export function formatLink(url: string, options: { relMe?: boolean } = {}): string {
  const rel = options.relMe ? 'nofollow noopener me' : 'nofollow noopener'
  const prefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i.exec(url)?.[0] ?? ''
  const shown = Array.from(url.slice(prefix.length))
  // An ellipsis in place of a single character would shorten nothing.
  const cut = shown.length > DISPLAYED_URL_CHARACTERS + 1
  const rest = cut ? shown.splice(DISPLAYED_URL_CHARACTERS) : []
  const spans = markup`<span class="invisible">${prefix}</span><span class="${cut ? 'ellipsis' : ''}">${shown.join('')}</span><span class="invisible">${rest.join('')}</span>`
  return markup`<a href="${url}" rel="${rel}" target="_blank" translate="no">${spans}</a>`.toString()
}

function formatParagraphs(source: FormatSource): string {
  const text = withoutBlankEnds(source.text)
  if (text === '') return ''
  return `<p>${formatInline({ ...source, text }, { relMe: false, withDomains: false })}</p>`
}

function formatInline(source: FormatSource, linking: Linking): string {
  const { text } = source
  const people = directory(source, linking)
  let out = ''
  let from = 0
  for (const entity of extractEntities(text)) {
    out += formatPlain(text.slice(from, entity.start))
    out += formatEntity(entity) ?? formatPlain(text.slice(entity.start, entity.end))
    from = entity.end
  }
  return out + formatPlain(text.slice(from))

  function formatEntity(entity: TextEntity): string | null {
    if (entity.type === 'url') return formatLink(entity.url, linking)
    if (entity.type === 'mention') return people(entity.username, entity.domain)
    return markup`<a href="${source.tagUrl(entity.name)}" class="mention hashtag" rel="tag">#<span>${entity.display}</span></a>`.toString()
  }
}

/** Finds the link for a handle as typed, or null. */
function directory({ mentions, localDomains }: FormatSource, { withDomains }: Linking) {
  const here = new Set(localDomains.map((domain) => canonicalDomain(domain, { keepPort: true })))
  const byName = new Map<string, Map<string, ResolvedMention>>()
  for (const mention of mentions) {
    const name = mention.username.toLowerCase()
    const namesakes = byName.get(name) ?? new Map<string, ResolvedMention>()
    byName.set(name, namesakes.set(home(mention.domain), mention))
  }

  return (username: string, domain: string | null): string | null => {
    const namesakes = byName.get(username.toLowerCase())
    const mention = namesakes?.get(home(domain))
    if (!namesakes || !mention) return null
    const name = withDomains || namesakes.size > 1 ? mention.acct : mention.username
    return markup`<span class="h-card" translate="no"><a href="${mention.url}" class="u-url mention">@<span>${name}</span></a></span>`.toString()
  }

  /** '' for this server; what is no domain stays as typed and matches nobody. */
  function home(domain: string | null): string {
    if (domain === null) return ''
    const canonical = canonicalDomain(domain, { keepPort: true }) ?? domain
    return here.has(canonical) ? '' : canonical
  }
}

function formatPlain(text: string): string {
  return text
    .split(/(\n(?:[\t ]*\n)*)/)
    .map((part, index) => {
      if (index % 2 === 0) return markup`${part}`.toString()
      return part === '\n' ? '<br />' : '</p><p>'
    })
    .join('')
}

/** Without empty lines before and white space after. Blanks that indent the first line stay. */
function withoutBlankEnds(text: string): string {
  const trimmed = text.replace(/\r\n?/g, '\n').trimEnd()
  const blanks = trimmed.length - trimmed.trimStart().length
  return trimmed.slice(trimmed.lastIndexOf('\n', blanks) + 1)
}
