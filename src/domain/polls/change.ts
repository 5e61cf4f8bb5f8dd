import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { insertPoll } from './attach.ts'
import type { CheckedPoll } from './check.ts'

/** The poll of a status before an edit. */
export interface OwnPoll {
  id: string
  options: string[]
  multiple: boolean
  hide_totals: boolean
  expires_at: Date | null
}

const lock = statement<OwnPoll>(
  `select id, options, multiple, hide_totals, expires_at from polls where status_id = $1 for no key update`,
)
const findVotersElsewhere = statement<{ id: string }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from poll_votes v join accounts a on a.id = v.account_id
   where v.poll_id = $1 and a.domain is not null and a.suspended_at is null
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id`,
)
const removeVotes = statement(`delete from poll_votes where poll_id = $1`)
const remove = statement(`delete from polls where id = $1`)
const reset = statement(
  `update polls set options = $2, multiple = $3, tallies = array_fill(0, array[cardinality($2::text[])]),
     votes_count = 0, voters_count = 0
   where id = $1`,
)
const prolong = statement(`update polls set hide_totals = $2, expires_at = $3, ended_at = null where id = $1`)

/** The poll that somebody's own status has before an edit; nobody votes in it until that is done. */
export async function findOwnPoll(tx: Tx, { statusId }: { statusId: string }): Promise<OwnPoll | null> {
  const [poll] = await lock(tx.db, [statusId])
  return poll ?? null
}

/** Whether an edit leaves a poll, or that there is none, as it is. */
export function isSamePoll(before: OwnPoll | null, next: CheckedPoll | null): boolean {
  if (before === null || next === null) return before === next
  const isOpenAsLong = before.expires_at?.getTime() === next.expiresAt.getTime()
  return isSameQuestion(before, next) && before.hide_totals === next.hideTotals && isOpenAsLong
}

/**
 * Adds, changes or removes the poll of somebody's own status. Other options, or that one may choose several of them or
 * not any more, make a new question of it, which nobody has voted on. Returns people elsewhere whose votes are gone; of
 * those who share an inbox, one.
 */
export async function changePoll(
  tx: Tx,
  { statusId, accountId, before, next }: Change,
): Promise<{ formerVoterIds: string[] }> {
  if (before === null) {
    if (next) await insertPoll(tx, { statusId, accountId, poll: next })
    return { formerVoterIds: [] }
  }
  const isReset = next === null || !isSameQuestion(before, next)
  const formerVoterIds = isReset ? (await findVotersElsewhere(tx.db, [before.id])).map((row) => row.id) : []
  if (next === null) {
    await remove(tx.db, [before.id])
    return { formerVoterIds }
  }
  if (isReset) {
    await removeVotes(tx.db, [before.id])
    await reset(tx.db, [before.id, next.options, next.multiple])
  }
  await prolong(tx.db, [before.id, next.hideTotals, next.expiresAt])
  tx.emit('poll.due', { pollId: before.id }, next.expiresAt)
  return { formerVoterIds }
}

interface Change {
  statusId: string
  accountId: string
  /** As `findOwnPoll` gave it. */
  before: OwnPoll | null
  next: CheckedPoll | null
}

function isSameQuestion(before: OwnPoll, next: CheckedPoll): boolean {
  return before.multiple === next.multiple && isDeepStrictEqual(before.options, next.options)
}
