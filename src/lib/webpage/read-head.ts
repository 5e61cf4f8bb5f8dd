import { FlatTagParser } from './tag-reader.ts'

/** Limits of the JSON-LD of a page: characters per script, and number of scripts. */
const MAX_DATA_LENGTH = 262_144
const MAX_DATA = 10
const MAX_TITLE_LENGTH = 2_000
const MAX_CREATORS = 4
const MAX_ALTERNATES = 50

/** The metadata tags of a page, unprocessed. */
export interface PageHeadData {
  title: string
  language: string | null
  /** The first non-blank content of each name or property, in lower case. */
  meta: ReadonlyMap<string, string>
  /** The contents of the `fediverse:creator` tags. */
  creators: readonly string[]
  canonical: string | null
  /** URL of the oEmbed document in JSON. */
  oEmbed: string | null
  /** The links to other representations of the page, with their media types. */
  alternates: readonly { type: string; href: string }[]
  /** The texts of the `application/ld+json` scripts. */
  data: readonly string[]
}

/** Reads the metadata tags anywhere in a page, in a single pass. */
export function readHead(html: string): PageHeadData {
  const meta = new Map<string, string>()
  const creators: string[] = []
  const alternates: { type: string; href: string }[] = []
  const data: string[] = []
  let title = ''
  let language: string | null = null
  let canonical: string | null = null
  let oEmbed: string | null = null
  let inside: 'title' | 'data' | null = null
  let text = ''

  const reader = new FlatTagParser({
    onopentag(name, attributes) {
      if (name === 'html') language ??= attributes['lang'] ?? attributes['xml:lang'] ?? null
      else if (name === 'meta') readMeta(attributes)
      else if (name === 'link') readLink(attributes)
      else if (name === 'title' && title === '') inside = 'title'
      else if (name === 'script' && isData(attributes) && data.length < MAX_DATA) inside = 'data'
    },
    ontext(chunk) {
      if (inside === null) return
      const room = (inside === 'title' ? MAX_TITLE_LENGTH : MAX_DATA_LENGTH) - text.length
      // Truncated JSON would be invalid, so a long script is ignored; a title may be truncated.
      if (inside === 'title' || chunk.length <= room) text += chunk.slice(0, Math.max(0, room))
      else inside = null
    },
    onclosetag(name) {
      if (name !== 'title' && name !== 'script') return
      if (inside === 'title') title = text.trim()
      else if (inside === 'data') data.push(text)
      inside = null
      text = ''
    },
  })
  reader.end(html)
  return { title, language, meta, creators, canonical, oEmbed, alternates, data }

  function readMeta({ name, property, content = '' }: Record<string, string>): void {
    const key = (property ?? name ?? '').trim().toLowerCase()
    if (key === '' || content.trim() === '') return
    if (key === 'fediverse:creator' && creators.length < MAX_CREATORS) creators.push(content.trim())
    if (KNOWN_META.test(key) && !meta.has(key)) meta.set(key, content.trim())
  }

  function readLink({ rel = '', type = '', href = '' }: Record<string, string>): void {
    if (href.trim() === '') return
    const relations = rel.toLowerCase().split(/\s+/)
    if (relations.includes('canonical')) canonical ??= href.trim()
    if (!relations.includes('alternate')) return
    if (/^application\/json\+oembed\b/i.test(type)) oEmbed ??= href.trim()
    if (alternates.length < MAX_ALTERNATES) alternates.push({ type: type.trim(), href: href.trim() })
  }
}

/** Other names are ignored, because a page may have any number of them. */
const KNOWN_META = /^(?:description|author|language|(?:og|article|twitter):[a-z:_]{1,40})$/

function isData({ type = '' }: Record<string, string>): boolean {
  return /^\s*application\/ld\+json\s*(?:;|$)/i.test(type)
}
