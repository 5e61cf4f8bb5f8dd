import type { QuoterRelations } from '../access/quoter-relations.ts'
import type { StatusRow } from '../access/visibility.ts'

/** Who may quote a local status. */
export type QuotePolicy = 'public' | 'followers' | 'nobody'

/**
 * Whether an account may quote a status that it may see: `automatic` (yes), `manual` (after approval by its author),
 * `denied`, or `unknown` (the remote server has a policy that Linnet does not know, and decides).
 */
export type QuoteApproval = 'automatic' | 'manual' | 'denied' | 'unknown'

/** A status and its quote policy, with the words `public`, `followers`, `following` and `unsupported_policy`. */
export interface StoredQuotePolicy {
  account_id: string
  visibility: StatusRow['visibility']
  quote_automatic: readonly string[]
  quote_manual: readonly string[]
}

/**
 * Returns whether an account, local or remote, may quote a status that it may see. All code paths use this rule. The
 * author may always quote the own status, except a direct one, which nobody may quote; only the author may quote a
 * private one.
 */
export function evaluateQuotePolicy(
  policy: StoredQuotePolicy,
  quoter: { id: string; relations: QuoterRelations } | null,
): QuoteApproval {
  if (quoter === null || policy.visibility === 'direct') return 'denied'
  if (policy.account_id === quoter.id) return 'automatic'
  const { is_blocked: isBlocked, follows_author, followed_by_author } = quoter.relations
  if (policy.visibility === 'private' || isBlocked) return 'denied'
  const allows = (words: readonly string[]) =>
    words.includes('public') ||
    (words.includes('followers') && follows_author) ||
    (words.includes('following') && followed_by_author)
  if (allows(policy.quote_automatic)) return 'automatic'
  if (allows(policy.quote_manual)) return 'manual'
  return [...policy.quote_automatic, ...policy.quote_manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}

/** Returns the policy as it is stored. Only public and unlisted statuses may be quoted by others. */
export function storedQuotePolicy(policy: QuotePolicy, visibility: StatusRow['visibility']): string[] {
  return policy === 'nobody' || visibility === 'private' || visibility === 'direct' ? [] : [policy]
}
