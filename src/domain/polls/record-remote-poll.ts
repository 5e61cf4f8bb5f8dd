import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { pollDueAt } from './end-poll.ts'

/** The maximum value of the PostgreSQL type integer. */
const MAX_VOTES = 2_147_483_647

/** A remote poll, with the tallies that its server reports. */
export interface RemotePollFacts {
  options: readonly string[]
  /** The votes per option, in the order of `options`. */
  tallies: readonly number[]
  multiple: boolean
  /** null if the origin server does not report it. */
  votersCount: number | null
  /** When the poll ends or ended; null means never. */
  expiresAt: Date | null
}

interface PollOfStatus {
  statusId: string
  accountId: string
  poll: RemotePollFacts
}

interface StoredPoll {
  id: string
  options: string[]
  multiple: boolean
  expires_at: Date | null
  /** Whether a local account voted. */
  has_votes: boolean
}

const lock = statement<{ params: { statusId: string }; row: StoredPoll }>(
  `select id, options, multiple, expires_at, exists (select from poll_votes v where v.poll_id = polls.id) as has_votes
   from polls where status_id = $statusId for no key update`,
)
// A poll that is open again loses its `ended_at`.
const upsert = statement<{
  params: {
    statusId: string
    accountId: string
    options: readonly string[]
    multiple: boolean
    tallies: readonly number[]
    votesCount: number
    votersCount: number | null
    expiresAt: Date | null
    now: Date
  }
}>(
  `insert into polls (status_id, account_id, options, multiple, tallies, votes_count, voters_count, expires_at,
     fetched_at, created_at)
   values ($statusId, $accountId, $options, $multiple, $tallies, $votesCount, $votersCount, $expiresAt, $now, $now)
   on conflict (status_id) do update set options = excluded.options, multiple = excluded.multiple,
     tallies = excluded.tallies, votes_count = excluded.votes_count, voters_count = excluded.voters_count,
     expires_at = excluded.expires_at, fetched_at = excluded.fetched_at,
     ended_at = case when excluded.expires_at <= excluded.fetched_at then polls.ended_at end`,
)
const removeVotes = statement<{ params: { pollId: string } }>(`delete from poll_votes where poll_id = $pollId`)
const remove = statement<{ params: { statusId: string } }>(`delete from polls where status_id = $statusId`)

/**
 * Records the poll of a remote status, and replaces its former poll. If the options or `multiple` changed, deletes the
 * votes of local accounts.
 */
export async function recordRemotePoll(tx: Tx, input: PollOfStatus): Promise<void> {
  const [before] = await lock(tx.db, { statusId: input.statusId })
  if (before?.has_votes && !isSameQuestion(before, input.poll)) {
    await removeVotes(tx.db, { pollId: before.id })
    before.has_votes = false
  }
  await upsertPoll(tx, { before, input })
}

/** Deletes the poll of a status. */
export async function removePoll(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await remove(tx.db, { statusId })
}

/** Updates the tallies and the end of a remote poll. Does nothing if the options or `multiple` are different. */
export async function updateRemoteTallies(tx: Tx, input: PollOfStatus): Promise<void> {
  const [before] = await lock(tx.db, { statusId: input.statusId })
  if (before && isSameQuestion(before, input.poll)) await upsertPoll(tx, { before, input })
}

async function upsertPoll(
  tx: Tx,
  { before, input }: { before: StoredPoll | undefined; input: PollOfStatus },
): Promise<void> {
  const { statusId, accountId, poll } = input
  const { options, multiple, tallies, votersCount, expiresAt } = poll
  const votesCount = Math.min(
    MAX_VOTES,
    tallies.reduce((sum, tally) => sum + tally, 0),
  )
  await upsert(tx.db, {
    statusId,
    accountId,
    options,
    multiple,
    tallies,
    votesCount,
    votersCount,
    expiresAt,
    now: tx.now,
  })
  // Local voters are notified of the end.
  if (before?.has_votes && expiresAt && expiresAt.getTime() !== before.expires_at?.getTime()) {
    tx.emit('poll.due', { pollId: before.id }, pollDueAt({ local: false }, expiresAt))
  }
}

function isSameQuestion(before: StoredPoll, { options, multiple }: RemotePollFacts): boolean {
  return before.multiple === multiple && isDeepStrictEqual(before.options, [...options])
}
