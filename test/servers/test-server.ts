import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createWebServer, openApp } from '../../src/app.ts'
import type { OpenedApp } from '../../src/app.ts'
import { startWorkers } from '../../src/workers.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Config } from '../../src/platform/config/config.ts'
import type { Connection } from '../../src/platform/db/connection.ts'
import type { FindMailHosts } from '../../src/platform/fetch/create-mail-host-finder.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { Worker } from '../../src/platform/jobs/worker.ts'
import type { Streaming } from '../../src/streaming/start-streaming.ts'
import { createClient } from '../http/client.ts'
import type { Client, Injector } from '../http/client.ts'
import { createUser } from './create-user.ts'
import type { CreatedUser, UserOptions } from './create-user.ts'
import { takeKeyPair } from '../services/rsa-keys.ts'
import { takeDatabase } from '../services/database/reused-databases.ts'
import { addBuilderTo } from '../query-builder.ts'
import type { BuilderCtx } from '../query-builder.ts'
import { waitForJobs } from '../jobs/wait-for-jobs.ts'
import type { WaitOptions } from '../jobs/wait-for-jobs.ts'

export interface TestUser extends CreatedUser {
  client: Client
}

export interface TestServer {
  ctx: BuilderCtx
  server: FastifyInstance
  /** The connection to its database, for another process. */
  connection: Connection
  /** A client without a token. */
  anonymous: Client
  createUser(options?: UserOptions): Promise<TestUser>
  /** Waits until all due jobs have finished. */
  waitForJobs(options?: WaitOptions): Promise<void>
  /** Listens on a free port of this machine, and returns the address. */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface TestServerOptions {
  env?: Record<string, string>
  /** The program's clock, by default the system clock; ids and the job queue use the database's clock. */
  now?: () => Date
  /** Receives every line of the log, at the level `trace`. */
  onLogLine?: (line: string) => void
  /** false: no workers run, so jobs stay in the queue until the test calls `startWorkers`. */
  effects?: boolean
  /** The mail servers of a domain; default: unknown ones. */
  findMailHosts?: FindMailHosts
  /** A certificate authority (PEM) that outbound requests trust. */
  extraCa?: string
  /** An existing database; default: a new one without rows. */
  database?: { connection: Connection; drop(): Promise<void> }
}

/** Resolves only `localhost`, so that tests send no requests to the internet; `LINNET_TEST_HOSTS` adds other names. */
async function resolveNothing(name: string): Promise<{ address: string; family: number }[]> {
  if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
  throw Object.assign(new Error(`${name} is unknown in tests`), { code: 'ENOTFOUND' })
}

const findNoMailHosts: FindMailHosts = async () => []
const generateRsaKeyPair = async () => takeKeyPair()

/** What a test server consists of until it is closed. */
interface Running {
  server: FastifyInstance
  streaming: Streaming
  worker: Worker | null
  app: OpenedApp
}

async function start(
  config: Config,
  { effects, ...options }: Parameters<typeof openApp>[1] & { effects: boolean },
): Promise<Running> {
  const app = await openApp(config, options)
  const { server, streaming } = await createWebServer(app)
  await server.ready()
  return { app, server, streaming, worker: effects ? await startWorkers(app) : null }
}

/** Opens a complete server on a database of its own. */
export async function openTestServer({
  env = {},
  // Without comparisons with the clock of the database, which would add statements.
  now = () => new Date(),
  onLogLine,
  effects = true,
  findMailHosts = findNoMailHosts,
  extraCa,
  database: existing,
}: TestServerOptions = {}): Promise<TestServer> {
  const database = existing ?? (await takeDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-test-server-'))
  const config = readConfig({
    LOCAL_DOMAIN: 'linnet.test',
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
    REGISTRATIONS_MODE: 'open',
    DB_POOL: '4',
    ...env,
  })
  let running: Running | null = await start(config, {
    connection: database.connection,
    log: onLogLine ? createLog('trace', { output: { write: onLogLine } }) : createLog(config.logLevel),
    now,
    ...(extraCa ? { extraCa } : {}),
    lookup: resolveNothing,
    findMailHosts,
    generateRsaKeyPair,
    effects,
  })
  const find = (): Running => {
    if (running === null) throw new Error('The test server is closed')
    return running
  }
  const injector: Injector = { inject: (options) => find().server.inject(options) }
  const ctx = addBuilderTo(running.app.ctx)
  let count = 0
  return {
    ctx,
    get server() {
      return find().server
    },
    connection: database.connection,
    anonymous: createClient(injector),
    async createUser(options = {}) {
      count += 1
      const user = await createUser(ctx, { username: `person${count}`, ...options })
      return { ...user, client: createClient(injector, { token: user.token }) }
    },
    waitForJobs: (options) => waitForJobs(ctx, options),
    async listen() {
      return find().server.listen({ port: config.port === 3000 ? 0 : config.port, host: '127.0.0.1' })
    },
    async close() {
      const { server, streaming, worker, app } = find()
      // The variables of a test file live as long as its process. Without this, they would keep every server of a
      // shared process in memory, 8 MB each.
      running = null
      await streaming.close()
      await server.close()
      await worker?.stop()
      await app.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
