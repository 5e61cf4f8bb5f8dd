import type { Db } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { QueueName } from './queues.ts'

const count = statement<{ params: { queue: QueueName; limit: number }; row: { due: number } }>(
  `select count(*)::int as due
   from (select from jobs where queue = $queue and has_attempts and run_at <= now() limit $limit) jobs`,
)

/** Returns whether at least `limit` jobs of a queue are due or running. */
export async function hasManyJobs(db: Db, { queue, limit }: { queue: QueueName; limit: number }): Promise<boolean> {
  const [row] = await count(db, { queue, limit })
  return row!.due >= limit
}
