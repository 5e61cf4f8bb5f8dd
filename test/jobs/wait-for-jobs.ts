import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/** The time without a change of the number of jobs after which `waitForJobs` fails. Longer than any awaited delay. */
const NO_PROGRESS_MS = 30_000

/** The time between two queries grows while no job finishes, for example until a retry after seconds. */
const MIN_DELAY_MS = 5
const MAX_DELAY_MS = 50

export interface WaitOptions {
  /**
   * How many retries of a failed job to wait for. They come after e, e² and e³ (20) seconds. A limit by time instead of
   * by number would include the third one or not, depending on the speed of the machine.
   */
  retries?: 2 | 3
}

/**
 * Waits until all due jobs have finished, including the retries of failed and postponed ones. Does not wait for jobs
 * that are scheduled for later.
 * @throws Error that names the remaining jobs, if none finishes for a while
 */
export async function waitForJobs(ctx: Pick<BuilderCtx, 'db'>, { retries = 2 }: WaitOptions = {}): Promise<void> {
  let until = Date.now() + NO_PROGRESS_MS
  let last = -1
  let delay = MIN_DELAY_MS
  for (;;) {
    const { rows } = await sql<{ name: string; last_error: string | null }>`
      select j.name, j.last_error
      from jobs j
      where j.locked_at is not null or (j.attempts < j.max_attempts
        and (j.run_at <= now() or
          (j.attempts between 1 and ${retries} and j.run_at <= now() + interval '21 seconds') or
          (j.key like 'postponed:%' and j.run_at <= now() + interval '20 seconds')))`.execute(ctx.db)
    if (rows.length === 0) return
    if (rows.length !== last) {
      last = rows.length
      delay = MIN_DELAY_MS
      until = Date.now() + NO_PROGRESS_MS
    }
    if (Date.now() > until) {
      throw new Error(`Jobs do not finish: ${rows.map((row) => `${row.name} ${row.last_error ?? ''}`).join('; ')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, delay))
    delay = Math.min(delay * 1.2, MAX_DELAY_MS)
  }
}
