import type { StatusRow } from '../statuses/visibility.ts'

/** Whom an author of here lets quote a status. */
export type QuotePolicy = 'public' | 'followers' | 'nobody'

/**
 * What comes of it when somebody quotes a status that they may see. `automatic`: they may · `manual`: they may ask, and
 * its author decides · `denied` · `unknown`: its server has a rule that is not known here, and decides.
 */
export type QuoteApproval = 'automatic' | 'manual' | 'denied' | 'unknown'

/** A status, and whom its author lets quote it: `public`, `followers`, `following`, `unsupported_policy`. */
export interface QuoteTerms {
  account_id: string
  visibility: StatusRow['visibility']
  quote_automatic: readonly string[]
  quote_manual: readonly string[]
}

/** How somebody stands to the author of a status, as far as its terms ask. */
export type QuoteStanding = Record<keyof ReturnType<typeof quoteStandings>, boolean>

/**
 * The rows that tell it, in SQL, each with the account `d.account_id` that stands so. `s` is an alias of `statuses`.
 * Relations that the terms do not ask for are not looked up. One question for each status, by the index: put `offset 0`
 * behind, or the planner may read all relations of somebody instead.
 */
export function quoteStandings(s: string) {
  const asks = (word: string) => `'${word}' = any(${s}.quote_automatic || ${s}.quote_manual)`
  return {
    follows_author: `follows d where d.target_account_id = ${s}.account_id and ${asks('followers')}`,
    followed_by_author: `(select f.target_account_id as account_id, f.account_id as author_id from follows f) d
      where d.author_id = ${s}.account_id and ${asks('following')}`,
    at_odds: `(select b.account_id, b.target_account_id as author_id from blocks b
      union all select b.target_account_id, b.account_id from blocks b) d where d.author_id = ${s}.account_id`,
  } as const
}

/**
 * Whether somebody may quote a status that they may see; the one judge of it, whoever quotes, from here or elsewhere.
 * One's own may always be quoted, but what is direct never, and what is for followers by nobody else.
 */
export function judgeQuote(terms: QuoteTerms, quoter: { id: string; standing: QuoteStanding } | null): QuoteApproval {
  if (quoter === null || terms.visibility === 'direct') return 'denied'
  if (terms.account_id === quoter.id) return 'automatic'
  const { at_odds, follows_author, followed_by_author } = quoter.standing
  if (terms.visibility === 'private' || at_odds) return 'denied'
  const allows = (words: readonly string[]) =>
    words.includes('public') ||
    (words.includes('followers') && follows_author) ||
    (words.includes('following') && followed_by_author)
  if (allows(terms.quote_automatic)) return 'automatic'
  if (allows(terms.quote_manual)) return 'manual'
  return [...terms.quote_automatic, ...terms.quote_manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}

/** What is stored of a policy. What is not for everybody is for nobody else to quote. */
export function quoteTermsOf(policy: QuotePolicy, visibility: StatusRow['visibility']): string[] {
  return policy === 'nobody' || visibility === 'private' || visibility === 'direct' ? [] : [policy]
}
