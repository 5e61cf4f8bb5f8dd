import type pg from 'pg'
import { createDb, createPool } from '../../src/platform/db/connection.ts'
import type { Connection } from '../../src/platform/db/connection.ts'
import { joinRunningEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.ts'
import { startChild } from './start-child.ts'
import type { Child } from './start-child.ts'
import { issueTokens } from './issue-tokens.ts'
import { testHostsSetting, openSink } from './open-sink.ts'
import type { DeliverySink } from './open-sink.ts'
import type { Pace } from '../measure/pace.ts'
import { cpuOf, findPostmaster, memoryOf, memoryOfChildren, sharedMemoryOf } from '../measure/process-stats.ts'
import { startServer } from './start-server.ts'
import type { Server } from './start-server.ts'
import { addBuilder } from '../../test/query-builder.ts'
import type { BuilderDb } from '../../test/query-builder.ts'

const TOKENS_PER_ACCOUNT = 5
/** The time without requests after which the idle memory is measured. */
const IDLE_MS = 10_000

/** A figure of the server and of its database. */
export interface ServerAndDatabase {
  server: number
  database: number
}

/** Memory in MB (PSS). `shared`: the part of the database's that its processes share. */
export interface Memory extends ServerAndDatabase {
  shared: number
}

/** The processes that run while rows are measured: the server with its database, the load, and the remote servers. */
export interface BenchStage {
  pace: Pace
  port: number
  origin: string
  connection: Connection
  db: BuilderDb
  pool: pg.Pool
  /** The accounts with feeds. */
  accountIds: readonly string[]
  /** Tokens of these accounts. */
  tokens: string[]
  /** The load process, which receives commands (`load/work.ts`). */
  load: Child
  sink: DeliverySink
  /** Starts another web server on the same database, which a row may kill. */
  startSecondary(port: number): Promise<Server>
  /** Returns the used processor time in milliseconds. */
  readCpu(): ServerAndDatabase
  readMemory(): Memory
  /** Returns the memory of the server and that of all its image decoders in MB. */
  readUploadMemory(): { server: number; decoders: number }
  /** The memory before the first request. */
  idleMemory: Memory
  close(): Promise<void>
}

/** Starts all processes on a seeded database that no other process uses. */
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
}): Promise<BenchStage> {
  const cleanUps: (() => unknown)[] = []
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
  }
  try {
    const sink = await openSink()
    cleanUps.push(() => sink.close())
    const env = {
      DATA_DIR: dataDir,
      LOCAL_DOMAIN: `localhost:${port}`,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1/32',
      LINNET_TEST_HOSTS: testHostsSetting(sink),
      NODE_EXTRA_CA_CERTS: sink.caFile,
    }
    const server = await startServer(env)
    cleanUps.push(() => server.stop())
    const database = (await joinRunningEmbeddedDatabase({ dataDir }))!
    cleanUps.push(() => database.stop())
    const { connection } = database
    // Creating an author with a million followers is one statement, which may take longer than those of a server.
    const pool = createPool(connection, { max: 2, onError: console.error, maxSilenceMs: 0 })
    const ownSessions = new Set<number>()
    pool.on('connect', (client) => ownSessions.add((client as unknown as { processID: number }).processID))
    cleanUps.push(() => pool.end())
    const postmaster = findPostmaster(dataDir)
    const readMemory = () => ({
      server: memoryOf(server.pid),
      database: memoryOf(postmaster, { withChildren: true, except: ownSessions }),
      shared: sharedMemoryOf(postmaster),
    })
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idleMemory = readMemory()
    const load = startChild('load/run-load.ts')
    cleanUps.push(() => load.end())
    const db = addBuilder(createDb(pool))
    return {
      pace,
      port,
      origin: `http://localhost:${port}`,
      connection,
      db,
      pool,
      accountIds,
      tokens: await issueTokens(db, { accountIds, each: TOKENS_PER_ACCOUNT }),
      load,
      sink,
      startSecondary: async (secondaryPort) => startServer({ ...env, PORT: String(secondaryPort) }, { only: 'web' }),
      readCpu: () => ({
        server: cpuOf(server.pid, { withChildren: true, except: postmaster }),
        database: cpuOf(postmaster, { withChildren: true }),
      }),
      readMemory,
      readUploadMemory: () => ({
        server: memoryOf(server.pid),
        decoders: memoryOfChildren(server.pid, /\/decoder\.js/),
      }),
      idleMemory,
      close,
    }
  } catch (err) {
    await close()
    throw err
  }
}
