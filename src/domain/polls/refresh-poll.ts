import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** How long the tallies of a remote poll are considered fresh. */
const FRESH_MINUTES = 1

/** Short, because an API request waits for the result. */
const TIMEOUT_MS = 2_500

// The first request that finds the poll stale refreshes it; parallel requests return the stored tallies. A poll that
// was refreshed after its end is not refreshed again.
const claim = statement<{ params: { pollId: string; now: Date }; row: { uri: string } }>(
  `update polls p set fetched_at = $now from statuses s
   where p.id = $pollId and s.id = p.status_id and not s.local and s.deleted_at is null
     and (p.fetched_at is null or (p.fetched_at <= $now::timestamptz - interval '${FRESH_MINUTES} minutes'
       and (p.expires_at is null or p.fetched_at < p.expires_at)))
   returning s.uri`,
)

/** Fetches the tallies of a remote poll from its server if the stored ones are stale. Ignores failed requests. */
export async function refreshPoll(ctx: Ctx, { pollId }: { pollId: string }): Promise<void> {
  const [stale] = await ctx.write((tx) => claim(tx.db, { pollId, now: tx.now }))
  if (stale) await ctx.remote.refreshStatus({ uri: stale.uri, timeoutMs: TIMEOUT_MS })
}
