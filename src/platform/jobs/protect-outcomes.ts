import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { isTransient, isUnreachable } from '../db/connect.ts'
import type { Log } from '../log.ts'

/** The names under which graphile-worker 0.18 prepares the statements that record how a job ended, or return it. */
const OUTCOME = /^(complete|fail|return)_jobs?(_q)?\//

/** Pause before an outcome is recorded again. The actual pause varies by half, so that two that collided do not again. */
const RETRY_MS = 200

/** What graphile-worker reads from the result of a statement that could not be executed. */
const NO_ROWS = { rows: [], rowCount: 0 }

type Query = pg.PoolClient['query']
type OnConnect = (err: Error | undefined, client: pg.PoolClient | undefined, release: (err?: Error) => void) => void

/**
 * Returns the pool as graphile-worker has to see it. The library does not await the promises of three things, so a
 * rejection would terminate the process: `completeJob` and `failJob` in its worker.js; `returnJobs`, when its local
 * queue is released while jobs wait in it; the release of its listening client. On this pool a statement that records
 * an outcome never rejects: it is executed again until the database is reachable.
 *
 * `onFailure` is called when the database cannot be reached, or when an outcome cannot be recorded at all. The caller
 * must then replace the run: jobs may be locked for it that it never received.
 */
export function protectOutcomes(pool: pg.Pool, { log, onFailure }: { log: Log; onFailure(): void }): pg.Pool {
  const record = async (outcome: pg.QueryConfig): Promise<unknown> => {
    for (;;) {
      try {
        return await pool.query(outcome)
      } catch (err) {
        if (!isTransient(err)) onFailure()
        if (!isTransient(err) && !isUnreachable(err)) {
          log.error({ err, statement: outcome.name }, 'job result could not be recorded')
          return NO_ROWS
        }
        await wait(RETRY_MS * (0.5 + Math.random()))
      }
    }
  }

  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect().catch((err: unknown) => {
      onFailure()
      return { query: () => Promise.reject(err), release: () => {} } as unknown as pg.PoolClient
    })
    const release = once(client.release.bind(client))
    const query = async (...parameters: Parameters<Query>): Promise<unknown> => {
      try {
        return await (client.query as (...parameters: unknown[]) => Promise<unknown>)(...parameters)
      } catch (err) {
        if (isUnreachable(err)) onFailure()
        const [config] = parameters as unknown as [pg.QueryConfig]
        if (!OUTCOME.test(config.name ?? '')) throw err
        // All clients of the pool may have failed, and the next attempt needs the place of one.
        release(err as Error)
        return record(config)
      }
    }
    return override(client, { query, release })
  }

  const connectTo = (onConnect: OnConnect): void =>
    pool.connect((err, client, release) => onConnect(err, client, once(release)))
  return override(pool, {
    connect: (onConnect?: OnConnect) => (onConnect === undefined ? connect() : connectTo(onConnect)),
  })
}

/** Returns the target with some of its methods replaced. */
function override<Target extends object>(target: Target, methods: Record<string, unknown>): Target {
  return new Proxy(target, {
    get(_target, name) {
      if (typeof name === 'string' && Object.hasOwn(methods, name)) return methods[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** pg throws when a client is released for the second time. */
function once(release: (err?: Error) => void): (err?: Error) => void {
  let released = false
  return (err) => {
    if (released) return
    released = true
    release(err)
  }
}
