import { TagReader } from './tagReader.ts'

/** What of a page's data for machines is read, in characters, and how many pieces of it. */
const MAX_DATA_LENGTH = 262_144
const MAX_DATA = 10
const MAX_TITLE_LENGTH = 2_000
const MAX_CREATORS = 4

/** What a page says about itself, as it stands there. */
export interface PageHead {
  title: string
  language: string | null
  /** The first of each name or property, in lower case, that is not blank. */
  meta: ReadonlyMap<string, string>
  /** Each `fediverse:creator`. */
  creators: readonly string[]
  canonical: string | null
  /** Where it is told as oEmbed, in JSON. */
  oEmbed: string | null
  /** The texts of its `application/ld+json`. */
  data: readonly string[]
}

/** Reads the tags of a page in which it tells of itself, wherever they stand: one pass, whatever the page is. */
export function readHead(html: string): PageHead {
  const meta = new Map<string, string>()
  const creators: string[] = []
  const data: string[] = []
  let title = ''
  let language: string | null = null
  let canonical: string | null = null
  let oEmbed: string | null = null
  let inside: 'title' | 'data' | null = null
  let text = ''

  const reader = new TagReader({
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
      // What is too long to be read whole is no JSON any more; a title may be cut.
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
  return { title, language, meta, creators, canonical, oEmbed, data }

  function readMeta({ name, property, content = '' }: Record<string, string>): void {
    const key = (property ?? name ?? '').trim().toLowerCase()
    if (key === '' || content.trim() === '') return
    if (key === 'fediverse:creator' && creators.length < MAX_CREATORS) creators.push(content.trim())
    if (WANTED.test(key) && !meta.has(key)) meta.set(key, content.trim())
  }

  function readLink({ rel = '', type = '', href = '' }: Record<string, string>): void {
    if (href.trim() === '') return
    const relations = rel.toLowerCase().split(/\s+/)
    if (relations.includes('canonical')) canonical ??= href.trim()
    if (relations.includes('alternate') && /^application\/json\+oembed\b/i.test(type)) oEmbed ??= href.trim()
  }
}

/** Everything else is not kept: a page may have any number of names. */
const WANTED = /^(?:description|author|language|(?:og|article|twitter):[a-z:_]{1,40})$/

function isData({ type = '' }: Record<string, string>): boolean {
  return /^\s*application\/ld\+json\s*(?:;|$)/i.test(type)
}
