import pg from 'pg'
import type { Connection } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log/log.ts'
import { releaseJobs } from './release-jobs.ts'
import { forEachQueue } from './queues.ts'
import type { QueueName } from './queues.ts'

/** How often a process checks for dead workers. It releases their jobs after two consecutive checks. */
const CHECK_INTERVAL_MS = 1_500

/** Time limit of a connection attempt. */
const CONNECT_TIMEOUT_MS = 10_000

/** The class of the advisory locks of live workers. The object id is a hash of the worker's id. */
const LOCK_CLASS = 4_711

const lock = statement<{ params: { workerId: string } }>(`select pg_advisory_lock(${LOCK_CLASS}, hashtext($workerId))`)
const findMissing = forEachQueue((schema) =>
  statement<{ params: { workerId: string }; row: { id: string }; notNull: 'id' }>(
    `select distinct locked_by as id from ${schema}._private_jobs
     where locked_by is not null and locked_by <> $workerId and not exists (
       select from pg_locks where locktype = 'advisory' and classid = ${LOCK_CLASS} and granted
         and objid = hashtext(locked_by)::bigint & 4294967295
         and database = (select oid from pg_database where datname = current_database()))`,
  ),
)

/** A session whose lock shows other processes that a worker is alive. */
interface WorkerLock {
  /** Resolves when the session has ended. From then on, other workers release this worker's jobs. */
  lost: Promise<void>
  stop(): Promise<void>
}

/**
 * Acquires a session lock for a worker's id, which PostgreSQL releases when the process dies, and releases the jobs of
 * workers of the same queue that have no lock. Otherwise, jobs of a killed worker would stay locked for hours.
 */
export async function acquireWorkerLock(
  connection: Connection,
  { queue, workerId, log }: { queue: QueueName; workerId: string; log: Log },
): Promise<WorkerLock> {
  const lost = Promise.withResolvers<void>()
  let suspects = new Set<string>()

  const client = new pg.Client({
    ...connection,
    application_name: 'linnet worker',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', (err) => log.warn({ err }, 'A worker lost its lock'))
  client.on('end', () => lost.resolve())

  const releaseJobsOfDeadWorkers = async () => {
    const missing = new Set((await findMissing[queue](client, { workerId })).map((row) => row.id))
    const dead = [...missing].filter((id) => suspects.has(id))
    suspects = missing
    if (dead.length > 0) {
      await releaseJobs(client, { queue, workerIds: dead })
      log.warn({ workers: dead }, 'Released the jobs of dead workers')
    }
  }

  const checkSafely = () =>
    releaseJobsOfDeadWorkers().catch((err: unknown) => log.warn({ err }, 'The check for dead workers failed'))
  try {
    await client.connect()
    await lock(client, { workerId })
  } catch (err) {
    await client.end().catch(() => {})
    throw err
  }
  // The first check runs immediately: after a restart, the workers of the killed process become suspects at once.
  let currentCheck = checkSafely()
  const timer = setInterval(() => {
    currentCheck = currentCheck.then(checkSafely)
  }, CHECK_INTERVAL_MS)
  const stopChecking = () => clearInterval(timer)
  void lost.promise.then(stopChecking)
  return {
    lost: lost.promise,
    async stop() {
      stopChecking()
      await currentCheck
      await client.end()
    },
  }
}
