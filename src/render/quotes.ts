import { judgeQuote, quoteStandings } from '../domain/quotes/approval.ts'
import type { QuoteStanding, QuoteTerms } from '../domain/quotes/approval.ts'
import { blocksDomainOfId } from '../domain/relationships/domain-blocking.ts'
import { originalVisibleTo } from '../domain/statuses/visibility.ts'
import type { Quote, ShallowQuote, Status } from '../entities/status.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'

export type QuoteState = Quote['state']

/** What is asked of each status about what it quotes, and who may quote it. */
export interface QuoteFacts {
  /** Null: it quotes nothing that is known here, or what it quoted is gone. */
  quoted_id: string | null
  quotes_count: number
  /** Words with blanks between, which cost less to read than lists. */
  quote_automatic: string
  quote_manual: string
}

/** The columns of a quote, as a row of statuses takes them along. */
export const QUOTE_COLUMNS = `quote.id as quote_id, quote.state as stored_state, quote.legacy,
  quote.quoted_status_id as quoted_id, quote.quoted_account_id`

/** The `QuoteFacts` of the row `shown` but the counter. */
export const QUOTE_FACTS = `shown.quoted_id, array_to_string(shown.quote_automatic, ' ') as quote_automatic,
  array_to_string(shown.quote_manual, ' ') as quote_manual`

type Approval = Status['quote_approval']

/** Those who stand so to the author of the status `shown` that it matters for who may quote it. */
export const STANDINGS = quoteStandings('shown')

/**
 * What the quote of the row `shown` is for a viewer, as SQL; null where there is none to be shown. What its author
 * agreed to may still be hidden from the viewer, or be unwanted. `viewer` is a parameter or a column; null
 * stands for somebody unknown.
 */
export function quoteStateFor(viewer: string): string {
  const by = `${viewer}::bigint`
  return `case
    when shown.quote_id is null or (shown.legacy and shown.stored_state <> 'accepted') then null
    when shown.stored_state <> 'accepted' then shown.stored_state
    when shown.quoted_id is null then 'deleted'
    when not exists (
      select from statuses q where q.id = shown.quoted_id and ${originalVisibleTo(viewer, 'q')} offset 0) then 'unauthorized'
    when exists (select from blocks b where b.account_id = ${by} and b.target_account_id = shown.quoted_account_id offset 0)
      then 'blocked_account'
    when ${blocksDomainOfId(by, 'shown.quoted_account_id')} then 'blocked_domain'
    when exists (select from mutes m where m.account_id = ${by} and m.target_account_id = shown.quoted_account_id
      and (m.expires_at is null or m.expires_at > now()) offset 0) then 'muted_account'
    else 'accepted' end`
}

/** What may be had of it although the viewer does not want to see it: whether to show it is for the client to say. */
const HAD: ReadonlySet<QuoteState> = new Set(['accepted', 'blocked_account', 'blocked_domain', 'muted_account'])

/** What a status quotes. `quoted`: gives what it quotes as it is shown inside; undefined where that is not there. */
export function presentQuote({
  state,
  quotedId,
  withheld,
  quoted,
}: {
  state: QuoteState | null
  quotedId: string | null
  /** Which of those may be shown too that are still to be agreed to, or never will be. */
  withheld: ReadonlySet<string>
  quoted: (id: string) => Json<Status> | undefined
}): Json<Quote> | Json<null> {
  if (state === null) return toJson(null)
  const isHad = HAD.has(state)
  const status = quotedId !== null && (isHad || withheld.has(quotedId)) ? quoted(quotedId) : undefined
  const told = isHad && status === undefined ? 'deleted' : state
  return jsonObject<Quote>({ state: toJson(told), quoted_status: status ?? toJson(null) })
}

/** The same inside of what is quoted itself: its id alone. */
export function presentShallowQuote(
  state: QuoteState | null,
  quotedId: string | null,
): Json<ShallowQuote> | Json<null> {
  if (state === null) return toJson(null)
  return toJson({ state, quoted_status_id: HAD.has(state) ? quotedId : null })
}

/** Whom the author of a status lets quote it. There are few different policies. */
export type Quotable = Pick<QuoteTerms, 'account_id' | 'visibility'> & {
  policy: {
    quote_automatic: Approval['automatic']
    quote_manual: Approval['manual']
    /** What is shown, by what it comes to for the viewer. */
    shown: Record<Approval['current_user'], Json<Approval>>
  }
}

const VERDICTS = ['automatic', 'manual', 'denied', 'unknown'] as const
const policies = new Map<string, Quotable['policy']>()

export function quotableOf(row: QuoteFacts & Pick<QuoteTerms, 'account_id' | 'visibility'>): Quotable {
  const { account_id, visibility } = row
  const key = `${row.quote_automatic}|${row.quote_manual}`
  let policy = policies.get(key)
  if (policy === undefined) policies.set(key, (policy = policyOf(row)))
  return { account_id, visibility, policy }
}

function policyOf({ quote_automatic, quote_manual }: QuoteFacts): Quotable['policy'] {
  const [automatic, manual] = [quote_automatic, quote_manual].map((words) => words.split(' ').filter(Boolean)) as [
    Approval['automatic'],
    Approval['manual'],
  ]
  const shown = VERDICTS.map((verdict) => [verdict, toJson({ automatic, manual, current_user: verdict })])
  return {
    quote_automatic: automatic,
    quote_manual: manual,
    shown: Object.fromEntries(shown) as Quotable['policy']['shown'],
  }
}

/** Who may quote a status, and what would come of it if the viewer tried; `quoter` is null for somebody unknown. */
export function presentQuoteApproval(
  { policy, account_id, visibility }: Quotable,
  quoter: { id: string; standing: QuoteStanding } | null,
): Json<Approval> {
  const { quote_automatic, quote_manual } = policy
  return policy.shown[judgeQuote({ account_id, visibility, quote_automatic, quote_manual }, quoter)]
}
