import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { insertPoll } from './insert-poll.ts'
import type { CheckedPoll } from './check-poll.ts'

/** The poll of a status before an edit. */
export interface StoredPoll {
  id: string
  options: string[]
  multiple: boolean
  hide_totals: boolean
  expires_at: Date | null
}

const lock = statement<{ params: { statusId: string }; row: StoredPoll }>(
  `select id, options, multiple, hide_totals, expires_at from polls where status_id = $statusId for no key update`,
)
const findRemoteVoters = statement<{ params: { pollId: string }; row: { id: string } }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from poll_votes v join accounts a on a.id = v.account_id
   where v.poll_id = $pollId and a.domain is not null and a.suspended_at is null
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id`,
)
const removeVotes = statement<{ params: { pollId: string } }>(`delete from poll_votes where poll_id = $pollId`)
const remove = statement<{ params: { pollId: string } }>(`delete from polls where id = $pollId`)
const reset = statement<{ params: { pollId: string; options: readonly string[]; multiple: boolean } }>(
  `update polls set options = $options, multiple = $multiple, tallies = array_fill(0, array[cardinality($options::text[])]),
     votes_count = 0, voters_count = 0
   where id = $pollId`,
)
const updateExpiry = statement<{ params: { pollId: string; hideTotals: boolean; expiresAt: Date } }>(
  `update polls set hide_totals = $hideTotals, expires_at = $expiresAt, ended_at = null where id = $pollId`,
)

/** Locks the poll of a local status before an edit and returns it; null if there is none. The lock delays votes. */
export async function lockOwnPoll(tx: Tx, { statusId }: { statusId: string }): Promise<StoredPoll | null> {
  const [poll] = await lock(tx.db, { statusId })
  return poll ?? null
}

/** Returns whether an edit leaves the poll, or the absence of one, unchanged. */
export function isSamePoll(before: StoredPoll | null, next: CheckedPoll | null): boolean {
  if (before === null || next === null) return before === next
  const isSameExpiry = before.expires_at?.getTime() === next.expiresAt.getTime()
  return isSameQuestion(before, next) && before.hide_totals === next.hideTotals && isSameExpiry
}

/**
 * Adds, changes or removes the poll of a local status. A change of the options or of `multiple` makes it a new question
 * and deletes all votes. Returns the remote accounts whose votes were deleted, one per inbox.
 */
export async function changePoll(
  tx: Tx,
  { statusId, accountId, before, next }: PollChange,
): Promise<{ formerVoterIds: string[] }> {
  if (before === null) {
    if (next) await insertPoll(tx, { statusId, accountId, poll: next })
    return { formerVoterIds: [] }
  }
  const isReset = next === null || !isSameQuestion(before, next)
  const formerVoterIds = isReset ? (await findRemoteVoters(tx.db, { pollId: before.id })).map((row) => row.id) : []
  if (next === null) {
    await remove(tx.db, { pollId: before.id })
    return { formerVoterIds }
  }
  if (isReset) {
    await removeVotes(tx.db, { pollId: before.id })
    await reset(tx.db, { pollId: before.id, options: next.options, multiple: next.multiple })
  }
  await updateExpiry(tx.db, { pollId: before.id, hideTotals: next.hideTotals, expiresAt: next.expiresAt })
  tx.emit('poll.due', { pollId: before.id }, next.expiresAt)
  return { formerVoterIds }
}

interface PollChange {
  statusId: string
  accountId: string
  /** The result of `lockOwnPoll`. */
  before: StoredPoll | null
  next: CheckedPoll | null
}

function isSameQuestion(before: StoredPoll, next: CheckedPoll): boolean {
  return before.multiple === next.multiple && isDeepStrictEqual(before.options, next.options)
}
