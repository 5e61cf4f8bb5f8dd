import type { WireObject, WireValue } from '../wire/normalise.ts'
import { PUBLIC } from '../wire/context.ts'
import { audienceOf, idOf, isOfType, objectOf } from '../wire/read.ts'
import { LIMITS } from './limits.ts'

/** What a note says that it quotes. Nothing in it has been proven. */
export interface QuoteFacts {
  /** Null: it is gone. */
  uri: string | null
  /** Told only in the keys of servers that ask nobody. */
  legacy: boolean
  /** Where the author of what is quoted is said to agree. */
  approvalUri: string | null
}

/** Whom an author lets quote, by their addresses and those of their lists. */
export interface QuoteRules {
  automatic: string[]
  manual: string[]
}

const LEGACY_KEYS = ['_misskey_quote', 'quoteUri', 'quoteUrl']
const TOMBSTONE = new Set(['Tombstone'])

/** Null when a note quotes nothing, or itself. */
export function readQuote(note: WireObject): QuoteFacts | null {
  const approvalUri = idOf(note['quoteAuthorization'])
  const quoted = objectOf(note['quote'])
  if (quoted && isOfType(quoted, TOMBSTONE)) return { uri: null, legacy: false, approvalUri: null }
  const named = idOf(note['quote'])
  const uri = named ?? LEGACY_KEYS.map((key) => idOf(note[key])).find((one) => one !== null) ?? null
  return uri === null || uri === idOf(note) ? null : { uri, legacy: named === null, approvalUri }
}

export function readQuoteRules(note: WireObject): QuoteRules {
  const rule = objectOf(objectOf(note['interactionPolicy'])?.['canQuote'])
  const read = (value: WireValue | undefined) => audienceOf(value, LIMITS.policy)
  return { automatic: read(rule?.['automaticApproval']), manual: read(rule?.['manualApproval']) }
}

/** Whose addresses the rules of an author may name. */
interface Author {
  uri: string
  followers_url: string | null
  following_url: string | null
}

/** The same rules in words that mean the same for everybody's. Who is named but the author themselves is not looked at. */
export function nameQuoteRules({ automatic, manual }: QuoteRules, author: Author): QuoteRules {
  const words = new Map([
    [PUBLIC, 'public'],
    [author.followers_url, 'followers'],
    [author.following_url, 'following'],
  ])
  const name = (uris: readonly string[]) => [
    ...new Set(uris.filter((uri) => uri !== author.uri).map((uri) => words.get(uri) ?? 'unsupported_policy')),
  ]
  return { automatic: name(automatic), manual: name(manual) }
}
