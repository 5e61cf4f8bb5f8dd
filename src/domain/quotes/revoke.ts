import { Forbidden, NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus, visibleTo } from '../statuses/visibility.ts'
import { quoteApprovalUri } from './addresses.ts'
import { changeQuote } from './change.ts'
import { holdQuote } from './hold.ts'
import type { HeldQuote } from './hold.ts'

// Who agreed to be quoted may know of it, whatever has happened since; everybody else may if they see the status.
const findQuoting = statement<{
  params: { quotedId: string; quotingId: string; accountId: string }
  row: { status_id: string }
}>(
  `select q.status_id from quotes q join statuses s on s.id = q.status_id
   where q.quoted_status_id = $quotedId and q.status_id = $quotingId and s.deleted_at is null
     and (q.quoted_account_id = $accountId and q.state in ('accepted', 'revoked') or ${visibleTo('$accountId')})`,
)
const findConsent = statement<{ params: { quoteId: string }; row: { uri: string; status_uri: string } }>(
  `select ${quoteApprovalUri()} as uri, s.uri as status_uri
   from quotes q join statuses s on s.id = q.status_id join accounts author on author.id = q.quoted_account_id
   where q.id = $quoteId`,
)

/**
 * Withdraws one's consent to a quote, for good; of one that one has not agreed to, refuses it. Doing it again does
 * nothing. Returns the id of the status that quotes.
 * @throws NotFound also for a hidden status that quotes · Forbidden when it is somebody else who is quoted
 */
export async function revokeQuote(
  tx: Tx,
  { accountId, statusId, quotingId }: { accountId: string; statusId: string; quotingId: string },
): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const quotedId = found.reblog_of_id ?? found.id
  const [quoting] = isId(quotingId) ? await findQuoting(tx.db, { quotedId, quotingId, accountId }) : []
  if (!quoting) throw new NotFound()
  const quote = await holdQuote(tx, { statusId: quoting.status_id })
  if (quote?.quotedId !== quotedId) throw new NotFound()
  if (quote.quotedAccountId !== accountId) throw new Forbidden()
  if (quote.state === 'accepted') await revoke(tx, quote)
  else if (quote.state === 'pending') await changeQuote(tx, { quote, change: { state: 'rejected' } })
  return quote.statusId
}

async function revoke(tx: Tx, quote: HeldQuote): Promise<void> {
  const [consent] = await findConsent(tx.db, { quoteId: quote.id })
  await changeQuote(tx, { quote, change: { state: 'revoked' } })
  // Nobody was ever told of a consent to quote oneself.
  if (!consent || quote.accountId === quote.quotedAccountId) return
  tx.emit('quote.revoked', {
    statusId: quote.statusId,
    statusUri: consent.status_uri,
    accountId: quote.accountId,
    quotedId: quote.quotedId!,
    quotedAccountId: quote.quotedAccountId!,
    quotedUri: quote.quotedUri!,
    approvalUri: consent.uri,
  })
}
