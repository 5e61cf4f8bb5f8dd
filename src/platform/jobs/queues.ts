/**
 * There are three queues with separate tables, so that the search for the next job of one queue never scans the jobs of
 * the others. `default`: work within this server. `network`: requests to other servers. `media`: conversions that take
 * minutes of processor time.
 */
export type QueueName = 'default' | 'network' | 'media'

/** The schemas of the queues' tables. */
export const QUEUE_SCHEMAS: Readonly<Record<QueueName, string>> = {
  default: 'graphile_worker',
  network: 'graphile_worker_network',
  media: 'graphile_worker_media',
}

export const QUEUES = Object.keys(QUEUE_SCHEMAS) as QueueName[]

/** Each queue numbers its own jobs, so a letter makes the ids unique. */
const JOB_ID_PREFIXES: Readonly<Record<QueueName, string>> = { default: '', network: 'n', media: 'm' }

/** The id of a job: its number, after a letter in all queues but `default`. */
export const JOB_ID = /^[nm]?\d{1,18}$/

/** Returns the numbers of the jobs among `ids` that belong to this queue. */
export function jobNumbersIn(queue: QueueName, ids: readonly string[]): string[] {
  const prefix = JOB_ID_PREFIXES[queue]
  return ids.filter((id) => id.replace(/\d+$/, '') === prefix).map((id) => id.slice(prefix.length))
}

/** Creates a value for each queue from the schema of its tables, for example a statement. */
export function forEachQueue<Value>(create: (schema: string) => Value): Readonly<Record<QueueName, Value>> {
  return {
    default: create(QUEUE_SCHEMAS.default),
    network: create(QUEUE_SCHEMAS.network),
    media: create(QUEUE_SCHEMAS.media),
  }
}

/** A subquery with the jobs of all queues, for the `from` of a statement. */
export const EVERY_JOB = `(${QUEUES.map(selectJobsOf).join(' union all ')})`

function selectJobsOf(queue: QueueName): string {
  const schema = QUEUE_SCHEMAS[queue]
  return `select '${queue}' as queue, '${JOB_ID_PREFIXES[queue]}' || j.id as id, j.id as number, t.identifier as name, j.key,
      j.payload, j.attempts, j.max_attempts, j.run_at, j.created_at, j.locked_at, j.locked_by, j.last_error
    from ${schema}._private_jobs j join ${schema}._private_tasks t on t.id = j.task_id`
}
