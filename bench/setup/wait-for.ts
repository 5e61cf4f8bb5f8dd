import { sql } from 'kysely'
import { CommandError } from '../../src/cli/command-error.ts'
import type { BenchStage } from './open-stage.ts'

const POLL_MS = 20

/** More than any of the conditions needs. */
const MAX_WAIT_MS = 600_000

/** Polls a condition until it is true. @throws CommandError after the time limit */
export async function waitFor(
  description: string,
  condition: () => Promise<boolean>,
  { pollMs = POLL_MS }: { pollMs?: number } = {},
): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  while (!(await condition())) {
    if (performance.now() > end) throw new CommandError(`Timeout while waiting for ${description}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Waits until all due jobs have finished. @throws CommandError if a job is dead or they do not finish */
export async function waitForJobs({ db }: Pick<BenchStage, 'db'>): Promise<void> {
  await waitFor('the jobs', async () => {
    const { rows } = await sql<{ pending: boolean; dead: string | null }>`
      select exists (select from jobs j where locked_at is not null or (attempts < max_attempts
          and (run_at <= now() or (attempts > 0 and run_at <= now() + interval '20 seconds')))) as pending,
        (select last_error from jobs j where locked_at is null and attempts >= max_attempts
          limit 1) as dead`.execute(db)
    const [row] = rows
    if (row!.dead !== null) throw new CommandError(`A job has failed permanently: ${row!.dead}`)
    return !row!.pending
  })
}
