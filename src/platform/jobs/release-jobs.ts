import type { Queryable } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import { forEachQueue } from './queues.ts'
import type { QueueName } from './queues.ts'

const restoreAttempts = forEachQueue((schema) =>
  statement<{ params: { workerIds: readonly string[] } }>(
    `update ${schema}._private_jobs set attempts = 0
     where locked_by = any($workerIds) and key is null and attempts >= max_attempts and updated_at > locked_at`,
  ),
)
const unlock = forEachQueue((schema) =>
  statement<{ params: { workerIds: readonly string[] } }>(`select ${schema}.force_unlock_workers($workerIds)`),
)

/**
 * Unlocks the jobs of workers that will not finish them. If a newer job took over the key of a running job, the library
 * marks the running job as having no attempts left. Such a job gets its attempts back, because the newer job may rely
 * on its work.
 */
export async function releaseJobs(
  db: Queryable,
  { queue, workerIds }: { queue: QueueName; workerIds: readonly string[] },
): Promise<void> {
  await restoreAttempts[queue](db, { workerIds })
  await unlock[queue](db, { workerIds })
}
