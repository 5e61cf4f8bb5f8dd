import { ConflictError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

export type QuoteState = 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted' | 'unauthorized'

/** A quote that is locked until the transaction ends. */
export interface LockedQuote {
  id: string
  /** The quoting status, and its author. */
  statusId: string
  accountId: string
  /** null if the quoted status is not known here or does not exist any more. */
  quotedId: string | null
  quotedAccountId: string | null
  quotedUri: string | null
  state: QuoteState
  legacy: boolean
  requestUri: string | null
  /** The id of the remote author's QuoteAuthorization (FEP-044f). */
  approvalUri: string | null
}

const findQuotedId = statement<{ params: { statusId: string }; row: { quoted_status_id: string | null } }>(
  `select quoted_status_id from quotes where status_id = $statusId`,
)
const lockQuoted = statement<{ params: { quotedStatusId: string } }>(
  `select from statuses where id = $quotedStatusId for key share`,
)
const lockQuoting = statement<{ params: { statusId: string } }>(
  `select from statuses where id = $statusId and deleted_at is null for no key update`,
)
const lockRow = statement<{ params: { statusId: string }; row: LockedQuote }>(
  `select id, status_id as "statusId", account_id as "accountId", quoted_status_id as "quotedId",
     quoted_account_id as "quotedAccountId", quoted_uri as "quotedUri", state, legacy, request_uri as "requestUri",
     approval_uri as "approvalUri"
   from quotes where status_id = $statusId for update`,
)

/**
 * Locks the quote of a status and returns it; null if the status quotes nothing. Locks the quoted status first, then
 * the quoting status, then the quote. Deletions lock in the same order, so that no deadlock is possible.
 * @throws ConflictError if the quote was changed in the meantime
 */
export async function lockQuote(tx: Tx, { statusId }: { statusId: string }): Promise<LockedQuote | null> {
  const [reference] = await findQuotedId(tx.db, { statusId })
  if (!reference) return null
  if (reference.quoted_status_id !== null) await lockQuoted(tx.db, { quotedStatusId: reference.quoted_status_id })
  await lockQuoting(tx.db, { statusId })
  const [quote] = await lockRow(tx.db, { statusId })
  // The quoted status changed in between, so the wrong status was locked.
  if (quote && quote.quotedId !== null && quote.quotedId !== reference.quoted_status_id) throw new ConflictError()
  return quote ?? null
}
