import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '../../src/platform/db/embedded/binaries.ts'
import { chooseHome } from '../../src/platform/db/embedded/choose-home.ts'
import { makeCluster } from '../../src/platform/db/embedded/cluster.ts'
import { makeFolderIn } from '../../src/platform/db/embedded/home.ts'
import { findPlainUser, spawnIn, waysFor } from '../../src/platform/db/embedded/way.ts'
import { quiet } from '../embedded.ts'
import { eventually } from '../linnet.ts'
import type { KillableDatabase } from './kill-embedded.ts'

/** A PostgreSQL server on a TCP port that nothing restarts, apart from the test. */
export interface ExternalPostgres extends KillableDatabase {
  /** A value for `DATABASE_URL`. */
  readonly url: string
  /** Stops the server and removes its data. */
  close(): Promise<void>
}

/** The test needs durability across the death of processes, not across a power failure. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  fsync: 'off',
  jit: 'off',
  log_min_messages: 'panic',
}

/**
 * Returns a free port below those that systems assign to outgoing connections. While the server is down, another
 * process would be given such a port, and a client that connects to it again and again would at last reach itself.
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
  // As root, the server runs as another user.
  await chmod(folder, 0o711)
  await makeFolderIn(folder)
  const surroundings = { native: findBinaries(), ways: waysFor(findPlainUser()), foreignRoot: join(folder, 'foreign') }
  const home = await chooseHome({ ...surroundings, dataDir: folder, log: quiet })
  await makeCluster(home, () => {})
  const port = await findStablePort()
  const url = `postgresql://linnet@127.0.0.1:${port}/postgres`
  const parameters = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let postmaster: ChildProcess | null = null

  const launch = async (): Promise<void> => {
    const child = spawnIn(home.way, join(home.native, 'bin', 'postgres'), ['-D', home.cluster, ...parameters], {
      env: home.env,
      stdio: 'ignore',
    })
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
      // Its sessions may end later.
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
