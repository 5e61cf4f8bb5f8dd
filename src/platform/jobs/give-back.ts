import type { Queryable } from '../db/connect.ts'
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
 * Frees the jobs that these workers hold and will not finish. A job whose key was given to a newer one while it ran
 * counts as used up from then on; it gets its tries back, because the newer one may have left the work to it.
 */
export async function giveBackJobs(
  db: Queryable,
  { queue, workerIds }: { queue: QueueName; workerIds: readonly string[] },
): Promise<void> {
  await restoreAttempts[queue](db, { workerIds })
  await unlock[queue](db, { workerIds })
}
