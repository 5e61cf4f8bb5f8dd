import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { CheckedPoll } from './check-poll.ts'

const insert = statement<{
  params: {
    statusId: string
    accountId: string
    options: readonly string[]
    multiple: boolean
    hideTotals: boolean
    expiresAt: Date
    now: Date
  }
  row: { id: string }
}>(
  `insert into polls (status_id, account_id, options, tallies, multiple, hide_totals, voters_count, expires_at, created_at)
   values ($statusId, $accountId, $options, array_fill(0, array[cardinality($options::text[])]), $multiple,
     $hideTotals, 0, $expiresAt, $now) returning id`,
)

/** Inserts a poll without votes, and schedules its end. */
export async function insertPoll(
  tx: Tx,
  { statusId, accountId, poll }: { statusId: string; accountId: string; poll: CheckedPoll },
): Promise<void> {
  const { options, multiple, hideTotals, expiresAt } = poll
  const [row] = await insert(tx.db, { statusId, accountId, options, multiple, hideTotals, expiresAt, now: tx.now })
  tx.emit('poll.due', { pollId: row!.id }, expiresAt)
}
