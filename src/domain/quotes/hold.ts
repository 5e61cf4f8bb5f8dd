import { Conflict } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

export type StoredState = 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted' | 'unauthorized'

/** A quote that nobody else changes until the transaction ends. */
export interface HeldQuote {
  id: string
  /** The status that quotes, and its author. */
  statusId: string
  accountId: string
  /** Null: not known here, or gone. */
  quotedId: string | null
  quotedAccountId: string | null
  quotedUri: string | null
  state: StoredState
  legacy: boolean
  requestUri: string | null
  /** Where somebody elsewhere says that they agree. */
  approvalUri: string | null
}

const findQuotedId = statement<{ params: { statusId: string }; row: { quoted_status_id: string | null } }>(
  `select quoted_status_id from quotes where status_id = $statusId`,
)
const holdQuoted = statement<{ params: { quotedStatusId: string } }>(
  `select from statuses where id = $quotedStatusId for key share`,
)
const holdQuoting = statement<{ params: { statusId: string } }>(
  `select from statuses where id = $statusId and deleted_at is null for no key update`,
)
const hold = statement<{ params: { statusId: string }; row: HeldQuote }>(
  `select id, status_id as "statusId", account_id as "accountId", quoted_status_id as "quotedId",
     quoted_account_id as "quotedAccountId", quoted_uri as "quotedUri", state, legacy, request_uri as "requestUri",
     approval_uri as "approvalUri"
   from quotes where status_id = $statusId for update`,
)

/**
 * The quote that a status has; null for none. The quoted status is held first, then the one that quotes, then the quote:
 * whoever deletes one of the two holds them in no other order.
 */
export async function holdQuote(tx: Tx, { statusId }: { statusId: string }): Promise<HeldQuote | null> {
  const [found] = await findQuotedId(tx.db, { statusId })
  if (!found) return null
  if (found.quoted_status_id !== null) await holdQuoted(tx.db, { quotedStatusId: found.quoted_status_id })
  await holdQuoting(tx.db, { statusId })
  const [quote] = await hold(tx.db, { statusId })
  // What it quotes changed in between, and so what would have to be held.
  if (quote && quote.quotedId !== null && quote.quotedId !== found.quoted_status_id) throw new Conflict()
  return quote ?? null
}
