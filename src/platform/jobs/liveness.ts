import pg from 'pg'
import type { Connection } from '../db/connect.ts'
import type { Log } from '../log.ts'
import { giveBackJobs } from './give-back.ts'
import { SCHEMAS } from './queues.ts'
import type { QueueName } from './queues.ts'

/** How often a process looks for workers that died. Two looks in a row must agree before their jobs are taken over. */
const LOOK_MS = 1_500

/** The class of the advisory locks that say "this worker lives"; the object is a hash of the worker's id. */
const LOCK_CLASS = 4_711

/**
 * Holds a session lock under a worker's id, which PostgreSQL drops the moment the process dies, and frees the jobs of
 * workers of the same queue whose lock is gone. Without this, jobs of a killed worker would stay locked for hours.
 */
export async function keepAlive(
  connection: Connection,
  { queue, workerId, log }: { queue: QueueName; workerId: string; log: Log },
): Promise<{ stop(): Promise<void> }> {
  let client: pg.Client | undefined
  let stopped = false
  let suspects = new Set<string>()

  const connect = async () => {
    const fresh = new pg.Client({ ...connection, application_name: 'linnet worker', keepAlive: true })
    fresh.on('error', (err) => log.warn({ err }, 'the liveness lock was lost'))
    fresh.on('end', () => {
      if (client === fresh) client = undefined
    })
    await fresh.connect()
    await fresh.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, workerId])
    client = fresh
  }

  const look = async () => {
    if (!client) await connect()
    const { rows } = await client!.query<{ id: string }>(
      `select distinct locked_by as id from ${SCHEMAS[queue]}._private_jobs
       where locked_by is not null and locked_by <> $2 and not exists (
         select from pg_locks where locktype = 'advisory' and classid = $1 and granted
           and objid = hashtext(locked_by)::bigint & 4294967295
           and database = (select oid from pg_database where datname = current_database()))`,
      [LOCK_CLASS, workerId],
    )
    const missing = new Set(rows.map((row) => row.id))
    const dead = [...missing].filter((id) => suspects.has(id))
    suspects = missing
    if (dead.length > 0) {
      await giveBackJobs(client!, { queue, workerIds: dead })
      log.warn({ workers: dead }, 'took over the jobs of workers that died')
    }
  }

  const lookSafely = () => look().catch((err: unknown) => log.warn({ err }, 'could not look for dead workers'))
  await connect()
  // After a restart, the workers of the killed process are suspects from the beginning.
  let running: Promise<void> = lookSafely()
  const timer = setInterval(() => {
    running = running.then(() => (stopped ? undefined : lookSafely()))
  }, LOOK_MS)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
      await client?.end()
    },
  }
}
