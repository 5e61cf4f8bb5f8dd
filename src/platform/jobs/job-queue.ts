import type { Db } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import { EVERY_JOB, forEachQueue, jobNumbersIn, QUEUES } from './queues.ts'
import type { QueueName } from './queues.ts'

/** A job to enqueue: the name of the effect, its payload, and a delay (default: none). */
export interface JobSpec {
  name: string
  payload: unknown
  maxAttempts: number
  delayMs?: number
  /** Only one job per key waits: a new one replaces it. */
  key?: string | undefined
  /** `default` if absent. */
  queue?: QueueName
}

/** The advisory lock of transactions that write several jobs with keys. */
const JOB_KEYS_LOCK = 4_711_003

const lockKeys = statement(`select pg_advisory_xact_lock(${JOB_KEYS_LOCK})`)
// Not `now()`, which is the start of the transaction: the job would run too early.
const addJobs = forEachQueue((schema) =>
  statement<{ params: { jobs: string }; row: { key: string | null } }>(
    `select key from ${schema}.add_jobs((
       select array_agg((identifier, payload, null, clock_timestamp() + delay_ms * interval '1 millisecond',
         max_attempts, job_key, null, null)::${schema}.job_spec)
       from jsonb_to_recordset($jobs::jsonb)
         as spec (identifier text, payload json, delay_ms float8, max_attempts smallint, job_key text)
     ))`,
  ),
)

/** Inserts jobs in the caller's transaction: they exist if and only if it commits. */
export async function enqueueJobs(tx: Db, jobs: readonly JobSpec[]): Promise<void> {
  const last = new Map(jobs.map((job, n) => [job.key ?? n, job]))
  const deduplicated = [...last.values()]
  // Prevents deadlocks: transactions with several common keys would lock them in different orders.
  if (deduplicated.filter((job) => job.key !== undefined).length > 1) {
    await lockKeys(tx)
  }
  for (const queue of QUEUES) {
    await addAllJobs(tx, { queue, jobs: deduplicated.filter((job) => (job.queue ?? 'default') === queue) })
  }
}

async function addAllJobs(tx: Db, { queue, jobs }: { queue: QueueName; jobs: readonly JobSpec[] }): Promise<void> {
  let remaining = jobs
  while (remaining.length > 0) {
    const added = await addJobs[queue](tx, { jobs: JSON.stringify(remaining.map(specOf)) })
    if (added.length === remaining.length) return
    // `add_jobs` loses a job if an older job with its key starts between its two steps. Now that the older one runs,
    // the next attempt succeeds.
    const keys = new Set(added.map((row) => row.key))
    remaining = remaining.filter((job) => job.key !== undefined && !keys.has(job.key))
  }
}

function specOf({ name, payload, maxAttempts, delayMs, key }: JobSpec): object {
  return {
    identifier: name,
    payload,
    max_attempts: maxAttempts,
    delay_ms: delayMs ?? null,
    job_key: key ?? null,
  }
}

/** A job, without its payload. */
export interface JobRow {
  id: string
  queue: QueueName
  name: string
  /** `retrying`: failed. `dead`: failed in the last attempt. `parked`: this version has no handler for its name. */
  state: 'waiting' | 'running' | 'retrying' | 'dead' | 'parked'
  attempts: number
  maxAttempts: number
  runAt: Date
  createdAt: Date
  lastError: string | null
}

/** An SQL expression for the state of a job, over the alias `j` of `EVERY_JOB`. */
const STATE = `case
    when j.attempts >= j.max_attempts and j.locked_at is null then 'dead'
    when not j.name = any($known) then 'parked'
    when j.locked_at is not null then 'running'
    when j.attempts > 0 then 'retrying'
    else 'waiting'
  end`
const COLUMNS = `id, queue, name, attempts, max_attempts as "maxAttempts", run_at as "runAt", created_at as "createdAt",
  last_error as "lastError", state`
const list = statement<{
  params: { known: readonly string[]; state: JobRow['state'] | null; limit: number; offset: number }
  row: JobRow
}>(
  `select ${COLUMNS} from (
     select j.*, ${STATE} as state from ${EVERY_JOB} j
   ) jobs
   where $state::text is null or state = $state
   order by created_at desc, number desc, queue limit $limit offset $offset`,
)
const find = statement<{ params: { known: readonly string[]; id: string }; row: JobRow }>(
  `select ${COLUMNS} from (
     select j.*, ${STATE} as state from ${EVERY_JOB} j
   ) jobs
   where id = $id`,
)
const remove = forEachQueue((schema) =>
  statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
    `delete from ${schema}._private_jobs where locked_at is null and id = any($ids::bigint[]) returning id`,
  ),
)
const count = statement<{ params: { known: readonly string[] }; row: { state: string; count: number } }>(
  `select state, count(*)::int as count from (select ${STATE} as state from ${EVERY_JOB} j) jobs group by state`,
)
const retry = forEachQueue((schema) =>
  statement<{ params: { all: boolean; ids: readonly string[] }; row: { id: string } }>(
    `update ${schema}._private_jobs set attempts = 0, run_at = now(), last_error = null, updated_at = now()
     where locked_at is null and attempts >= max_attempts and ($all or id = any($ids::bigint[]))
     returning id`,
  ),
)

/** Returns the jobs, newest first. `known`: the names for which this version has handlers. */
export async function listJobs(
  db: Db,
  {
    known,
    state,
    limit,
    offset = 0,
  }: { known: readonly string[]; state?: JobRow['state'] | undefined; limit: number; offset?: number },
): Promise<JobRow[]> {
  return list(db, { known, state: state ?? null, limit, offset })
}

/** Returns one job; null if it does not exist, or not any more. */
export async function findJob(db: Db, { known, id }: { known: readonly string[]; id: string }): Promise<JobRow | null> {
  const [job] = await find(db, { known, id })
  return job ?? null
}

/** Deletes a job, unless it runs. Returns whether it did. */
export async function deleteJob(db: Db, { id }: { id: string }): Promise<boolean> {
  for (const queue of QUEUES) {
    const numbers = jobNumbersIn(queue, [id])
    if (numbers.length > 0) return (await remove[queue](db, { ids: numbers })).length > 0
  }
  return false
}

/** Returns the number of jobs in each state. */
export async function countJobs(db: Db, { known }: { known: readonly string[] }): Promise<Record<string, number>> {
  const rows = await count(db, { known })
  return Object.fromEntries(rows.map((row) => [row.state, row.count]))
}

/** Resets the attempts of dead jobs, so that they run again. Returns how many there were. */
export async function retryJobs(db: Db, { ids }: { ids: readonly string[] | 'dead' }): Promise<number> {
  let retried = 0
  for (const queue of QUEUES) {
    const chosen = ids === 'dead' ? [] : jobNumbersIn(queue, ids)
    retried += (await retry[queue](db, { all: ids === 'dead', ids: chosen })).length
  }
  return retried
}
