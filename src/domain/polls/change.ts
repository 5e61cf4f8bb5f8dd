import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../platform/db/statement.ts'
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

const lock = statement<{ params: { statusId: string }; row: OwnPoll }>(
  `select id, options, multiple, hide_totals, expires_at from polls where status_id = $statusId for no key update`,
)
const findVotersElsewhere = statement<{ params: { beforeId: string }; row: { id: string } }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from poll_votes v join accounts a on a.id = v.account_id
   where v.poll_id = $beforeId and a.domain is not null and a.suspended_at is null
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id`,
)
const removeVotes = statement<{ params: { beforeId: string } }>(`delete from poll_votes where poll_id = $beforeId`)
const remove = statement<{ params: { beforeId: string } }>(`delete from polls where id = $beforeId`)
const reset = statement<{ params: { beforeId: string; options: readonly string[]; multiple: boolean } }>(
  `update polls set options = $options, multiple = $multiple, tallies = array_fill(0, array[cardinality($options::text[])]),
     votes_count = 0, voters_count = 0
   where id = $beforeId`,
)
const prolong = statement<{ params: { beforeId: string; hideTotals: boolean; expiresAt: Date } }>(
  `update polls set hide_totals = $hideTotals, expires_at = $expiresAt, ended_at = null where id = $beforeId`,
)

/** The poll that somebody's own status has before an edit; nobody votes in it until that is done. */
export async function findOwnPoll(tx: Tx, { statusId }: { statusId: string }): Promise<OwnPoll | null> {
  const [poll] = await lock(tx.db, { statusId })
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
  const formerVoterIds = isReset ? (await findVotersElsewhere(tx.db, { beforeId: before.id })).map((row) => row.id) : []
  if (next === null) {
    await remove(tx.db, { beforeId: before.id })
    return { formerVoterIds }
  }
  if (isReset) {
    await removeVotes(tx.db, { beforeId: before.id })
    await reset(tx.db, { beforeId: before.id, options: next.options, multiple: next.multiple })
  }
  await prolong(tx.db, { beforeId: before.id, hideTotals: next.hideTotals, expiresAt: next.expiresAt })
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
