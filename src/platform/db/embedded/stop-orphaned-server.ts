import { execFile } from 'node:child_process'
import { constants, readFileSync } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { removeSocketFolder } from './socket-folder.ts'

/** The contents of `postmaster.pid`, which a running server writes to its cluster. */
export interface PostmasterFile {
  pid: number
  /** The path of the cluster that the server was started with. */
  cluster: string
  sockets: string
  ready: boolean
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const [pid = '', path = '', , , sockets = '', , , status = ''] = text.split('\n')
  if (!/^\d+$/.test(pid)) return null
  return { pid: Number(pid), cluster: path, sockets, ready: status.trim() === 'ready' }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (err) {
    if ((err as { code?: string }).code !== 'EPERM') return false
  }
  return !isZombie(pid)
}

/** Returns whether a process is a zombie. In a container, the parent may never reap it. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** A fast shutdown comes first. An immediate one skips the last writes, which the next start recovers from the WAL. */
const FAST_SHUTDOWN_SECONDS = 60
const IMMEDIATE_SHUTDOWN_SECONDS = 10

/**
 * Stops the PostgreSQL server that a killed Linnet left running, if there is one, and removes what would prevent a new
 * one from starting. The caller must hold the lock of the folder.
 * @throws EmbeddedDatabaseError if the server does not stop
 */
export async function stopOrphanedServer({
  cluster,
  sockets,
  onProgress,
}: {
  cluster: string
  /** The socket folder of the next server. */
  sockets: string
  onProgress(text: string): void
}): Promise<void> {
  const file = await readPostmasterFile(cluster)
  // After a power failure the file may be empty, and PostgreSQL would not start.
  if (file === null) return rm(join(cluster, 'postmaster.pid'), { force: true })
  if (isAlive(file.pid) && (await isServerOfCluster(cluster, file))) {
    onProgress(`Stopping the orphaned database process ${file.pid}`)
    if (!(await stopPostmaster(file.pid))) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL (process ${file.pid}) is still running in ${cluster} and does not stop: stop it, then start again`,
      )
    }
  }
  await replacePostmasterPid(cluster)
  // A copy of a data folder has the file of the original one, whose server may be running with these sockets.
  const isOriginal = await isSameFolder(cluster, file.cluster)
  if (isOriginal && file.sockets && file.sockets !== sockets) await removeSocketFolder(file.sockets)
}

async function isSameFolder(folder: string, other: string): Promise<boolean> {
  const [stats, otherStats] = await Promise.all([stat(folder), stat(other).catch(() => null)])
  return otherStats !== null && stats.dev === otherStats.dev && stats.ino === otherStats.ino
}

/** Requests a fast shutdown, then an immediate one. Returns whether the server has exited. */
export async function stopPostmaster(pid: number, hasExited: () => boolean = () => !isAlive(pid)): Promise<boolean> {
  for (const [signal, seconds] of [
    ['SIGINT', FAST_SHUTDOWN_SECONDS] as const,
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_SECONDS] as const,
  ]) {
    sendSignal(pid, signal)
    const deadline = performance.now() + seconds * 1000
    while (performance.now() < deadline) {
      if (hasExited()) return true
      await wait(10)
    }
  }
  return hasExited()
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended.
  }
}

/** Verifies `postmaster.pid`: process ids are reused, and data folders are copied and moved. */
async function isServerOfCluster(cluster: string, file: PostmasterFile): Promise<boolean> {
  const command = await readCommandLine(file.pid)
  if (!command.includes(file.cluster) || !/(^|\/)postgres[\0 ]/.test(command)) return false
  const [clusterStats, serverStats] = await Promise.all([
    stat(cluster),
    // The server's current folder is the cluster even if that was moved, but not all systems have /proc.
    stat(`/proc/${file.pid}/cwd`).catch(() => stat(file.cluster).catch(() => null)),
  ])
  return serverStats !== null && clusterStats.dev === serverStats.dev && clusterStats.ino === serverStats.ino
}

async function readCommandLine(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    const ps = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return ps.stdout
  }
}

/**
 * Writes the id of this process into a stale `postmaster.pid`. PostgreSQL refuses to start while any process has the id
 * in that file, even an unrelated one, but ignores the id of its parent. The file must not be deleted: from its last
 * lines, PostgreSQL finds out whether sessions of the dead server still access the data.
 */
async function replacePostmasterPid(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid')
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => null)
  if (file === null) return
  try {
    const lines = (await file.readFile('utf8')).split('\n')
    lines[0] = String(process.pid)
    const text = lines.join('\n')
    await file.write(text, 0)
    await file.truncate(Buffer.byteLength(text))
  } finally {
    await file.close()
  }
}
