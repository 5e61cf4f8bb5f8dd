import { SCHEMAS } from './queues.ts'
import type { QueueName } from './queues.ts'

interface Client {
  query(text: string, values: unknown[]): Promise<unknown>
}

/**
 * Frees the jobs that these workers hold and will not finish. A job whose key was given to a newer one while it ran
 * counts as used up from then on; it gets its tries back, because the newer one may have left the work to it.
 */
export async function giveBackJobs(
  client: Client,
  { queue, workerIds }: { queue: QueueName; workerIds: readonly string[] },
): Promise<void> {
  await client.query(
    `update ${SCHEMAS[queue]}._private_jobs set attempts = 0
     where locked_by = any($1) and key is null and attempts >= max_attempts and updated_at > locked_at`,
    [workerIds],
  )
  await client.query(`select ${SCHEMAS[queue]}.force_unlock_workers($1)`, [workerIds])
}
