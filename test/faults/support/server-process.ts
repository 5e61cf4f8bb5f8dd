import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openApp } from '../../../src/app.ts'
import type { OpenedApp } from '../../../src/app.ts'
import { addBuilderTo } from '../../query-builder.ts'
import type { BuilderCtx } from '../../query-builder.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Connection } from '../../../src/platform/db/connection.ts'
import {
  joinRunningEmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../../src/platform/db/embedded/embedded-database.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { findPort, startLinnet, urlOf } from '../../servers/linnet-process.ts'
import type { LinnetProcess, Outcome } from '../../servers/linnet-process.ts'

/** The time of a fault; default: at once. */
interface FaultTiming {
  afterMs?: number
}

/** A server in a process of its own, which a test can kill and restart. */
export interface ServerProcess {
  readonly origin: string
  readonly env: Record<string, string>
  /** Its single role; undefined for all roles. */
  readonly only: ServerProcessOptions['only']
  /** The process id, while it runs. */
  readonly pid: number
  /** Resolves when the process has ended. */
  readonly ended: Promise<Outcome>
  /** Starts the server, and waits until it accepts requests. */
  start(): Promise<void>
  /** Sends SIGKILL after a delay; resolves when the process has ended. */
  kill(when?: FaultTiming): Promise<void>
  /** Sends SIGTERM after a delay; returns the outcome and the milliseconds until the end. */
  stop(when?: FaultTiming): Promise<Outcome & { ms: number }>
  /** Waits for matching output. */
  waitForOutput(pattern: RegExp): Promise<unknown>
  /**
   * Resolves when the server accepts requests: at once, unless it was killed and has not restarted yet.
   * @throws Error after `close`
   */
  waitUntilReady(): Promise<void>
  /** Opens the server's database for preparing and checking data, without running effects. */
  open(): Promise<{ app: Omit<OpenedApp, 'ctx'> & { ctx: BuilderCtx }; close(): Promise<void> }>
  /** Stops the server and its database, and removes the data folder. */
  close(): Promise<void>
}

export interface ServerProcessOptions {
  /** The single role of the process. */
  only?: 'web' | 'worker' | 'streaming'
  /** An external database; default: the embedded one in the data folder. */
  connection?: Connection
  /** The server whose domain, data folder and database this process shares. */
  isSecondary?: ServerProcess
  /** Additional environment variables. */
  env?: Record<string, string>
  /** Returns the words of a command that starts the server, for its data folder. */
  wrapper?: (dataDir: string) => readonly string[]
}

export async function createServerProcess({
  only,
  connection,
  isSecondary,
  env: extraEnv = {},
  wrapper,
}: ServerProcessOptions = {}): Promise<ServerProcess> {
  const port = await findPort()
  const dataDir = isSecondary?.env['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'linnet-faults-')))
  const env: Record<string, string> = {
    LOCAL_DOMAIN: `localhost:${port}`,
    LOG_LEVEL: 'error',
    ...(connection === undefined ? {} : { DATABASE_URL: urlOf(connection) }),
    ...isSecondary?.env,
    ...extraEnv,
    PORT: port,
    DATA_DIR: dataDir,
  }
  let running: LinnetProcess | null = null
  let ready = Promise.withResolvers<void>()
  const currentProcess = (): LinnetProcess => {
    if (running === null) throw new Error('The server was not started')
    return running
  }
  return {
    origin: `http://localhost:${port}`,
    env,
    only,
    get pid() {
      return currentProcess().pid
    },
    get ended() {
      return currentProcess().ended
    },
    async start() {
      running = startLinnet(['serve', ...(only === undefined ? [] : ['--only', only])], env, {
        within: wrapper?.(dataDir) ?? [],
      })
      await running.waitForOutput(/is ready after/)
      ready.resolve()
    },
    async kill({ afterMs = 0 } = {}) {
      await wait(afterMs)
      const killed = currentProcess()
      ready = Promise.withResolvers()
      running = null
      killed.kill('SIGKILL')
      await killed.ended
    },
    async stop({ afterMs = 0 } = {}) {
      await wait(afterMs)
      const stopped = currentProcess()
      const start = performance.now()
      stopped.kill('SIGTERM')
      const outcome = await stopped.ended
      running = null
      return { ...outcome, ms: performance.now() - start }
    },
    waitForOutput: (pattern) => currentProcess().waitForOutput(pattern),
    waitUntilReady: () => ready.promise,
    async open() {
      const log = createLog('fatal')
      const embedded = connection === undefined ? await joinRunningEmbeddedDatabase({ dataDir }) : null
      const database = connection ?? embedded?.connection
      if (database === undefined) throw new Error('The database of the server does not run')
      const app = await openApp(readConfig({ ...env, DB_POOL: '4' }), { connection: database, log })
      return {
        app: { ...app, ctx: addBuilderTo(app.ctx) },
        async close() {
          await app.close()
          await embedded?.stop()
        },
      }
    },
    async close() {
      ready.reject(new Error('The server process was closed'))
      ready.promise.catch(() => {})
      if (running !== null) {
        running.kill('SIGTERM')
        await running.ended
      } else if (env['DATABASE_URL'] === undefined) {
        // A killed server leaves its database running: take it over and stop it.
        const orphan = await startEmbeddedDatabase({ dataDir, log: createLog('fatal') })
        await orphan.stop()
      }
      if (isSecondary === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
