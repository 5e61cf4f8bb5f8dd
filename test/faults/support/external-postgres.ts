import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '../../../src/platform/db/embedded/postgres-binaries.ts'
import { chooseLocation } from '../../../src/platform/db/embedded/choose-location.ts'
import { createCluster } from '../../../src/platform/db/embedded/create-cluster.ts'
import { createDatabaseFolderIn } from '../../../src/platform/db/embedded/location.ts'
import { findUnprivilegedUser, spawnWith, listLaunchMethods } from '../../../src/platform/db/embedded/launch-method.ts'
import { silentLog } from '../../services/database/embedded-database.ts'
import { eventually } from '../../servers/linnet-process.ts'
import type { KillableDatabase } from './killable-database.ts'

/** A PostgreSQL server on a TCP port that only the test restarts. */
export interface ExternalPostgres extends KillableDatabase {
  /** A value for `DATABASE_URL`. */
  readonly url: string
  /** Stops the server and removes its data. */
  close(): Promise<void>
}

/** The test needs durability across killed processes, not across a power failure. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  fsync: 'off',
  jit: 'off',
  log_min_messages: 'panic',
}

/**
 * Returns a free port below those that systems assign to outgoing connections. While the server is down, such a port
 * could be assigned to another process, or to a client that repeatedly connects to it and then reaches itself.
 */
async function findStablePort(): Promise<string> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return String(port)
  }
}

/** Creates a cluster and starts a server for it. */
export async function openExternalPostgres(): Promise<ExternalPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-postgres-'))
  // If root runs the test, the server runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711)
  await createDatabaseFolderIn(folder)
  const environment = {
    nativeFolder: findBinaries(),
    launchMethods: listLaunchMethods(findUnprivilegedUser()),
    externalRoot: join(folder, 'foreign'),
  }
  const location = await chooseLocation({ ...environment, dataDir: folder, log: silentLog })
  await createCluster(location, () => {})
  const port = await findStablePort()
  const url = `postgresql://linnet@127.0.0.1:${port}/postgres`
  const parameters = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let postmaster: ChildProcess | null = null

  const launch = async (): Promise<void> => {
    const child = spawnWith(
      location.launchMethod,
      join(location.nativeFolder, 'bin', 'postgres'),
      ['-D', location.cluster, ...parameters],
      {
        env: location.env,
        stdio: 'ignore',
      },
    )
    await once(child, 'spawn')
    postmaster = child
  }
  const start = async (): Promise<void> => {
    await launch()
    await eventually(async () => {
      // The server refuses to start while sessions of a killed postmaster still use its memory.
      if (postmaster === null || postmaster.exitCode !== null) await launch()
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
      client.on('error', () => {})
      await client.connect()
      await client.end()
    })
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = postmaster
    postmaster = null
    if (ended === null || ended.exitCode !== null) return
    const exit = once(ended, 'exit')
    ended.kill(signal)
    await exit
  }
  await start()
  return {
    url,
    async kill({ afterMs, downMs }) {
      await wait(afterMs)
      // The sessions of the killed server may end later.
      await end('SIGKILL')
      await wait(downMs)
      await start()
    },
    async close() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
