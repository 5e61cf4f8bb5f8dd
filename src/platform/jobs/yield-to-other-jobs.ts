import type { Db } from '../db/connection.ts'
import { hasManyJobs } from './has-many-jobs.ts'
import { PostponedError } from './postponed-error.ts'

/** While so many jobs of the queue `default` are due or running, long work waits. */
const MANY_JOBS = 100

/** How long it waits before it checks again. */
const YIELD_MS = 1_000

/**
 * Long work of one user causes jobs for many accounts or statuses. It calls this before each part: if the next part did
 * not wait for these jobs, all of them together would delay the feeds and notifications of other users for minutes. Its
 * own job has to be in another queue, because it counts, too.
 * @throws PostponedError while many jobs of the queue `default` are due
 */
export async function yieldToOtherJobs(db: Db): Promise<void> {
  if (await hasManyJobs(db, { queue: 'default', limit: MANY_JOBS })) {
    throw new PostponedError('many jobs are due', { delayMs: YIELD_MS })
  }
}
