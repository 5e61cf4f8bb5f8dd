import { sql } from 'kysely'
import { Halt } from '../src/cli/failure.ts'
import { everyJob } from '../test/every-job.ts'
import type { Stage } from './stage.ts'

const LOOK_MS = 20

/** Nothing takes longer while it still works. */
const PATIENCE_MS = 600_000

/** Looks again and again until it is so. @throws Halt naming what never came */
export async function waitFor(
  what: string,
  isSo: () => Promise<boolean>,
  { lookMs = LOOK_MS }: { lookMs?: number } = {},
): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Halt(`Waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}

/** Until every job that is due has been done. @throws Halt when one is dead, or they hang */
export async function waitForJobs({ db }: Pick<Stage, 'db'>): Promise<void> {
  await waitFor('the jobs', async () => {
    const { rows } = await sql<{ waits: boolean; dead: string | null }>`
      select exists (select from ${everyJob} j where locked_at is not null or (attempts < max_attempts
          and (run_at <= now() or (attempts > 0 and run_at <= now() + interval '20 seconds')))) as waits,
        (select last_error from ${everyJob} j where locked_at is null and attempts >= max_attempts
          limit 1) as dead`.execute(db)
    const [row] = rows
    if (row!.dead !== null) throw new Halt(`A job failed for good: ${row!.dead}`)
    return !row!.waits
  })
}
