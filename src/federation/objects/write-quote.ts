import type { Config } from '../../platform/config.ts'
import { PUBLIC } from '../wire/context.ts'
import type { NoteRow, QuoteRow } from './load-notes.ts'
import { actorUri, followersUri } from './uris.ts'

/** Servers that know only these show a quote without asking, so they are told none that its author does not want. */
const legacy = (uri: string) => ({ quoteUri: uri, _misskey_quote: uri })

/** What a note says of what it quotes: its address also while nobody has agreed, and where its author agrees. */
export function presentQuote(quote: QuoteRow | null): object {
  if (quote === null) return {}
  const { uri, state, approval_uri: approval } = quote
  if (uri === null || state === 'deleted') return { quote: { type: 'Tombstone' } }
  const isUnwanted = state !== 'pending' && state !== 'accepted'
  return {
    quote: uri,
    ...(isUnwanted ? {} : legacy(uri)),
    ...(approval === null ? {} : { quoteAuthorization: approval }),
  }
}

/** Whom its author lets quote a note: nobody is the author alone, since an empty list is as none. */
export function presentQuotePolicy(config: Config, { account_id, quote_automatic }: NoteRow): object {
  const lists: Record<string, string> = { public: PUBLIC, followers: followersUri(config, account_id) }
  const named = quote_automatic.map((word) => lists[word]).filter((uri) => uri !== undefined)
  const automaticApproval = named.length === 0 ? [actorUri(config, account_id)] : named
  return { interactionPolicy: { canQuote: { automaticApproval } } }
}
