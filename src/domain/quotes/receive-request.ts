import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { changeQuote } from './change.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { judgeQuoter } from './find-quotable.ts'
import { holdQuote } from './hold.ts'
import { addressQuoted } from './quote.ts'

/** Somebody elsewhere asks whether a status of theirs may quote one of here. */
export interface QuoteRequest {
  /** Of the request. */
  uri: string
  /** Who asks. */
  accountId: string
  /** The status of here. */
  quotedId: string
  quotedUri: string
  quotedAccountId: string
  /** The address of the one that quotes, and its id here; null where it is not known or was not worth looking for. */
  statusUri: string
  statusId: string | null
}

const isLocal = statement<{ params: { statusId: string } }>(
  `select from statuses where id = $statusId and local and not local_only and deleted_at is null`,
)

const isSeen = statement<{ params: { statusId: string; accountId: string } }>(
  `select from statuses s where s.id = $statusId and (${visibleTo('null')} or ${visibleTo('$accountId')})`,
)

/** Whether somebody may know that a status is there: they, or everybody. */
export async function mayHearOf(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  return (await isSeen(read.db, { statusId, accountId })).length > 0
}

/** Whether somebody elsewhere may quote a status of here, as it looks before anything is written. */
export async function mayQuote(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  if ((await isLocal(read.db, { statusId })).length === 0) return false
  return (await judgeQuoter(read, { accountId, statusId }))?.approval === 'automatic'
}

/**
 * Answers somebody elsewhere who wants to quote a status of here: by the very rule that people here are judged by, at
 * once, and as often as they ask. Nobody here is asked, so whom the rule does not let is refused.
 */
export async function receiveQuoteRequest(tx: Tx, request: QuoteRequest): Promise<'accepted' | 'rejected'> {
  const { uri, accountId, quotedId, quotedUri, quotedAccountId, statusUri, statusId } = request
  await lockUris(tx, { uris: [uri] })
  const may = await mayQuote(tx, { accountId, statusId: quotedId })
  const quote = statusId === null ? null : await holdQuote(tx, { statusId })
  const fits = quote !== null && quote.accountId === accountId && quote.quotedId === quotedId
  const waits = quote?.state === 'pending' || quote?.state === 'accepted'
  if (!may || !fits || !waits) {
    if (fits && quote.state === 'pending') await changeQuote(tx, { quote, change: { state: 'rejected' } })
    tx.emit('quote.refused', { accountId, targetAccountId: quotedAccountId, uri, quotedUri, statusUri })
    return 'rejected'
  }
  if (quote.state === 'pending') {
    await addressQuoted(tx, { statusId: quote.statusId, accountId: quotedAccountId })
    await changeQuote(tx, { quote, change: { state: 'accepted', requestUri: uri, legacy: false } })
  }
  tx.emit('quote.authorised', { quoteId: quote.id, uri })
  return 'accepted'
}
