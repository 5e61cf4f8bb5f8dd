import type { WireObject, WireValue } from '../../wire/normalize.ts'
import { PUBLIC } from '../../wire/context.ts'
import { audienceOf, idOf, isOfType, objectOf } from '../../wire/read-values.ts'
import { LIMITS } from './limits.ts'

/** The quote of a note (FEP-044f). Its contents are unverified. */
export interface ParsedQuote {
  /** Null if the quoted object is deleted. */
  uri: string | null
  /** The quote is only in the properties of servers that do not ask for approval. */
  legacy: boolean
  /** The claimed URL of the quote authorization. */
  approvalUri: string | null
}

/** A quote policy by the ids of actors and of collections such as `followers`. */
export interface QuotePolicyUris {
  automatic: string[]
  manual: string[]
}

const LEGACY_KEYS = ['_misskey_quote', 'quoteUri', 'quoteUrl']
const TOMBSTONE = new Set(['Tombstone'])

/** Reads the quote of a note; null if the note quotes nothing, or itself. */
export function readQuote(note: WireObject): ParsedQuote | null {
  const approvalUri = idOf(note['quoteAuthorization'])
  const quoted = objectOf(note['quote'])
  if (quoted && isOfType(quoted, TOMBSTONE)) return { uri: null, legacy: false, approvalUri: null }
  const quoteId = idOf(note['quote'])
  const uri = quoteId ?? LEGACY_KEYS.map((key) => idOf(note[key])).find((one) => one !== null) ?? null
  return uri === null || uri === idOf(note) ? null : { uri, legacy: quoteId === null, approvalUri }
}

/** Reads the quote policy of a note (`canQuote`, FEP-044f). */
export function readQuotePolicy(note: WireObject): QuotePolicyUris {
  const rule = objectOf(objectOf(note['interactionPolicy'])?.['canQuote'])
  const read = (value: WireValue | undefined) => audienceOf(value, LIMITS.policy)
  return { automatic: read(rule?.['automaticApproval']), manual: read(rule?.['manualApproval']) }
}

/** The ids that an author's policy may name. */
interface Author {
  uri: string
  followers_url: string | null
  following_url: string | null
}

/**
 * Converts a policy to the names of Mastodon's API: `public`, `followers`, `following`, and `unsupported_policy` for
 * any other id. The author's own id is ignored.
 */
export function resolveQuotePolicy({ automatic, manual }: QuotePolicyUris, author: Author): QuotePolicyUris {
  const policyNames = new Map([
    [PUBLIC, 'public'],
    [author.followers_url, 'followers'],
    [author.following_url, 'following'],
  ])
  const name = (uris: readonly string[]) => [
    ...new Set(uris.filter((uri) => uri !== author.uri).map((uri) => policyNames.get(uri) ?? 'unsupported_policy')),
  ]
  return { automatic: name(automatic), manual: name(manual) }
}
