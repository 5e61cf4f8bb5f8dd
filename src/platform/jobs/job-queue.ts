import type { Db } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
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

/** A dead job that is retried has at least as many attempts. One that failed permanently has lost its own. */
const MIN_RETRY_ATTEMPTS = 8

const SPECS = `json_to_recordset($jobs::json)
  as spec (queue text, name text, payload json, max_attempts smallint, delay_ms float8, key text)`
// Not `now()`, which is the start of the transaction: the job would run too early.
const RUN_AT = `clock_timestamp() + delay_ms * interval '1 millisecond'`

const insert = statement<{ params: { jobs: string } }>(
  `insert into jobs (queue, name, payload, max_attempts, run_at)
   select queue, name, payload, max_attempts, ${RUN_AT} from ${SPECS}`,
)
// Sorted, so that two transactions with several common keys wait for each other in one order and cause no deadlock.
const insertOrReplace = statement<{ params: { jobs: string } }>(
  `insert into jobs (queue, name, payload, max_attempts, run_at, key, waiting_key)
   select queue, name, payload, max_attempts, ${RUN_AT}, key, key from ${SPECS} order by key collate "C"
   on conflict (waiting_key) do update set queue = excluded.queue, name = excluded.name, payload = excluded.payload,
     attempts = 0, max_attempts = excluded.max_attempts, run_at = excluded.run_at, last_error = null`,
)

/**
 * Inserts jobs in the caller's transaction: they exist if and only if it commits. Workers find them within a second, or
 * immediately if they are woken after the commit (`JobSignals`).
 */
export async function enqueueJobs(tx: Db, jobs: readonly JobSpec[]): Promise<void> {
  if (jobs.length === 0) return
  const newest = [...new Map(jobs.map((job, n) => [job.key ?? n, job])).values()]
  const specs = JSON.stringify(newest.map(specOf))
  if (newest.some((job) => job.key !== undefined)) await insertOrReplace(tx, { jobs: specs })
  else await insert(tx, { jobs: specs })
}

function specOf({ name, payload, maxAttempts, delayMs = 0, key, queue = 'default' }: JobSpec): object {
  return { queue, name, payload, max_attempts: maxAttempts, delay_ms: delayMs, key }
}

/** A job, without its payload. */
export interface JobRow {
  id: string
  queue: QueueName
  name: string
  /**
   * `retrying`: failed. `dead`: failed in the last attempt, or permanently. `parked`: this version has no handler for its
   * name.
   */
  state: 'waiting' | 'running' | 'retrying' | 'dead' | 'parked'
  attempts: number
  maxAttempts: number
  runAt: Date
  createdAt: Date
  lastError: string | null
}

/** An SQL expression for the state of a job `j`. */
const STATE = `case
    when not j.has_attempts and j.locked_at is null then 'dead'
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
  `select ${COLUMNS} from (select j.*, ${STATE} as state from jobs j) jobs
   where $state::text is null or state = $state
   order by created_at desc, id desc limit $limit offset $offset`,
)
const find = statement<{ params: { known: readonly string[]; id: string }; row: JobRow }>(
  `select ${COLUMNS} from (select j.*, ${STATE} as state from jobs j) jobs where id = $id`,
)
const remove = statement<{ params: { id: string }; row: { id: string } }>(
  `delete from jobs where locked_at is null and id = $id returning id`,
)
const count = statement<{ params: { known: readonly string[] }; row: { state: string; count: number } }>(
  `select state, count(*)::int as count from (select ${STATE} as state from jobs j) jobs group by state`,
)
const retry = statement<{ params: { all: boolean; ids: readonly string[] }; row: { id: string } }>(
  `update jobs set attempts = 0, max_attempts = greatest(max_attempts, ${MIN_RETRY_ATTEMPTS}), run_at = now(), last_error = null
   where locked_at is null and not has_attempts and ($all or id = any($ids::bigint[]))
   returning id`,
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
  return (await remove(db, { id })).length > 0
}

/** Returns the number of jobs in each state. */
export async function countJobs(db: Db, { known }: { known: readonly string[] }): Promise<Record<string, number>> {
  const rows = await count(db, { known })
  return Object.fromEntries(rows.map((row) => [row.state, row.count]))
}

/** Resets the attempts of dead jobs, so that they run again. Returns how many there were. */
export async function retryJobs(db: Db, { ids }: { ids: readonly string[] | 'dead' }): Promise<number> {
  const retried = ids === 'dead' ? await retry(db, { all: true, ids: [] }) : await retry(db, { all: false, ids })
  return retried.length
}
