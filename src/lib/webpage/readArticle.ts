import { plainText } from '../text/plainText.ts'

/** Things that a page can be as a whole, as schema.org calls them. */
const KINDS = new Set(
  `Article AdvertiserContentArticle AnalysisNewsArticle BackgroundNewsArticle BlogPosting LiveBlogPosting NewsArticle
   OpinionNewsArticle Report ReportageNewsArticle ReviewNewsArticle ScholarlyArticle SocialMediaPosting TechArticle
   VideoObject WebPage`.split(/\s+/),
)
/** So many things are looked at in what a page tells. */
const MAX_THINGS = 100
const MAX_AUTHORS = 10

/** What a page tells of itself as data; blank where it does not. */
export interface Article {
  headline: string
  description: string
  language: string
  publisher: string
  authors: { name: string; url: string }[]
  published: string
  image: string
}

type Thing = Record<string, unknown>

/**
 * What the JSON-LD texts of a page say of it: of the first thing among them that is an article, or else the page. They
 * are read by name, as they are written everywhere; nothing is fetched or expanded. Null: they say nothing of it.
 */
export function readArticle(texts: readonly string[]): Article | null {
  const things = texts.flatMap(parse).slice(0, MAX_THINGS).filter(isKnown)
  const thing = things.find((one) => !typesOf(one).includes('WebPage')) ?? things[0]
  if (!thing) return null
  return {
    headline: textOf(thing['headline'] ?? thing['name']),
    description: textOf(thing['description']),
    language: nameOf(thing['inLanguage']),
    publisher: nameOf(thing['publisher']),
    authors: authorsOf(thing['author']),
    published: stringOf(thing['datePublished'] ?? thing['uploadDate']),
    image: imageOf(thing['image'] ?? thing['thumbnailUrl']),
  }
}

/** The things of a text: itself, those of its list, and those of its `@graph`; no deeper. */
function parse(text: string): Thing[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const outer = [value].flat().slice(0, MAX_THINGS).filter(isThing)
  return outer.flatMap((one) => [one, ...[one['@graph'] ?? []].flat().slice(0, MAX_THINGS).filter(isThing)])
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKnown(thing: Thing): boolean {
  return typesOf(thing).some((type) => KINDS.has(type))
}

function typesOf(thing: Thing): string[] {
  const types: unknown[] = [thing['@type']].flat().slice(0, 10)
  return types.filter((type) => typeof type === 'string').map((type) => type.replace(/^https?:\/\/schema\.org\//, ''))
}

function authorsOf(value: unknown): Article['authors'] {
  const authors: unknown[] = [value].flat().slice(0, MAX_AUTHORS)
  return authors
    .map((one) => ({ name: nameOf(one), url: isThing(one) ? stringOf(one['url']) : '' }))
    .filter(({ name }) => name !== '')
}

/** A name, alone or that of a thing. */
function nameOf(value: unknown): string {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return textOf(isThing(one) ? (one['name'] ?? one['alternateName']) : one)
}

function imageOf(value: unknown): string {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return stringOf(isThing(one) ? (one['url'] ?? one['contentUrl']) : one)
}

/** Publishers write the markup of their own pages into what is meant to be plain. */
function textOf(value: unknown): string {
  const text = stringOf(value)
  return /[<&]/.test(text) ? plainText(text) : text.trim()
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
