import { sql } from 'kysely'
import { everyJob } from './every-job.ts'
import type { BuilderCtx } from './query-builder.ts'

/** How long the number of jobs may stay the same before a test says which of them hang. */
const SETTLE_MS = 15_000

/**
 * Waits until every job that is due has been done, and every one that failed or was postponed at first. What is meant for later stays.
 * @throws Error naming those that hang
 */
export async function settle(ctx: Pick<BuilderCtx, 'db'>): Promise<void> {
  let until = Date.now() + SETTLE_MS
  let last = -1
  for (;;) {
    const { rows } = await sql<{ name: string; last_error: string | null }>`
      select j.name, j.last_error
      from ${everyJob} j
      where j.locked_at is not null or (j.attempts < j.max_attempts
        and (j.run_at <= now() or
          ((j.attempts > 0 or j.key like 'postponed %') and j.run_at <= now() + interval '20 seconds')))`.execute(
      ctx.db,
    )
    if (rows.length === 0) return
    if (rows.length !== last) {
      last = rows.length
      until = Date.now() + SETTLE_MS
    }
    if (Date.now() > until) {
      throw new Error(`Jobs hang: ${rows.map((row) => `${row.name} ${row.last_error ?? ''}`).join('; ')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
