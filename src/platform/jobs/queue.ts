import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { EVERY_JOB, forEachQueue, numbersIn, QUEUES } from './queues.ts'
import type { QueueName } from './queues.ts'

/** One job to be: the effect's name, what it needs to know, and how long it waits (not at all, unless said). */
export interface JobSpec {
  name: string
  payload: unknown
  attempts: number
  delayMs?: number
  /** Of jobs with one key only one waits: the newer takes the older's place. */
  key?: string | undefined
  /** Where it waits; `prompt`, unless said. */
  queue?: QueueName
}

/** Held by whoever writes several jobs with keys, until their commit. */
const KEYS_LOCK = 4_711_003

const lockKeys = statement(`select pg_advisory_xact_lock(${KEYS_LOCK})`)
// Not from `now()`, which is when the transaction began: the job would be done too early.
const addJobs = forEachQueue((schema) =>
  statement<{ params: { specs: string }; row: { key: string | null } }>(
    `select key from ${schema}.add_jobs((
       select array_agg((identifier, payload, null, clock_timestamp() + delay_ms * interval '1 millisecond',
         max_attempts, job_key, null, null)::${schema}.job_spec)
       from jsonb_to_recordset($specs::jsonb)
         as spec (identifier text, payload json, delay_ms float8, max_attempts smallint, job_key text)
     ))`,
  ),
)

/** Writes jobs in the caller's transaction: they exist if and only if it commits. */
export async function enqueueJobs(tx: Db, jobs: readonly JobSpec[]): Promise<void> {
  const last = new Map(jobs.map((job, n) => [job.key ?? n, job]))
  const wanted = [...last.values()]
  // Two that write some of the same keys would lock them in different orders, and wait for each other.
  if (wanted.filter((job) => job.key !== undefined).length > 1) {
    await lockKeys(tx)
  }
  for (const queue of QUEUES) {
    await fill(tx, { queue, jobs: wanted.filter((job) => (job.queue ?? 'prompt') === queue) })
  }
}

async function fill(tx: Db, { queue, jobs }: { queue: QueueName; jobs: readonly JobSpec[] }): Promise<void> {
  let wanted = jobs
  while (wanted.length > 0) {
    const written = await addJobs[queue](tx, { specs: JSON.stringify(wanted.map(specOf)) })
    if (written.length === wanted.length) return
    // A job that is begun between the two steps of `add_jobs` swallows its successor; now that it runs, it does not.
    const keys = new Set(written.map((row) => row.key))
    wanted = wanted.filter((job) => job.key !== undefined && !keys.has(job.key))
  }
}

function specOf({ name, payload, attempts, delayMs, key }: JobSpec): object {
  return {
    identifier: name,
    payload,
    max_attempts: attempts,
    delay_ms: delayMs ?? null,
    job_key: key ?? null,
  }
}

/** A job as the owner sees it. */
export interface JobRow {
  id: string
  name: string
  /** `waiting`, `running`, `retrying` after a failure, `dead` after its last try, `parked` when nobody knows its name. */
  state: 'waiting' | 'running' | 'retrying' | 'dead' | 'parked'
  attempts: number
  maxAttempts: number
  runAt: Date
  lastError: string | null
}

/** A job's state, as SQL over the alias `j` of `EVERY_JOB`. */
const STATE = `case
    when j.attempts >= j.max_attempts and j.locked_at is null then 'dead'
    when not j.name = any($known) then 'parked'
    when j.locked_at is not null then 'running'
    when j.attempts > 0 then 'retrying'
    else 'waiting'
  end`
const list = statement<{
  params: { known: readonly string[]; state: JobRow['state'] | null; limit: number }
  row: JobRow
}>(
  `select id, name, attempts, max_attempts as "maxAttempts", run_at as "runAt", last_error as "lastError", state from (
     select j.*, ${STATE} as state from ${EVERY_JOB} j
   ) jobs
   where $state::text is null or state = $state
   order by created_at desc, number desc, queue limit $limit`,
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

/** The jobs that are there, newest first; `known` are the names that this version has effects for. */
export async function listJobs(
  db: Db,
  { known, state, limit }: { known: readonly string[]; state?: JobRow['state'] | undefined; limit: number },
): Promise<JobRow[]> {
  return list(db, { known, state: state ?? null, limit })
}

/** How many jobs are in each state. */
export async function countJobs(db: Db, { known }: { known: readonly string[] }): Promise<Record<string, number>> {
  const rows = await count(db, { known })
  return Object.fromEntries(rows.map((row) => [row.state, row.count]))
}

/** Gives dead jobs their tries back. Returns how many. */
export async function retryJobs(db: Db, { ids }: { ids: readonly string[] | 'dead' }): Promise<number> {
  let retried = 0
  for (const queue of QUEUES) {
    const chosen = ids === 'dead' ? [] : numbersIn(queue, ids)
    retried += (await retry[queue](db, { all: ids === 'dead', ids: chosen })).length
  }
  return retried
}
