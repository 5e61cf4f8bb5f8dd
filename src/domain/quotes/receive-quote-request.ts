import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { lockUris } from '../core/lock-uris.ts'
import { changeQuote } from './change-quote.ts'
import { visibleTo } from '../access/visibility.ts'
import { lockQuotableStatus } from './find-quotable.ts'
import { lockQuote } from './lock-quote.ts'
import { addressQuotedAuthor } from './quote-status.ts'

/** The request of a remote account to quote a local status (FEP-044f QuoteRequest). */
export interface QuoteRequest {
  /** The id of the activity. */
  uri: string
  /** The remote account. */
  accountId: string
  /** The local status. */
  quotedId: string
  quotedUri: string
  quotedAccountId: string
  /** The URI of the quoting status, and its id here; the id is null if the status is not known or was not fetched. */
  statusUri: string
  statusId: string | null
}

const isLocal = statement<{ params: { statusId: string } }>(
  `select from statuses where id = $statusId and local and not local_only and deleted_at is null`,
)

const findVisible = statement<{ params: { statusId: string; accountId: string } }>(
  `select from statuses s where s.id = $statusId and (${visibleTo('null')} or ${visibleTo('$accountId')})`,
)

/** Returns whether a remote account may know that a status exists: it is visible to the account or to everyone. */
export async function canSeeStatus(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  return (await findVisible(read.db, { statusId, accountId })).length > 0
}

/** Returns whether a remote account may quote a local status. */
export async function canQuote(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  if ((await isLocal(read.db, { statusId })).length === 0) return false
  return (await lockQuotableStatus(read, { accountId, statusId }))?.approval === 'automatic'
}

/**
 * Answers the request of a remote account to quote a local status at once, by the same policy as for local accounts,
 * and answers repeated requests again. Local authors cannot approve quotes manually, so a request is rejected unless
 * the policy allows the quote automatically.
 */
export async function receiveQuoteRequest(tx: Tx, request: QuoteRequest): Promise<'accepted' | 'rejected'> {
  const { uri, accountId, quotedId, quotedUri, quotedAccountId, statusUri, statusId } = request
  await lockUris(tx, { uris: [uri] })
  const isAllowed = await canQuote(tx, { accountId, statusId: quotedId })
  const quote = statusId === null ? null : await lockQuote(tx, { statusId })
  const matches = quote !== null && quote.accountId === accountId && quote.quotedId === quotedId
  const isOpen = quote?.state === 'pending' || quote?.state === 'accepted'
  if (!isAllowed || !matches || !isOpen) {
    if (matches && quote.state === 'pending') await changeQuote(tx, { quote, change: { state: 'rejected' } })
    tx.emit('quote.request_rejected', { accountId, targetAccountId: quotedAccountId, uri, quotedUri, statusUri })
    return 'rejected'
  }
  if (quote.state === 'pending') {
    await addressQuotedAuthor(tx, { statusId: quote.statusId, accountId: quotedAccountId })
    await changeQuote(tx, { quote, change: { state: 'accepted', requestUri: uri, legacy: false } })
  }
  tx.emit('quote.request_accepted', { quoteId: quote.id, uri })
  return 'accepted'
}
