import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { whenDue } from './end.ts'

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

interface Before {
  id: string
  options: string[]
  multiple: boolean
  expires_at: Date | null
  /** By somebody of here. */
  has_votes: boolean
}

const lock = statement<{ params: { statusId: string }; row: Before }>(
  `select id, options, multiple, expires_at, exists (select from poll_votes v where v.poll_id = polls.id) as has_votes
   from polls where status_id = $statusId for no key update`,
)
// What is open again has not ended.
const upsert = statement<{
  params: {
    statusId: string
    accountId: string
    options: readonly string[]
    multiple: boolean
    tallies: readonly number[]
    votes: number
    votersCount: number | null
    expiresAt: Date | null
    now: Date
  }
}>(
  `insert into polls (status_id, account_id, options, multiple, tallies, votes_count, voters_count, expires_at,
     fetched_at, created_at)
   values ($statusId, $accountId, $options, $multiple, $tallies, $votes, $votersCount, $expiresAt, $now, $now)
   on conflict (status_id) do update set options = excluded.options, multiple = excluded.multiple,
     tallies = excluded.tallies, votes_count = excluded.votes_count, voters_count = excluded.voters_count,
     expires_at = excluded.expires_at, fetched_at = excluded.fetched_at,
     ended_at = case when excluded.expires_at <= excluded.fetched_at then polls.ended_at end`,
)
const removeVotes = statement<{ params: { beforeId: string } }>(`delete from poll_votes where poll_id = $beforeId`)
const remove = statement<{ params: { statusId: string } }>(`delete from polls where status_id = $statusId`)

/**
 * Gives a status of another server its poll, in place of the one that it had. What people here chose in a poll with
 * other options, or with another number of choices, does not count any more.
 */
export async function recordRemotePoll(tx: Tx, input: PollOfStatus): Promise<void> {
  const [before] = await lock(tx.db, { statusId: input.statusId })
  if (before?.has_votes && !isSameQuestion(before, input.poll)) {
    await removeVotes(tx.db, { beforeId: before.id })
    before.has_votes = false
  }
  await write(tx, { before, input })
}

/** Takes a poll away. */
export async function removePoll(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await remove(tx.db, { statusId })
}

/** Brings the votes of a poll up to date, and when it ends; a poll with other options is left as it is. */
export async function retallyRemotePoll(tx: Tx, input: PollOfStatus): Promise<void> {
  const [before] = await lock(tx.db, { statusId: input.statusId })
  if (before && isSameQuestion(before, input.poll)) await write(tx, { before, input })
}

async function write(tx: Tx, { before, input }: { before: Before | undefined; input: PollOfStatus }): Promise<void> {
  const { statusId, accountId, poll } = input
  const { options, multiple, tallies, votersCount, expiresAt } = poll
  const votes = Math.min(
    MAX_VOTES,
    tallies.reduce((sum, tally) => sum + tally, 0),
  )
  await upsert(tx.db, { statusId, accountId, options, multiple, tallies, votes, votersCount, expiresAt, now: tx.now })
  // Whoever voted here hears of its end.
  if (before?.has_votes && expiresAt && expiresAt.getTime() !== before.expires_at?.getTime()) {
    tx.emit('poll.due', { pollId: before.id }, whenDue({ local: false }, expiresAt))
  }
}

function isSameQuestion(before: Before, { options, multiple }: RemotePollFacts): boolean {
  return before.multiple === multiple && isDeepStrictEqual(before.options, [...options])
}
