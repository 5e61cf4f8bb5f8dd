import { ForbiddenError, NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus, visibleTo } from '../access/visibility.ts'
import { quoteApprovalUri } from './quote-approval-uri.ts'
import { changeQuote } from './change-quote.ts'
import { lockQuote } from './lock-quote.ts'
import type { LockedQuote } from './lock-quote.ts'

// An author who accepted a quote may find it, even if the quoting status is no longer visible to the author. All other
// accounts may find it if they can see the quoting status.
const findQuoting = statement<{
  params: { quotedId: string; quotingId: string; accountId: string }
  row: { status_id: string }
}>(
  `select q.status_id from quotes q join statuses s on s.id = q.status_id
   where q.quoted_status_id = $quotedId and q.status_id = $quotingId and s.deleted_at is null
     and (q.quoted_account_id = $accountId and q.state in ('accepted', 'revoked') or ${visibleTo('$accountId')})`,
)
const findApproval = statement<{ params: { quoteId: string }; row: { uri: string; status_uri: string } }>(
  `select ${quoteApprovalUri()} as uri, s.uri as status_uri
   from quotes q join statuses s on s.id = q.status_id join accounts author on author.id = q.quoted_account_id
   where q.id = $quoteId`,
)

/**
 * Revokes a quote of the account's status for good; rejects it if it is still pending. Idempotent. Returns the id of
 * the quoting status. Mastodon: POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke
 * @throws NotFoundError also if the quoting status is not visible; ForbiddenError if the quoted status belongs to
 *   another account
 */
export async function revokeQuote(
  tx: Tx,
  { accountId, statusId, quotingId }: { accountId: string; statusId: string; quotingId: string },
): Promise<string> {
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const quotedId = status.reblog_of_id ?? status.id
  const [quoting] = isId(quotingId) ? await findQuoting(tx.db, { quotedId, quotingId, accountId }) : []
  if (!quoting) throw new NotFoundError()
  const quote = await lockQuote(tx, { statusId: quoting.status_id })
  if (quote?.quotedId !== quotedId) throw new NotFoundError()
  if (quote.quotedAccountId !== accountId) throw new ForbiddenError()
  if (quote.state === 'accepted') await revoke(tx, quote)
  else if (quote.state === 'pending') await changeQuote(tx, { quote, change: { state: 'rejected' } })
  return quote.statusId
}

async function revoke(tx: Tx, quote: LockedQuote): Promise<void> {
  const [approval] = await findApproval(tx.db, { quoteId: quote.id })
  await changeQuote(tx, { quote, change: { state: 'revoked' } })
  // The approval of a quote of one's own status was never published.
  if (!approval || quote.accountId === quote.quotedAccountId) return
  tx.emit('quote.revoked', {
    statusId: quote.statusId,
    statusUri: approval.status_uri,
    accountId: quote.accountId,
    quotedId: quote.quotedId!,
    quotedAccountId: quote.quotedAccountId!,
    quotedUri: quote.quotedUri!,
    approvalUri: approval.uri,
  })
}
