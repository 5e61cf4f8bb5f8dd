// Imported under another name: the code formatter adds line breaks to `html` templates, and here white space matters.
import { html as markup } from './html.ts'
import { canonicalDomain } from '../usernames.ts'
import { extractEntities, extractUrls, type TextEntity } from '../text/entities/extract-entities.ts'

/** A mentioned account. `domain` is null for local accounts; `acct` is the displayed `name` or `name@domain`. */
export type ResolvedMention = { username: string; domain: string | null; acct: string; url: string }

export type FormatSource = {
  text: string
  /** Handles of other accounts remain plain text. */
  mentions: readonly ResolvedMention[]
  /** The domains of this server, with which a handle means a local account. */
  localDomains: readonly string[]
  /** Returns the URL of a tag's page from the normalised name. Without it, hashtags remain plain text. */
  tagUrl?: (name: string) => string
}

/** A text of a profile, in which all handles remain plain text (docs/decisions/0133-handles-in-profiles.md). */
export type ProfileSource = Required<Pick<FormatSource, 'text' | 'tagUrl'>>

const DISPLAYED_URL_CHARACTERS = 30

/**
 * Returns the HTML of a local status. The URL of a quoted status precedes it in a paragraph, for servers and clients
 * without quotes, unless the text contains that URL.
 */
export function formatStatus(source: FormatSource & { quoteUrl?: string | null }): string {
  const { quoteUrl, text } = source
  const body = formatParagraphs(source)
  if (!quoteUrl || extractUrls(text).some(({ url }) => url === quoteUrl)) return body
  return `<p class="quote-inline">RE: ${formatLink(quoteUrl)}</p>${body}`
}

/** Returns the HTML of a remote status whose server sends plain text. */
export function formatRemoteText(source: Pick<FormatSource, 'text' | 'mentions'>): string {
  return formatParagraphs({ ...source, localDomains: [] })
}

/** Returns the HTML of a local account's biography. */
export function formatNote(source: ProfileSource): string {
  return formatParagraphs({ ...source, mentions: [], localDomains: [] })
}

/** Returns the HTML of a profile field's value: one line, links with `rel="me"`. */
export function formatField(source: ProfileSource): string {
  const text = source.text.trim().replace(/[\n\r]+/g, ' ')
  return formatInline({ ...source, text, mentions: [], localDomains: [] }, { relMe: true })
}

/** Returns a link with a shortened URL as its text. The rest of the URL is hidden by a class, so that copying works. */
export function formatLink(url: string, options: { relMe?: boolean } = {}): string {
  const rel = options.relMe ? 'nofollow noopener me' : 'nofollow noopener'
  const prefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i.exec(url)?.[0] ?? ''
  const shown = Array.from(url.slice(prefix.length))
  // An ellipsis instead of a single character would not shorten the text.
  const cut = shown.length > DISPLAYED_URL_CHARACTERS + 1
  const rest = cut ? shown.splice(DISPLAYED_URL_CHARACTERS) : []
  const spans = markup`<span class="invisible">${prefix}</span><span class="${cut ? 'ellipsis' : ''}">${shown.join('')}</span><span class="invisible">${rest.join('')}</span>`
  return markup`<a href="${url}" rel="${rel}" target="_blank" translate="no">${spans}</a>`.toString()
}

function formatParagraphs(source: FormatSource): string {
  const text = withoutBlankEnds(source.text)
  if (text === '') return ''
  return `<p>${formatInline({ ...source, text })}</p>`
}

function formatInline(source: FormatSource, options: { relMe?: boolean } = {}): string {
  const { text } = source
  const mentionLinks = createMentionLinker(source)
  let out = ''
  let from = 0
  for (const entity of extractEntities(text)) {
    out += formatPlain(text.slice(from, entity.start))
    out += formatEntity(entity) ?? formatPlain(text.slice(entity.start, entity.end))
    from = entity.end
  }
  return out + formatPlain(text.slice(from))

  function formatEntity(entity: TextEntity): string | null {
    if (entity.type === 'url') return formatLink(entity.url, options)
    if (entity.type === 'mention') return mentionLinks(entity.username, entity.domain)
    if (!source.tagUrl) return null
    return markup`<a href="${source.tagUrl(entity.name)}" class="mention hashtag" rel="tag">#<span>${entity.display}</span></a>`.toString()
  }
}

/** Returns a function that returns the link for a handle as typed, or null. */
function createMentionLinker({ mentions, localDomains }: FormatSource) {
  const localDomainSet = new Set(localDomains.map((domain) => canonicalDomain(domain, { keepPort: true })))
  const byName = new Map<string, Map<string, ResolvedMention>>()
  for (const mention of mentions) {
    const name = mention.username.toLowerCase()
    const sameName = byName.get(name) ?? new Map<string, ResolvedMention>()
    byName.set(name, sameName.set(normalizeDomain(mention.domain), mention))
  }

  return (username: string, domain: string | null): string | null => {
    const sameName = byName.get(username.toLowerCase())
    const mention = sameName?.get(normalizeDomain(domain))
    if (!sameName || !mention) return null
    const name = sameName.size > 1 ? mention.acct : mention.username
    return markup`<span class="h-card" translate="no"><a href="${mention.url}" class="u-url mention">@<span>${name}</span></a></span>`.toString()
  }

  /** Returns '' for this server. An invalid domain is returned as typed and matches no account. */
  function normalizeDomain(domain: string | null): string {
    if (domain === null) return ''
    const canonical = canonicalDomain(domain, { keepPort: true }) ?? domain
    return localDomainSet.has(canonical) ? '' : canonical
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

/** Removes leading empty lines and trailing white space. Keeps the indentation of the first line. */
function withoutBlankEnds(text: string): string {
  const trimmed = text.replace(/\r\n?/g, '\n').trimEnd()
  const blanks = trimmed.length - trimmed.trimStart().length
  return trimmed.slice(trimmed.lastIndexOf('\n', blanks) + 1)
}
