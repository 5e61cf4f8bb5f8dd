import pg from 'pg'
import type { Connection } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log.ts'
import { giveBackJobs } from './give-back.ts'
import { forEachQueue } from './queues.ts'
import type { QueueName } from './queues.ts'

/** How often a process looks for workers that died. Two looks in a row must agree before their jobs are taken over. */
const LOOK_MS = 1_500

/** An attempt to connect fails after so long. */
const CONNECT_MS = 10_000

/** The class of the advisory locks that say "this worker lives"; the object is a hash of the worker's id. */
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

/** A session that shows other processes that a worker lives. */
interface Liveness {
  /** Resolves when the session has ended: from then on, others take over the worker's jobs. */
  lost: Promise<void>
  stop(): Promise<void>
}

/**
 * Holds a session lock under a worker's id, which PostgreSQL drops the moment the process dies, and frees the jobs of
 * workers of the same queue whose lock is gone. Without this, jobs of a killed worker would stay locked for hours.
 */
export async function keepAlive(
  connection: Connection,
  { queue, workerId, log }: { queue: QueueName; workerId: string; log: Log },
): Promise<Liveness> {
  const lost = Promise.withResolvers<void>()
  let suspects = new Set<string>()

  const client = new pg.Client({
    ...connection,
    application_name: 'linnet worker',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', (err) => log.warn({ err }, 'liveness lock lost'))
  client.on('end', () => lost.resolve())

  const look = async () => {
    const missing = new Set((await findMissing[queue](client, { workerId })).map((row) => row.id))
    const dead = [...missing].filter((id) => suspects.has(id))
    suspects = missing
    if (dead.length > 0) {
      await giveBackJobs(client, { queue, workerIds: dead })
      log.warn({ workers: dead }, 'released the jobs of dead workers')
    }
  }

  const lookSafely = () => look().catch((err: unknown) => log.warn({ err }, 'check for dead workers failed'))
  try {
    await client.connect()
    await lock(client, { workerId })
  } catch (err) {
    await client.end().catch(() => {})
    throw err
  }
  // After a restart, the workers of the killed process are suspects from the beginning.
  let running = lookSafely()
  const timer = setInterval(() => {
    running = running.then(lookSafely)
  }, LOOK_MS)
  const stopLooking = () => clearInterval(timer)
  void lost.promise.then(stopLooking)
  return {
    lost: lost.promise,
    async stop() {
      stopLooking()
      await running
      await client.end()
    },
  }
}
