import type { Config } from '../../../platform/config/config.ts'
import { PUBLIC } from '../../wire/context.ts'
import type { NoteRow, QuoteRow } from './load-notes.ts'
import { actorUri, followersUri } from '../uris.ts'

/** Servers that know only these properties show quotes without approval, so refused and revoked quotes omit them. */
const legacyQuoteFields = (uri: string) => ({ quoteUri: uri, _misskey_quote: uri })

/**
 * Returns the quote properties of a note: the quoted id, even while approval is pending, and the quote authorization.
 */
export function renderQuote(quote: QuoteRow | null): object {
  if (quote === null) return {}
  const { uri, state, approval_uri: approval } = quote
  if (uri === null || state === 'deleted') return { quote: { type: 'Tombstone' } }
  const isRefused = state !== 'pending' && state !== 'accepted'
  return {
    quote: uri,
    ...(isRefused ? {} : legacyQuoteFields(uri)),
    ...(approval === null ? {} : { quoteAuthorization: approval }),
  }
}

/**
 * Returns the quote policy of a note. "Nobody" is expressed as the author alone, since an empty list means no policy.
 */
export function renderQuotePolicy(config: Config, { account_id, quote_automatic }: NoteRow): object {
  const lists: Record<string, string> = { public: PUBLIC, followers: followersUri(config, account_id) }
  const uris = quote_automatic.map((name) => lists[name]).filter((uri) => uri !== undefined)
  const automaticApproval = uris.length === 0 ? [actorUri(config, account_id)] : uris
  return { interactionPolicy: { canQuote: { automaticApproval } } }
}
