import { htmlToPlainText } from '../html/html-to-plain-text.ts'

/** Types of schema.org that describe a complete page. */
const ARTICLE_TYPES = new Set(
  `Article AdvertiserContentArticle AnalysisNewsArticle BackgroundNewsArticle BlogPosting LiveBlogPosting NewsArticle
   OpinionNewsArticle Report ReportageNewsArticle ReviewNewsArticle ScholarlyArticle SocialMediaPosting TechArticle
   VideoObject WebPage`.split(/\s+/),
)
/** Further JSON-LD nodes are ignored. */
const MAX_NODES = 100
const MAX_AUTHORS = 10

/** The metadata of a page in its JSON-LD. Empty: unknown. */
export interface ArticleMetadata {
  headline: string
  description: string
  language: string
  publisher: string
  authors: { name: string; url: string }[]
  published: string
  image: string
}

type JsonLdNode = Record<string, unknown>

/**
 * Returns the metadata in the JSON-LD texts of a page: of the first node that is an article, else of the page. The
 * usual property names are read without expanding or fetching contexts. Null if there is no such node.
 */
export function readArticle(texts: readonly string[]): ArticleMetadata | null {
  const nodes = texts.flatMap(parse).slice(0, MAX_NODES).filter(isArticleType)
  const article = nodes.find((node) => !typesOf(node).includes('WebPage')) ?? nodes[0]
  if (!article) return null
  return {
    headline: textOf(article['headline'] ?? article['name']),
    description: textOf(article['description']),
    language: nameOf(article['inLanguage']),
    publisher: nameOf(article['publisher']),
    authors: authorsOf(article['author']),
    published: stringOf(article['datePublished'] ?? article['uploadDate']),
    image: imageOf(article['image'] ?? article['thumbnailUrl']),
  }
}

/** Returns the nodes of a text: the outermost node or list, and the nodes of its `@graph`, but no deeper ones. */
function parse(text: string): JsonLdNode[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const outer = [value].flat().slice(0, MAX_NODES).filter(isJsonLdNode)
  return outer.flatMap((node) => [node, ...[node['@graph'] ?? []].flat().slice(0, MAX_NODES).filter(isJsonLdNode)])
}

function isJsonLdNode(value: unknown): value is JsonLdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isArticleType(node: JsonLdNode): boolean {
  return typesOf(node).some((type) => ARTICLE_TYPES.has(type))
}

function typesOf(node: JsonLdNode): string[] {
  const types: unknown[] = [node['@type']].flat().slice(0, 10)
  return types.filter((type) => typeof type === 'string').map((type) => type.replace(/^https?:\/\/schema\.org\//, ''))
}

function authorsOf(value: unknown): ArticleMetadata['authors'] {
  const authors: unknown[] = [value].flat().slice(0, MAX_AUTHORS)
  return authors
    .map((author) => ({ name: nameOf(author), url: isJsonLdNode(author) ? stringOf(author['url']) : '' }))
    .filter(({ name }) => name !== '')
}

/** Returns a name: a plain text or the name of a node. */
function nameOf(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return textOf(isJsonLdNode(first) ? (first['name'] ?? first['alternateName']) : first)
}

function imageOf(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return stringOf(isJsonLdNode(first) ? (first['url'] ?? first['contentUrl']) : first)
}

/** Converts HTML to plain text, because publishers put markup into properties that must be plain. */
function textOf(value: unknown): string {
  const text = stringOf(value)
  return /[<&]/.test(text) ? htmlToPlainText(text) : text.trim()
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
