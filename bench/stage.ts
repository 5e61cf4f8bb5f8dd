import type pg from 'pg'
import { createDb, createPool } from '../src/platform/db/connect.ts'
import type { Connection } from '../src/platform/db/connect.ts'
import { connectToRunningEmbedded } from '../src/platform/db/embedded.ts'
import { startChild } from './child.ts'
import type { Child } from './child.ts'
import { issueTokens } from './issue-tokens.ts'
import { hostsOf, openSink } from './open-sink.ts'
import type { Sink } from './open-sink.ts'
import type { Pace } from './pace.ts'
import { cpuOf, findPostmaster, memoryOf, memoryOfChildren } from './processes.ts'
import { startServer } from './server.ts'
import type { Server } from './server.ts'
import { addBuilder } from '../test/query-builder.ts'
import type { BuilderDb } from '../test/query-builder.ts'

const TOKENS_EACH = 5
/** A server that nobody asks for so long is idle. */
const IDLE_MS = 10_000

/** Of the server and of its database. */
export interface Both {
  server: number
  database: number
}

/** Everything that runs while rows are measured: the server with its database, the load, the other servers. */
export interface Stage {
  pace: Pace
  port: number
  origin: string
  connection: Connection
  db: BuilderDb
  pool: pg.Pool
  /** Those who have feeds. */
  accountIds: readonly string[]
  /** Of these. */
  tokens: string[]
  /** Takes orders (`load/work.ts`). */
  load: Child
  sink: Sink
  /** Another web server on the same database, at this port, which may be killed. */
  startBeside(port: number): Promise<Server>
  /** Milliseconds of processor time so far. */
  readCpu(): Both
  /** MB. */
  readMemory(): Both
  /** Of the server with the processes that decode pictures for it, in MB. */
  readUploadMemory(): number
  /** When nobody had asked for anything yet. */
  idleMemory: Both
  close(): Promise<void>
}

/** Starts it all on a database that is seeded and that nobody else uses. */
export async function openStage({
  dataDir,
  port,
  pace,
  accountIds,
}: {
  dataDir: string
  port: number
  pace: Pace
  accountIds: readonly string[]
}): Promise<Stage> {
  const endings: (() => unknown)[] = []
  const close = async () => {
    for (const end of endings.splice(0).toReversed()) await end()
  }
  try {
    const sink = await openSink()
    endings.push(() => sink.close())
    const env = {
      DATA_DIR: dataDir,
      LOCAL_DOMAIN: `localhost:${port}`,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1/32',
      LINNET_TEST_HOSTS: hostsOf(sink),
      NODE_EXTRA_CA_CERTS: sink.caFile,
    }
    const server = await startServer(env)
    endings.push(() => server.stop())
    const database = (await connectToRunningEmbedded({ dataDir }))!
    endings.push(() => database.stop())
    const { connection } = database
    const pool = createPool(connection, { max: 2, onError: console.error })
    endings.push(() => pool.end())
    const postmaster = findPostmaster(dataDir)
    const readMemory = () => ({
      server: memoryOf(server.pid),
      database: memoryOf(postmaster, { withChildren: true }),
    })
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idleMemory = readMemory()
    const load = startChild('load.ts')
    endings.push(() => load.end())
    const db = addBuilder(createDb(pool))
    return {
      pace,
      port,
      origin: `http://localhost:${port}`,
      connection,
      db,
      pool,
      accountIds,
      tokens: await issueTokens(db, { accountIds, each: TOKENS_EACH }),
      load,
      sink,
      startBeside: async (besidePort) => startServer({ ...env, PORT: String(besidePort) }, { only: 'web' }),
      readCpu: () => ({
        server: cpuOf(server.pid, { withChildren: true, except: postmaster }),
        database: cpuOf(postmaster, { withChildren: true }),
      }),
      readMemory,
      readUploadMemory: () => memoryOf(server.pid) + memoryOfChildren(server.pid, /\/media\/decoder\//),
      idleMemory,
      close,
    }
  } catch (err) {
    await close()
    throw err
  }
}
