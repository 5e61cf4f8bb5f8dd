import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** One job to be: the effect's name, what it needs to know, and how long it waits (not at all, unless said). */
export interface JobSpec {
  name: string
  payload: unknown
  attempts: number
  delayMs?: number
  /** Of jobs with one key only one waits: the newer takes the older's place. */
  key?: string | undefined
}

/** Held by whoever writes several jobs with keys, until their commit. */
const KEYS_LOCK = 4_711_003

/** Writes jobs in the caller's transaction: they exist if and only if it commits. */
export async function enqueueJobs(tx: Db, jobs: readonly JobSpec[]): Promise<void> {
  const last = new Map(jobs.map((job, n) => [job.key ?? n, job]))
  let wanted = [...last.values()]
  // Two that write some of the same keys would lock them in different orders, and wait for each other.
  if (wanted.filter((job) => job.key !== undefined).length > 1) {
    await sql`select pg_advisory_xact_lock(${KEYS_LOCK}::bigint)`.execute(tx)
  }
  while (wanted.length > 0) {
    const written = await addJobs(tx, wanted)
    if (written.length === wanted.length) return
    // A job that is begun between the two steps of `add_jobs` swallows its successor; now that it runs, it does not.
    const keys = new Set(written.map((row) => row.key))
    wanted = wanted.filter((job) => job.key !== undefined && !keys.has(job.key))
  }
}

/** Returns the keys of those that were written. */
async function addJobs(tx: Db, jobs: readonly JobSpec[]): Promise<{ key: string | null }[]> {
  const specs = jobs.map(({ name, payload, attempts, delayMs, key }) => ({
    identifier: name,
    payload,
    max_attempts: attempts,
    delay_ms: delayMs ?? null,
    job_key: key ?? null,
  }))
  // Not from `now()`, which is when the transaction began: the job would be done too early.
  const { rows } = await sql<{ key: string | null }>`
    select key from graphile_worker.add_jobs((
      select array_agg((identifier, payload, null, clock_timestamp() + delay_ms * interval '1 millisecond',
        max_attempts, job_key, null, null)::graphile_worker.job_spec)
      from jsonb_to_recordset(${JSON.stringify(specs)}::jsonb)
        as spec (identifier text, payload json, delay_ms float8, max_attempts smallint, job_key text)
    ))`.execute(tx)
  return rows
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

/** The jobs that are there, newest first; `known` are the names that this version has effects for. */
export async function listJobs(
  db: Db,
  { known, state, limit }: { known: readonly string[]; state?: JobRow['state'] | undefined; limit: number },
): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select * from (
      select j.id, t.identifier as name, j.attempts, j.max_attempts as "maxAttempts", j.run_at as "runAt",
        j.last_error as "lastError",
        case
          when j.attempts >= j.max_attempts and j.locked_at is null then 'dead'
          when not t.identifier = any(${known}) then 'parked'
          when j.locked_at is not null then 'running'
          when j.attempts > 0 then 'retrying'
          else 'waiting'
        end as state
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    ) jobs
    where ${state ?? null}::text is null or state = ${state ?? null}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** How many jobs are in each state. */
export async function countJobs(db: Db, { known }: { known: readonly string[] }): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from (
      select case
          when j.attempts >= j.max_attempts and j.locked_at is null then 'dead'
          when not t.identifier = any(${known}) then 'parked'
          when j.locked_at is not null then 'running'
          when j.attempts > 0 then 'retrying'
          else 'waiting'
        end as state
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    ) jobs group by state`.execute(db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** Gives dead jobs their tries back. Returns how many. */
export async function retryJobs(db: Db, { ids }: { ids: readonly string[] | 'dead' }): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update graphile_worker._private_jobs
    set attempts = 0, run_at = now(), last_error = null, updated_at = now()
    where locked_at is null and attempts >= max_attempts
      and (${ids === 'dead'} or id = any(${ids === 'dead' ? [] : ids}::bigint[]))
    returning id`.execute(db)
  return rows.length
}
