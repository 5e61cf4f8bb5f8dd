/**
 * Jobs wait in three queues, each with tables of its own: whoever looks for the next one never looks through those that
 * are for others, however many of them wait. `prompt`: what this server does by itself, at once. `network`: what waits for
 * other servers. `lengthy`: what takes minutes of the processor.
 */
export type QueueName = 'prompt' | 'network' | 'lengthy'

/** The schema in which a queue has its tables. */
export const SCHEMAS: Readonly<Record<QueueName, string>> = {
  prompt: 'graphile_worker',
  network: 'graphile_worker_network',
  lengthy: 'graphile_worker_lengthy',
}

export const QUEUES = Object.keys(SCHEMAS) as QueueName[]

/** Each queue counts its own jobs, so their numbers are told apart by a letter. */
const LETTER: Readonly<Record<QueueName, string>> = { prompt: '', network: 'n', lengthy: 'l' }

/** What a job is called: its number, with a letter before it in all queues but the first. */
export const JOB_ID = /^[nl]?\d{1,18}$/

/** The numbers of those that are in this queue. */
export function numbersIn(queue: QueueName, ids: readonly string[]): string[] {
  const letter = LETTER[queue]
  return ids.filter((id) => id.replace(/\d+$/, '') === letter).map((id) => id.slice(letter.length))
}

/** Makes a value for each queue from the schema of its tables: a statement, for instance. */
export function forEachQueue<Value>(make: (schema: string) => Value): Readonly<Record<QueueName, Value>> {
  return { prompt: make(SCHEMAS.prompt), network: make(SCHEMAS.network), lengthy: make(SCHEMAS.lengthy) }
}

/** The jobs of all queues, for a statement's `from`. */
export const EVERY_JOB = `(${QUEUES.map(jobsIn).join(' union all ')})`

function jobsIn(queue: QueueName): string {
  const schema = SCHEMAS[queue]
  return `select '${queue}' as queue, '${LETTER[queue]}' || j.id as id, j.id as number, t.identifier as name, j.key,
      j.payload, j.attempts, j.max_attempts, j.run_at, j.created_at, j.locked_at, j.locked_by, j.last_error
    from ${schema}._private_jobs j join ${schema}._private_tasks t on t.id = j.task_id`
}
