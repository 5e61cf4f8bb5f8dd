import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { findVisibleStatus, visibleTo } from '../access/visibility.ts'
import { quoterRelations } from '../access/quoter-relations.ts'
import type { QuoterRelations } from '../access/quoter-relations.ts'
import { evaluateQuotePolicy } from './quote-approval.ts'
import type { QuoteApproval, StoredQuotePolicy } from './quote-approval.ts'

/** A status that may be quoted. */
export interface QuotableStatus extends StoredQuotePolicy {
  id: string
  uri: string
  /** The URL of its HTML page. */
  url: string
  local: boolean
  local_only: boolean
}

const relationColumns = Object.entries(quoterRelations('s'))
  .map(([name, rows]) => `exists (select from ${rows} and d.account_id = $accountId offset 0) as ${name}`)
  .join(', ')

// The lock prevents the deletion of the status: a quote refers to its id and changes its counter.
const lockQuotable = statement<{
  params: { statusId: string; accountId: string }
  row: QuotableStatus & QuoterRelations
}>(
  `select s.id, s.account_id, s.uri, s.url, s.visibility, s.local, s.local_only, s.quote_automatic, s.quote_manual,
     ${relationColumns}
   from statuses s where s.id = $statusId and s.reblog_of_id is null and ${visibleTo('$accountId')} for key share of s`,
)

/** Locks a status, and returns it with whether the account may quote it; null if the account may not see it. */
export async function lockQuotableStatus(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ status: QuotableStatus; approval: QuoteApproval } | null> {
  const [row] = await lockQuotable(read.db, { statusId, accountId })
  return row ? { status: row, approval: evaluateQuotePolicy(row, { id: accountId, relations: row }) } : null
}

/**
 * Returns the status that the account wants to quote, if it may do so at once or may request it; for a reblog, the
 * original. Returns null if `quotedId` is blank.
 * @throws NotFoundError, identical for a hidden status, for one that may not be quoted, and for an unknown id
 */
export async function findQuotable(
  tx: Tx,
  { accountId, quotedId }: { accountId: string; quotedId: string | undefined },
): Promise<QuotableStatus | null> {
  if (quotedId === undefined || quotedId === '') return null
  const absent = new NotFoundError('The post you are trying to quote does not appear to exist.')
  if (!isId(quotedId)) throw absent
  const visible = await findVisibleStatus(tx, { id: quotedId, viewerId: accountId }).catch((err: unknown) => {
    throw err instanceof NotFoundError ? absent : err
  })
  const evaluated = await lockQuotableStatus(tx, { accountId, statusId: visible.reblog_of_id ?? visible.id })
  if (evaluated === null || evaluated.approval === 'denied') throw absent
  return evaluated.status
}
