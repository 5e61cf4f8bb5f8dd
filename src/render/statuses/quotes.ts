import type { QuoterRelations } from '../../domain/access/quoter-relations.ts'
import { evaluateQuotePolicy } from '../../domain/quotes/quote-approval.ts'
import type { StoredQuotePolicy } from '../../domain/quotes/quote-approval.ts'
import { blocksDomainOfId } from '../../domain/access/user-domain-blocks.ts'
import { originalVisibleTo } from '../../domain/access/visibility.ts'
import type { Quote, ShallowQuote, Status } from '../../entities/statuses/status.ts'
import { constantJson, entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'

export type QuoteState = Quote['state']

/** The columns of a status about its quote and its quote policy. */
export interface QuoteRow {
  /** Null if the status quotes no known status, or if the quoted status was deleted. */
  quoted_id: string | null
  quotes_count: number
  /** Words separated by spaces, which PostgreSQL and Node exchange faster than arrays. */
  quote_automatic: string
  quote_manual: string
}

/** The columns of a row of `quotes` that are joined to a row of `statuses`. */
export const QUOTE_COLUMNS = `quote.id as quote_id, quote.state as stored_state, quote.legacy,
  quote.quoted_status_id as quoted_id, quote.quoted_account_id`

/** The columns of a `QuoteRow` without the counter, from the alias `shown`. */
export const QUOTE_POLICY_COLUMNS = `shown.quoted_id, array_to_string(shown.quote_automatic, ' ') as quote_automatic,
  array_to_string(shown.quote_manual, ' ') as quote_manual`

type Approval = Status['quote_approval']

/**
 * Returns an SQL expression with the state of the quote in the row `shown` for a viewer; null without a quote to show.
 * Also the quoted status of an accepted quote may be invisible to the viewer, or from an account that the viewer blocks
 * or mutes. `viewer`: a parameter or a column; null for anonymous.
 */
export function quoteStateFor(viewer: string): string {
  const viewerId = `${viewer}::bigint`
  return `case
    when shown.quote_id is null or (shown.legacy and shown.stored_state <> 'accepted') then null
    when shown.stored_state <> 'accepted' then shown.stored_state
    when shown.quoted_id is null then 'deleted'
    when not exists (
      select from statuses q where q.id = shown.quoted_id and ${originalVisibleTo(viewer, 'q')} offset 0) then 'unauthorized'
    when exists (select from blocks b where b.account_id = ${viewerId} and b.target_account_id = shown.quoted_account_id
      offset 0) then 'blocked_account'
    when ${blocksDomainOfId(viewerId, 'shown.quoted_account_id')} then 'blocked_domain'
    when exists (select from mutes m where m.account_id = ${viewerId} and m.target_account_id = shown.quoted_account_id
      and (m.expires_at is null or m.expires_at > now()) offset 0) then 'muted_account'
    else 'accepted' end`
}

/** States in which the client receives the quoted status and decides whether to show it. */
const WITH_STATUS: ReadonlySet<QuoteState> = new Set(['accepted', 'blocked_account', 'blocked_domain', 'muted_account'])

/** Returns the quote of a status. `quoted`: renders the quoted status; null if it does not exist. */
export function renderQuote({
  state,
  quotedId,
  withheld,
  quoted,
}: {
  state: QuoteState | null
  quotedId: string | null
  /** Statuses to include although their quotes are not accepted. */
  withheld: ReadonlySet<string>
  quoted: (id: string) => EntityJson<Status> | null
}): EntityJson<Quote> | null {
  if (state === null) return null
  const isIncluded = WITH_STATUS.has(state)
  const status = quotedId !== null && (isIncluded || withheld.has(quotedId)) ? quoted(quotedId) : null
  return entityJson<Quote>({ state: isIncluded && status === null ? 'deleted' : state, quoted_status: status })
}

/** Returns the quote within a quoted status, with only the id of its quoted status. */
export function renderShallowQuote(state: QuoteState | null, quotedId: string | null): EntityJson<ShallowQuote> | null {
  if (state === null) return null
  return entityJson<ShallowQuote>({ state, quoted_status_id: WITH_STATUS.has(state) ? quotedId : null })
}

/** A quote policy. Statuses share the policies, because there are few different ones. */
export interface QuotePolicy {
  quote_automatic: Approval['automatic']
  quote_manual: Approval['manual']
  json: Record<Approval['current_user'], EntityJson<Approval>>
}

const policies = new Map<string, QuotePolicy>()

export function quotePolicyOf(row: QuoteRow): QuotePolicy {
  const key = `${row.quote_automatic}|${row.quote_manual}`
  let policy = policies.get(key)
  if (policy === undefined) policies.set(key, (policy = createPolicy(row)))
  return policy
}

function createPolicy({ quote_automatic, quote_manual }: QuoteRow): QuotePolicy {
  const [automatic, manual] = [quote_automatic, quote_manual].map((words) => words.split(' ').filter(Boolean)) as [
    Approval['automatic'],
    Approval['manual'],
  ]
  const approval = (current_user: Approval['current_user']) =>
    constantJson<Approval>({ automatic, manual, current_user })
  return {
    quote_automatic: automatic,
    quote_manual: manual,
    json: {
      automatic: approval('automatic'),
      manual: approval('manual'),
      denied: approval('denied'),
      unknown: approval('unknown'),
    },
  }
}

/** Returns who may quote a status, and the result for the viewer. `quoter`: null for anonymous. */
export function renderQuoteApproval(
  {
    row: { account_id, visibility },
    quotePolicy: { quote_automatic, quote_manual, json },
  }: { row: Pick<StoredQuotePolicy, 'account_id' | 'visibility'>; quotePolicy: QuotePolicy },
  quoter: { id: string; relations: QuoterRelations } | null,
): EntityJson<Approval> {
  return json[evaluateQuotePolicy({ account_id, visibility, quote_automatic, quote_manual }, quoter)]
}
