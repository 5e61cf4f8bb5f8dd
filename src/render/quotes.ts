import { quoteStandings } from '../domain/quotes/approval.ts'
import { blocksDomainOfId } from '../domain/relationships/domain-blocking.ts'
import { visibleTo } from '../domain/statuses/visibility.ts'
import type { Quote, ShallowQuote, Status } from '../entities/status.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'

export type QuoteState = Quote['state']

/** What is asked of each status about what it quotes. */
export interface QuoteFacts {
  /** Null: it quotes nothing that is known here, or what it quoted is gone. */
  quoted_status_id: string | null
  quotes_count: number
  quote_automatic: Approval['automatic']
  quote_manual: Approval['manual']
}

type Approval = Status['quote_approval']

/** Those who stand so to the author of the status `shown` that it matters for who may quote it. */
export const STANDINGS = quoteStandings('shown')

/**
 * What a quote is for a viewer, as SQL over the alias `quote` of `quotes`; null where there is none to be shown. What
 * its author agreed to may still be hidden from the viewer, or be unwanted. `viewer` is a parameter or a column; null
 * stands for somebody unknown.
 */
export function quoteStateFor(viewer: string): string {
  const by = `${viewer}::bigint`
  return `case
    when quote.id is null or (quote.legacy and quote.state <> 'accepted') then null
    when quote.state <> 'accepted' then quote.state
    when quote.quoted_status_id is null then 'deleted'
    when not exists (
      select from statuses q where q.id = quote.quoted_status_id and ${visibleTo(viewer, 'q')} offset 0) then 'unauthorized'
    when exists (select from blocks b where b.account_id = ${by} and b.target_account_id = quote.quoted_account_id offset 0)
      then 'blocked_account'
    when ${blocksDomainOfId('quote.quoted_account_id', by)} then 'blocked_domain'
    when exists (select from mutes m where m.account_id = ${by} and m.target_account_id = quote.quoted_account_id
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

/** Who may quote a status, and what would come of it if the viewer tried. */
export function presentQuoteApproval(
  { quote_automatic: automatic, quote_manual: manual }: QuoteFacts,
  verdict: Approval['current_user'],
): Approval {
  return { automatic, manual, current_user: verdict }
}
