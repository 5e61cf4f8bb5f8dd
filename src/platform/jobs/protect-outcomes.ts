import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { isRetryableConflict, isDatabaseUnreachable } from '../db/connection.ts'
import type { Log } from '../log/log.ts'

/** Names of graphile-worker 0.18's prepared statements that record the outcome of a job or return it to the queue. */
const OUTCOME_STATEMENT = /^(complete|fail|return)_jobs?(_q)?\//

/** Delay before an outcome is recorded again. It varies by half, so that two statements do not collide again. */
const RETRY_MS = 200

/** What graphile-worker reads from the result of a statement that could not be executed. */
const NO_ROWS = { rows: [], rowCount: 0 }

type Query = pg.PoolClient['query']
type OnConnect = (err: Error | undefined, client: pg.PoolClient | undefined, release: (err?: Error) => void) => void

/**
 * Returns a proxy of the pool for graphile-worker. The library does not await three promises, so a rejection would
 * terminate the process: `completeJob` and `failJob` in its worker.js; `returnJobs`, when its local queue is released
 * while jobs wait in it; the release of its listening client. In the proxy, a statement that records an outcome never
 * rejects: it is executed again until the database is reachable.
 *
 * `onFailure` is called if the database is unreachable or an outcome cannot be recorded at all. The caller must then
 * replace the run: jobs may be locked for it that it never received.
 */
export function protectOutcomes(pool: pg.Pool, { log, onFailure }: { log: Log; onFailure(): void }): pg.Pool {
  const recordOutcome = async (outcome: pg.QueryConfig): Promise<unknown> => {
    for (;;) {
      try {
        return await pool.query(outcome)
      } catch (err) {
        if (!isRetryableConflict(err)) onFailure()
        if (!isRetryableConflict(err) && !isDatabaseUnreachable(err)) {
          log.error({ err, statement: outcome.name }, 'The outcome of a job could not be recorded')
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
        if (isDatabaseUnreachable(err)) onFailure()
        const [config] = parameters as unknown as [pg.QueryConfig]
        if (!OUTCOME_STATEMENT.test(config.name ?? '')) throw err
        // All clients of the pool may be broken, and the next attempt needs one.
        release(err as Error)
        return recordOutcome(config)
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
