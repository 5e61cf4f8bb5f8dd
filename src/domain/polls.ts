import { statement } from '../platform/db/connect.ts'
import type { Tx } from './context.ts'

/** What an integer of the database holds. */
const MAX_VOTES = 2_147_483_647

/** A poll of another server, with the votes as it counts them. */
export interface RemotePollFacts {
  options: readonly string[]
  /** As many as there are options. */
  tallies: readonly number[]
  multiple: boolean
  /** Null: the origin does not tell. */
  votersCount: number | null
  /** When it ends or ended; null: never. */
  expiresAt: Date | null
}

interface PollOfStatus {
  statusId: string
  accountId: string
  poll: RemotePollFacts
}

const upsert = statement(
  `insert into polls (status_id, account_id, options, multiple, tallies, votes_count, voters_count, expires_at,
     fetched_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
   on conflict (status_id) do update set options = excluded.options, multiple = excluded.multiple,
     tallies = excluded.tallies, votes_count = excluded.votes_count, voters_count = excluded.voters_count,
     expires_at = excluded.expires_at, fetched_at = excluded.fetched_at`,
)
const retally = statement(
  `update polls set tallies = $4, votes_count = $5, voters_count = $6, expires_at = $7, fetched_at = $8
   where status_id = $1 and options = $2 and multiple = $3`,
)
const remove = statement(`delete from polls where status_id = $1`)

function valuesOf({ poll }: PollOfStatus): unknown[] {
  const votes = Math.min(
    MAX_VOTES,
    poll.tallies.reduce((sum, tally) => sum + tally, 0),
  )
  return [poll.options, poll.multiple, poll.tallies, votes, poll.votersCount, poll.expiresAt]
}

/** Gives a status of another server its poll, in place of the one that it had. */
export async function recordRemotePoll(tx: Tx, input: PollOfStatus): Promise<void> {
  await upsert(tx.db, [input.statusId, input.accountId, ...valuesOf(input), tx.now])
}

/** Takes a poll away. */
export async function removePoll(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await remove(tx.db, [statusId])
}

/** Brings the votes of a poll up to date, and when it ends; a poll with other options is left as it is. */
export async function retallyRemotePoll(tx: Tx, input: PollOfStatus): Promise<void> {
  await retally(tx.db, [input.statusId, ...valuesOf(input), tx.now])
}
