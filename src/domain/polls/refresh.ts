import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** For how long the votes of another server are taken for new. */
const FRESH_MINUTES = 1

/** Somebody waits for the answer. */
const TIMEOUT_MS = 2_500

// Who finds it stale asks for it, and everybody else meanwhile sees what is known. What was asked for after its end does
// not change any more.
const claim = statement<{ params: { pollId: string; now: Date }; row: { uri: string } }>(
  `update polls p set fetched_at = $now from statuses s
   where p.id = $pollId and s.id = p.status_id and not s.local and s.deleted_at is null
     and (p.fetched_at is null or (p.fetched_at <= $now::timestamptz - interval '${FRESH_MINUTES} minutes'
       and (p.expires_at is null or p.fetched_at < p.expires_at)))
   returning s.uri`,
)

/** Asks another server for the votes of a poll of it, unless that was done lately. Without an answer nothing changes. */
export async function refreshPoll(ctx: Ctx, { pollId }: { pollId: string }): Promise<void> {
  const [stale] = await ctx.write((tx) => claim(tx.db, { pollId, now: tx.now }))
  if (stale) await ctx.remote.renewStatus({ uri: stale.uri, timeoutMs: TIMEOUT_MS })
}
