import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { countQuote } from './count-quote.ts'
import type { LockedQuote, QuoteState } from './lock-quote.ts'

const updateQuote = statement<{
  params: {
    id: string
    state: string
    requestUri: string | null
    approvalUri: string | null
    legacy: boolean
    now: Date
  }
}>(
  `update quotes set state = $state, request_uri = $requestUri, approval_uri = $approvalUri, legacy = $legacy, updated_at = $now where id = $id`,
)
const incrementVersion = statement<{ params: { statusId: string } }>(
  `update statuses set version = version + 1 where id = $statusId`,
)

/** A change of a quote; properties that are left out do not change. */
interface QuoteChange {
  state: QuoteState
  requestUri?: string
  approvalUri?: string | null
  legacy?: boolean
}

/** Changes a locked quote, and updates the quote counter of the quoted status. */
export async function changeQuote(
  tx: Tx,
  { quote, change }: { quote: LockedQuote; change: QuoteChange },
): Promise<void> {
  const { id, statusId, quotedId } = quote
  const { state, requestUri = quote.requestUri, approvalUri = quote.approvalUri, legacy = quote.legacy } = change
  await updateQuote(tx.db, { id, state, requestUri, approvalUri, legacy, now: tx.now })
  await incrementVersion(tx.db, { statusId })
  const [wasAccepted, isAccepted] = [quote.state === 'accepted', state === 'accepted']
  if (quotedId !== null && wasAccepted !== isAccepted) await countQuote(tx, { quotedId, by: isAccepted ? 1 : -1 })
  if (!wasAccepted && isAccepted && quote.accountId !== quote.quotedAccountId)
    tx.emit('quote.accepted', { quoteId: id })
  if (quote.state !== state) tx.emit('status.quote_state_changed', { statusId, at: tx.now.getTime() })
}
