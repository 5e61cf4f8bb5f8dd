import type { Queryable } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { QueueName } from './queues.ts'

/** The columns of a returned job that differ from those of the locked one, as SQL expressions. */
interface Changes {
  attempts?: string
  maxAttempts?: string
  runAt?: string
  lastError?: string
}

/**
 * Returns a statement that unlocks the jobs of the common table expression `returned`, which deletes them and returns
 * their rows. It inserts them again instead of updating them, because `on conflict` exists only for inserts: a job
 * whose key a newer waiting job has is replaced by that job, as if it had waited, too.
 */
function insertAgain(
  returned: string,
  { attempts = 'attempts', maxAttempts = 'max_attempts', runAt = 'run_at', lastError = 'last_error' }: Changes = {},
): string {
  return `with returned as (${returned})
    insert into jobs (id, queue, name, payload, attempts, max_attempts, run_at, created_at, last_error, key, waiting_key)
    overriding system value
    select id, queue, name, payload, ${attempts}, ${maxAttempts}, ${runAt}, created_at, ${lastError}, key,
      case when ${attempts} < ${maxAttempts} then key end
    from returned order by key collate "C", id desc
    on conflict (waiting_key) do nothing /* worker */`
}

/** A job that a worker returns to its queue. */
export interface ReturnedJob {
  id: string
  /** false: the job has not started, and gets its attempt back. */
  started: boolean
  /** Why the job failed; null if it did not. A failed job is delayed, longer after each attempt. */
  error: string | null
  /** true: the failed job gets no further attempts. */
  permanent?: boolean
}

const returnSome = statement<{ params: { jobs: string; workerId: string } }>(
  insertAgain(
    `delete from jobs j using json_to_recordset($jobs::json) as outcome (id bigint, started boolean, error text, permanent boolean)
     where j.id = outcome.id and j.locked_by = $workerId returning j.*, outcome.started, outcome.error, outcome.permanent`,
    {
      maxAttempts: 'case when permanent then attempts else max_attempts end',
      attempts: 'case when started then attempts else attempts - 1 end',
      runAt: `case when error is null then run_at
        else greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second' end`,
      lastError: 'coalesce(error, last_error)',
    },
  ),
)
const returnUnknown = statement<{
  params: { queue: QueueName; workerId: string; known: readonly string[] }
}>(
  insertAgain(
    `delete from jobs where locked_by = $workerId and queue = $queue and id <> all($known::bigint[]) returning *`,
    { attempts: 'attempts - 1' },
  ),
)
const release = statement<{ params: { workerIds: readonly string[] } }>(
  insertAgain('delete from jobs where locked_by = any($workerIds) returning *'),
)

/** Returns jobs of a worker to their queue. A job without attempts left is dead. */
export async function returnJobs(
  db: Queryable,
  { workerId, jobs }: { workerId: string; jobs: readonly ReturnedJob[] },
): Promise<void> {
  await returnSome(db, { workerId, jobs: JSON.stringify(jobs) })
}

/**
 * Returns the jobs that a worker has locked without knowing it: the response of the statement was lost. `known`: the
 * ids of the others.
 */
export async function returnUnknownJobs(
  db: Queryable,
  input: { queue: QueueName; workerId: string; known: readonly string[] },
): Promise<void> {
  await returnUnknown(db, input)
}

/** Returns all jobs of workers that will not finish them. */
export async function releaseJobs(db: Queryable, { workerIds }: { workerIds: readonly string[] }): Promise<void> {
  await release(db, { workerIds })
}
