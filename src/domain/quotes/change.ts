import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { countQuote } from './count.ts'
import type { HeldQuote, StoredState } from './hold.ts'

const write = statement<{
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
const renew = statement<{ params: { statusId: string } }>(
  `update statuses set version = version + 1 where id = $statusId`,
)

/** What becomes of a quote; what is left out stays. */
interface Change {
  state: StoredState
  requestUri?: string
  approvalUri?: string | null
  legacy?: boolean
}

/** Changes a quote that is held, and with it the counter of what it quotes. */
export async function changeQuote(tx: Tx, { quote, change }: { quote: HeldQuote; change: Change }): Promise<void> {
  const { id, statusId, quotedId } = quote
  const { state, requestUri = quote.requestUri, approvalUri = quote.approvalUri, legacy = quote.legacy } = change
  await write(tx.db, { id, state, requestUri, approvalUri, legacy, now: tx.now })
  await renew(tx.db, { statusId })
  const [was, is] = [quote.state === 'accepted', state === 'accepted']
  if (quotedId !== null && was !== is) await countQuote(tx, { quotedId, by: is ? 1 : -1 })
  if (!was && is && quote.accountId !== quote.quotedAccountId) tx.emit('quote.accepted', { quoteId: id })
  if (quote.state !== state) tx.emit('status.quoting_changed', { statusId, at: tx.now.getTime() })
}
