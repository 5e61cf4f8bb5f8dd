import type { Read } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { QUOTE_COLUMNS, quoteStateFor } from './quotes.ts'
import type { QuoteState } from './quotes.ts'

/** Returns a query for a column of the statuses `$ids` that have a quote. */
export function selectQuoting(column: string): string {
  return `select shown.id, ${column} from (
    select s.id, ${QUOTE_COLUMNS} from statuses s join quotes quote on quote.status_id = s.id
    where s.id = any($ids::bigint[])) shown`
}

const selectQuoteStates = statement<{
  params: { ids: readonly string[]; viewerId: string | null }
  row: { id: string; state: QuoteState | null }
}>(selectQuoting(`${quoteStateFor('$viewerId')} as state`))

/**
 * Returns the state of the quote in each of these statuses that quotes another one, as a viewer sees it (`viewerId`
 * null: an anonymous viewer). The states depend on too many rows to be cached, so each request queries them.
 */
export async function findQuoteStates(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<Map<string, QuoteState | null>> {
  if (ids.length === 0) return new Map()
  const rows = await selectQuoteStates(read.db, { ids, viewerId })
  return new Map(rows.map((row) => [row.id, row.state]))
}
