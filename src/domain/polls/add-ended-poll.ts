import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A poll that has ended, with its results. */
export interface EndedPoll {
  options: readonly string[]
  /** The votes of each option. */
  tallies: readonly number[]
  multiple: boolean
  votersCount: number
  endedAt: Date
}

const insert = statement<{
  params: {
    statusId: string
    accountId: string
    options: readonly string[]
    tallies: readonly number[]
    multiple: boolean
    votesCount: number
    votersCount: number
    endedAt: Date
    now: Date
  }
}>(
  `insert into polls (status_id, account_id, options, tallies, multiple, votes_count, voters_count, expires_at, ended_at,
     created_at)
   values ($statusId, $accountId, $options, $tallies, $multiple, $votesCount, $votersCount, $endedAt, $endedAt, $now)`,
)

/** Adds an ended poll to an imported status. Nobody is notified of its end. */
export async function addEndedPoll(
  tx: Tx,
  { statusId, accountId, poll }: { statusId: string; accountId: string; poll: EndedPoll },
): Promise<void> {
  const votesCount = poll.tallies.reduce((sum, tally) => sum + tally, 0)
  await insert(tx.db, { statusId, accountId, ...poll, votesCount, now: tx.now })
}
