import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createWeb, openApp, startEffects } from '../src/app.ts'
import { readConfig } from '../src/platform/config.ts'
import type { Connection } from '../src/platform/db/connect.ts'
import { createLog } from '../src/platform/log.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { createPerson } from './create-person.ts'
import type { CreatedPerson, PersonTraits } from './create-person.ts'
import { cloneDatabase } from './postgres.ts'
import { addBuilderTo } from './query-builder.ts'
import type { BuilderCtx } from './query-builder.ts'
import { settle } from './settle.ts'

export interface Person extends CreatedPerson {
  client: Client
}

export interface World {
  ctx: BuilderCtx
  server: FastifyInstance
  /** To its database, for a process beside it. */
  connection: Connection
  /** A client without a token. */
  anonymous: Client
  createPerson(traits?: PersonTraits): Promise<Person>
  /** Waits until every job that is due has been done. */
  settle(): Promise<void>
  /** Listens on a free port of this machine; gives the address. */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface WorldOptions {
  env?: Record<string, string>
  /** The program's clock; ids and the queue go by the database's. */
  now?: () => Date
  /** Gets every line of the log, which is then written at its finest. */
  onLogLine?: (line: string) => void
  /** false: jobs stay in the queue until `startEffects` is called by the test itself. */
  effects?: boolean
  /** A certificate authority (PEM) that outbound requests trust. */
  extraCa?: string
  /** A database that is there already; otherwise an empty one. */
  database?: { connection: Connection; drop(): Promise<void> }
}

/** Tests ask nobody on the Internet: every name that is not said to be somewhere is unknown, but this machine's own. */
async function findNobody(name: string): Promise<{ address: string; family: number }[]> {
  if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
  throw Object.assign(new Error(`${name} is not known here`), { code: 'ENOTFOUND' })
}

/** A whole server on a database of its own. */
export async function openWorld({
  env = {},
  now,
  onLogLine,
  effects = true,
  extraCa,
  database: given,
}: WorldOptions = {}): Promise<World> {
  const database = given ?? (await cloneDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-world-'))
  const config = readConfig({
    LOCAL_DOMAIN: 'linnet.test',
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
    REGISTRATIONS_MODE: 'open',
    DB_POOL: '4',
    ...env,
  })
  const app = await openApp(config, {
    connection: database.connection,
    log: onLogLine ? createLog('trace', { output: { write: onLogLine } }) : createLog(config.logLevel),
    ...(now ? { now } : {}),
    ...(extraCa ? { extraCa } : {}),
    lookup: findNobody,
  })
  const { server, streaming } = await createWeb(app)
  await server.ready()
  const worker = effects ? await startEffects(app) : null
  const ctx = addBuilderTo(app.ctx)
  let count = 0
  return {
    ctx,
    server,
    connection: database.connection,
    anonymous: createClient(server),
    async createPerson(traits = {}) {
      count += 1
      const person = await createPerson(ctx, { username: `person${count}`, ...traits })
      return { ...person, client: createClient(server, { token: person.token }) }
    },
    settle: () => settle(ctx),
    async listen() {
      return server.listen({ port: config.port === 3000 ? 0 : config.port, host: '127.0.0.1' })
    },
    async close() {
      await streaming.close()
      await server.close()
      await worker?.stop()
      await app.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
