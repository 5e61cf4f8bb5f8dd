import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openApp } from '../../src/app.ts'
import type { App } from '../../src/app.ts'
import { addBuilderTo } from '../query-builder.ts'
import type { BuilderCtx } from '../query-builder.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Connection } from '../../src/platform/db/connect.ts'
import { connectToRunningEmbedded, startEmbedded } from '../../src/platform/db/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { findPort, startLinnet, urlOf } from '../linnet.ts'
import type { LinnetProcess, Outcome } from '../linnet.ts'

/** When a fault comes: at once, unless said. */
interface Moment {
  afterMs?: number
}

/** A real server in a process of its own, which may be killed and started again. */
export interface Rig {
  readonly origin: string
  readonly env: Record<string, string>
  /** The one part that it plays, if not all. */
  readonly only: RigOptions['only']
  /** Of its process, while it runs. */
  readonly pid: number
  /** How its process ended, once it has. */
  readonly ended: Promise<Outcome>
  /** Starts it, and waits until it answers. */
  start(): Promise<void>
  /** SIGKILL, at a moment from now; resolves when the process has gone. */
  kill(when?: Moment): Promise<void>
  /** SIGTERM, at a moment from now; resolves with how it ended, and how long that took. */
  stop(when?: Moment): Promise<Outcome & { ms: number }>
  /** Waits until it has said this. */
  says(pattern: RegExp): Promise<unknown>
  /**
   * Resolves as soon as the server answers: at once, unless it was killed and is not started yet.
   * @throws Error when it never will again, since the rig was closed
   */
  up(): Promise<void>
  /** Opens its database for looking and preparing, without effects. */
  open(): Promise<{ app: Omit<App, 'ctx'> & { ctx: BuilderCtx }; close(): Promise<void> }>
  /** Stops what still runs and removes the folder. */
  close(): Promise<void>
}

export interface RigOptions {
  /** One part alone. */
  only?: 'web' | 'worker' | 'streaming'
  /** An outside database; without one, the embedded one in the data folder. */
  connection?: Connection
  /** The rig whose domain, data folder and database this process shares. */
  beside?: Rig
  /** Joins the environment. */
  env?: Record<string, string>
  /** A command that becomes the server, by its data folder. */
  within?: (dataDir: string) => readonly string[]
}

export async function createRig({ only, connection, beside, env: more = {}, within }: RigOptions = {}): Promise<Rig> {
  const port = await findPort()
  const dataDir = beside?.env['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'linnet-faults-')))
  const env: Record<string, string> = {
    LOCAL_DOMAIN: `localhost:${port}`,
    LOG_LEVEL: 'error',
    ...(connection === undefined ? {} : { DATABASE_URL: urlOf(connection) }),
    ...beside?.env,
    ...more,
    PORT: port,
    DATA_DIR: dataDir,
  }
  let running: LinnetProcess | null = null
  let up = Promise.withResolvers<void>()
  const theOne = (): LinnetProcess => {
    if (running === null) throw new Error('The server was not started')
    return running
  }
  return {
    origin: `http://localhost:${port}`,
    env,
    only,
    get pid() {
      return theOne().pid
    },
    get ended() {
      return theOne().ended
    },
    async start() {
      running = startLinnet(['serve', ...(only === undefined ? [] : ['--only', only])], env, {
        within: within?.(dataDir) ?? [],
      })
      await running.says(/is ready after/)
      up.resolve()
    },
    async kill({ afterMs = 0 } = {}) {
      await wait(afterMs)
      const killed = theOne()
      up = Promise.withResolvers()
      running = null
      killed.kill('SIGKILL')
      await killed.ended
    },
    async stop({ afterMs = 0 } = {}) {
      await wait(afterMs)
      const stopped = theOne()
      const start = performance.now()
      stopped.kill('SIGTERM')
      const outcome = await stopped.ended
      running = null
      return { ...outcome, ms: performance.now() - start }
    },
    says: (pattern) => theOne().says(pattern),
    up: () => up.promise,
    async open() {
      const log = createLog('fatal')
      const guest = connection === undefined ? await connectToRunningEmbedded({ dataDir }) : null
      const reached = connection ?? guest?.connection
      if (reached === undefined) throw new Error('The database of the rig does not run')
      const app = await openApp(readConfig({ ...env, DB_POOL: '4' }), { connection: reached, log })
      return {
        app: { ...app, ctx: addBuilderTo(app.ctx) },
        async close() {
          await app.close()
          await guest?.stop()
        },
      }
    },
    async close() {
      up.reject(new Error('The rig was closed'))
      up.promise.catch(() => {})
      if (running !== null) {
        running.kill('SIGTERM')
        await running.ended
      } else if (env['DATABASE_URL'] === undefined) {
        // What a killed server left running is taken over, and stopped.
        const orphan = await startEmbedded({ dataDir, log: createLog('fatal') })
        await orphan.stop()
      }
      if (beside === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
