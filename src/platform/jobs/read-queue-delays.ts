import type { Db } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { QueueName } from './queues.ts'

const read = statement<{
  params: { queues: readonly QueueName[]; known: readonly string[] }
  row: { queue: QueueName; seconds: number }
}>(
  `select q.queue, extract(epoch from now() - oldest.run_at)::double precision as seconds
   from unnest($queues::text[]) q (queue)
     cross join lateral (
       select run_at from jobs
       where queue = q.queue and has_attempts and run_at <= now() and locked_by is null and name = any($known)
       order by run_at limit 1
     ) oldest`,
)

/**
 * Returns for how many seconds the oldest job of each queue has been due without having started; 0 if none is due.
 * `known`: the names for which this version has handlers.
 */
export async function readQueueDelays<Name extends QueueName>(
  db: Db,
  { queues, known }: { queues: readonly Name[]; known: readonly string[] },
): Promise<Record<Name, number>> {
  const rows = await read(db, { queues, known })
  const delayOf = new Map(rows.map(({ queue, seconds }) => [queue, seconds]))
  return Object.fromEntries(queues.map((queue) => [queue, delayOf.get(queue) ?? 0])) as Record<Name, number>
}
