import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { findVisibleStatus, visibleTo } from '../statuses/visibility.ts'
import { judgeQuote, quoteStandings } from './approval.ts'
import type { QuoteApproval, QuoteStanding, QuoteTerms } from './approval.ts'

/** What may be quoted. */
export interface Quotable extends QuoteTerms {
  id: string
  uri: string
  /** Where a browser reads it. */
  url: string
  local: boolean
  local_only: boolean
}

const standings = Object.entries(quoteStandings('s'))
  .map(([name, rows]) => `exists (select from ${rows} and d.account_id = $accountId offset 0) as ${name}`)
  .join(', ')

// Held against its deletion: whoever quotes it writes its id and its counter.
const hold = statement<{ params: { statusId: string; accountId: string }; row: Quotable & QuoteStanding }>(
  `select s.id, s.account_id, s.uri, s.url, s.visibility, s.local, s.local_only, s.quote_automatic, s.quote_manual,
     ${standings}
   from statuses s where s.id = $statusId and s.reblog_of_id is null and ${visibleTo('$accountId')} for key share of s`,
)

/** What comes of it when somebody quotes this status; null when they may not see it. */
export async function judgeQuoter(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ status: Quotable; approval: QuoteApproval } | null> {
  const [row] = await hold(read.db, { statusId, accountId })
  return row ? { status: row, approval: judgeQuote(row, { id: accountId, standing: row }) } : null
}

/**
 * What somebody wants to quote, if they may, or may ask; of a boost, what it boosts. null when they quote nothing.
 * @throws NotFound, the very same for what is hidden, for what may not be quoted and for what never was
 */
export async function findQuotable(
  tx: Tx,
  { accountId, quotedId }: { accountId: string; quotedId: string | undefined },
): Promise<Quotable | null> {
  if (quotedId === undefined || quotedId === '') return null
  const absent = new NotFound('The post you are trying to quote does not appear to exist.')
  if (!isId(quotedId)) throw absent
  const found = await findVisibleStatus(tx, { id: quotedId, viewerId: accountId }).catch((err: unknown) => {
    throw err instanceof NotFound ? absent : err
  })
  const judged = await judgeQuoter(tx, { accountId, statusId: found.reblog_of_id ?? found.id })
  if (judged === null || judged.approval === 'denied') throw absent
  return judged.status
}
