import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openSocket } from '../db/connection.ts'
import type { Connection, Queryable } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log/log.ts'
import { releaseJobs } from './return-jobs.ts'

/** How often a process checks for dead workers. It releases their jobs after two consecutive checks. */
const CHECK_INTERVAL_MS = 1_500

/** Delay before a lost session is replaced. */
const RECONNECT_MS = 500

/** Time limit of a connection attempt. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Makes PostgreSQL end the session within about eleven seconds after the machine of this process has disappeared. By
 * default it would notice that after more than two hours, in which no other worker could release the jobs.
 */
const SESSION_OPTIONS =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000'

/** The class of the advisory locks of live workers. The object id is a hash of the worker's id. */
const LOCK_CLASS = 4_711

// Shared, because PostgreSQL may not yet have noticed the end of a session that this one replaces.
const lock = statement<{ params: { workerId: string } }>(
  `select pg_advisory_lock_shared(${LOCK_CLASS}, hashtext($workerId)) /* worker */`,
)
const findMissing = statement<{ params: { workerId: string }; row: { id: string }; notNull: 'id' }>(
  `select distinct locked_by as id from jobs
   where locked_by is not null and locked_by <> $workerId and not exists (
     select from pg_locks where locktype = 'advisory' and classid = ${LOCK_CLASS} and granted
       and objid = hashtext(locked_by)::bigint & 4294967295
       and database = (select oid from pg_database where datname = current_database())) /* worker */`,
)

const countLive = statement<{ row: { count: number } }>(
  `select count(*)::int as count from pg_locks
   where locktype = 'advisory' and classid = ${LOCK_CLASS} and granted
     and database = (select oid from pg_database where datname = current_database())`,
)

/** Returns whether a server with workers uses the database. */
export async function hasLiveWorkers(db: Queryable): Promise<boolean> {
  const [live] = await countLive(db)
  return live!.count > 0
}

/** A session whose lock shows other processes that a worker is alive. */
export interface WorkerLock {
  /** false while the session is lost. Other workers then release this worker's jobs. */
  readonly isHeld: boolean
  stop(): Promise<void>
}

/**
 * Acquires a session lock for a worker's id, which PostgreSQL releases when the process dies, and releases the jobs of
 * workers that have no lock. Otherwise, jobs of a killed worker would stay locked. A lost session is replaced.
 */
export async function acquireWorkerLock(
  connection: Connection,
  { workerId, log, maxSilenceMs }: { workerId: string; log: Log; maxSilenceMs?: number },
): Promise<WorkerLock> {
  const stopping = new AbortController()
  const { signal } = stopping
  let session: pg.Client | null = null
  let suspects = new Set<string>()

  const connect = async () => {
    const client = new pg.Client({
      ...connection,
      application_name: 'linnet worker',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: SESSION_OPTIONS,
      // The checks use the session, so it is never silent for long.
      stream: () => openSocket({ maxSilenceMs }),
    })
    client.on('error', (err) => log.warn({ err }, 'A worker lost its lock'))
    client.on('end', () => {
      if (session !== client) return
      session = null
      void reconnect()
    })
    try {
      await client.connect()
      await lock(client, { workerId })
    } catch (err) {
      await client.end().catch(() => {})
      throw err
    }
    session = client
  }

  const reconnect = async () => {
    while (!session && !signal.aborted) {
      await wait(RECONNECT_MS, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await connect().catch((err: unknown) => log.debug({ err }, 'A worker could not reconnect'))
    }
    // The worker may have stopped in the meantime.
    if (signal.aborted) await session?.end()
  }

  const releaseJobsOfDeadWorkers = async (client: pg.Client) => {
    const missing = new Set((await findMissing(client, { workerId })).map((row) => row.id))
    const dead = [...missing].filter((id) => suspects.has(id))
    suspects = missing
    if (dead.length > 0) {
      await releaseJobs(client, { workerIds: dead })
      log.warn({ workers: dead }, 'Released the jobs of dead workers')
    }
  }

  const checkSafely = async () => {
    if (!session) return
    await releaseJobsOfDeadWorkers(session).catch((err: unknown) =>
      log.warn({ err }, 'The check for dead workers failed'),
    )
  }
  await connect()
  // The first check runs immediately: after a restart, the workers of the killed process become suspects at once.
  let currentCheck = checkSafely()
  const timer = setInterval(() => {
    currentCheck = currentCheck.then(checkSafely)
  }, CHECK_INTERVAL_MS)
  return {
    get isHeld() {
      return session !== null
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await currentCheck
      const client = session
      session = null
      await client?.end()
    },
  }
}
