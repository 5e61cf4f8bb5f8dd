import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** How long after the end of a remote poll local voters are notified, so that its server can send the last votes. */
const REMOTE_GRACE_MINUTES = 5
const MINUTE_MS = 60_000

interface OpenPoll {
  status_id: string
  expires_at: Date | null
  local: boolean
}

const lock = statement<{ params: { pollId: string }; row: OpenPoll }>(
  `select p.status_id, p.expires_at, s.local from polls p join statuses s on s.id = p.status_id
   where p.id = $pollId and p.ended_at is null and s.deleted_at is null for no key update of p`,
)
const end = statement<{ params: { pollId: string; now: Date } }>(`update polls set ended_at = $now where id = $pollId`)

/** Returns when voters are notified of the end of a poll that expires at `expiresAt`. */
export function pollDueAt({ local }: { local: boolean }, expiresAt: Date): Date {
  return local ? expiresAt : new Date(expiresAt.getTime() + REMOTE_GRACE_MINUTES * MINUTE_MS)
}

/** Effect: ends an expired poll, once. If the poll was prolonged, schedules the effect for the new end instead. */
export async function endPoll(ctx: Ctx, { pollId }: { pollId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [poll] = await lock(tx.db, { pollId })
    if (!poll?.expires_at) return
    if (poll.expires_at > tx.now) {
      tx.emit('poll.due', { pollId }, pollDueAt(poll, poll.expires_at))
      return
    }
    await end(tx.db, { pollId, now: tx.now })
    tx.emit('poll.ended', { pollId, statusId: poll.status_id })
  })
}
