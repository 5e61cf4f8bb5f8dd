import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../core/lock-uris.ts'
import { hasTombstone } from '../core/tombstones.ts'
import { changeQuote } from './change-quote.ts'
import { lockQuote } from './lock-quote.ts'
import type { LockedQuote } from './lock-quote.ts'

/** Identifies a quote request that this server sent, and the account that answers it. */
export interface QuoteAnswer {
  /** The quoting status. */
  statusId: string
  /** The author of the quoted status. */
  accountId: string
}

const isTaken = statement<{ params: { approvalUri: string; quoteId: string } }>(
  `select from quotes where approval_uri = $approvalUri and id <> $quoteId`,
)
const findUri = statement<{ params: { quotedAccountId: string | null }; row: { uri: string } }>(
  `select uri from accounts where id = $quotedAccountId`,
)

/**
 * Processes the Accept of a quote request by a remote author (FEP-044f). `approvalUri` is the id of the
 * QuoteAuthorization, which the caller has verified. Does nothing unless the quote is pending.
 */
export async function acceptQuote(
  tx: Tx,
  { approvalUri, ...answer }: QuoteAnswer & { approvalUri: string },
): Promise<void> {
  await lockUris(tx, { uris: [approvalUri] })
  const quote = await lockRequestedQuote(tx, answer)
  if (quote?.state === 'pending') await approve(tx, { quote, approvalUri })
}

/** Processes the Reject of a quote request by a remote author: rejects a pending quote, revokes an accepted one. */
export async function rejectQuote(tx: Tx, answer: QuoteAnswer): Promise<void> {
  const quote = await lockRequestedQuote(tx, answer)
  if (quote?.state === 'pending') await changeQuote(tx, { quote, change: { state: 'rejected' } })
  else if (quote?.state === 'accepted') await revokeApproval(tx, quote)
}

const findApproved = statement<{ params: { uri: string; accountId: string }; row: { status_id: string } }>(
  `select status_id from quotes where approval_uri = $uri and quoted_account_id = $accountId`,
)

/**
 * Revokes the quote that a remote author approved with this approval URI. Returns false if no quote has that approval.
 */
export async function recordApprovalRevocation(
  tx: Tx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  await lockUris(tx, { uris: [uri] })
  const [approved] = await findApproved(tx.db, { uri, accountId })
  const quote = approved ? await lockQuote(tx, { statusId: approved.status_id }) : null
  if (quote?.approvalUri !== uri || quote.state !== 'accepted') return false
  await revokeApproval(tx, quote)
  return true
}

const touch = statement<{ params: { uri: string; now: Date } }>(
  `update quotes set updated_at = $now where approval_uri = $uri and state = 'accepted'`,
)

/** Records that the approval of a remote author was fetched again and is still valid. */
export async function recordApprovalCheck(tx: Tx, { uri }: { uri: string }): Promise<void> {
  await touch(tx.db, { uri, now: tx.now })
}

/**
 * Accepts a pending quote after the approval of the remote author was verified, or without an approval if the author
 * quotes their own status. `quoted` is the stored quoted status.
 */
export async function recordQuoteApproval(
  tx: Tx,
  {
    statusId,
    quoted,
    approvalUri,
  }: { statusId: string; quoted: { id: string; accountId: string; uri: string }; approvalUri: string | null },
): Promise<void> {
  if (approvalUri !== null) await lockUris(tx, { uris: [approvalUri] })
  await linkQuotedStatus(tx.db, { statusId, quotedId: quoted.id, accountId: quoted.accountId, quotedUri: quoted.uri })
  const quote = await lockQuote(tx, { statusId })
  if (quote?.state !== 'pending' || quote.quotedId !== quoted.id) return
  if (approvalUri !== null) await approve(tx, { quote, approvalUri })
  else if (quote.accountId === quoted.accountId) await changeQuote(tx, { quote, change: { state: 'accepted' } })
}

// Never links a direct or local-only status, whatever the remote server claims.
const linkQuotedStatus = statement<{
  params: { statusId: string; quotedId: string; accountId: string; quotedUri: string }
}>(
  `update quotes q set quoted_status_id = s.id, quoted_account_id = s.account_id
   from statuses s
   where q.status_id = $statusId and q.quoted_status_id is null and q.quoted_uri = $quotedUri and s.id = $quotedId
     and s.account_id = $accountId
     and s.uri = $quotedUri and s.deleted_at is null and s.reblog_of_id is null and not s.local_only
       and s.visibility <> 'direct'`,
)

async function lockRequestedQuote(tx: Tx, { statusId, accountId }: QuoteAnswer): Promise<LockedQuote | null> {
  const quote = await lockQuote(tx, { statusId })
  return quote?.quotedAccountId === accountId && quote.requestUri !== null ? quote : null
}

async function approve(tx: Tx, { quote, approvalUri }: { quote: LockedQuote; approvalUri: string }): Promise<void> {
  const [author] = await findUri(tx.db, { quotedAccountId: quote.quotedAccountId })
  if (!author || (await hasTombstone(tx, { uri: approvalUri, ownerUri: author.uri }))) return
  if ((await isTaken(tx.db, { approvalUri, quoteId: quote.id })).length > 0) return
  await changeQuote(tx, { quote, change: { state: 'accepted', approvalUri } })
}

/** Keeps the approval URI, so that a repeated revocation still finds the quote. */
async function revokeApproval(tx: Tx, quote: LockedQuote): Promise<void> {
  await changeQuote(tx, { quote, change: { state: 'revoked' } })
}
