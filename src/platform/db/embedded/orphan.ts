import { execFile } from 'node:child_process'
import { constants, readFileSync } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedRefusal } from './refusal.ts'
import { removeSocketFolder } from './socket-folder.ts'

/** What a running server writes into its cluster. */
export interface PostmasterFile {
  pid: number
  /** The cluster as the server was told. */
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
  return !isRemains(pid)
}

/** A process that has ended, but of which its parent has taken no notice yet: in a container, perhaps never. */
function isRemains(pid: number): boolean {
  try {
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Fast is how we stop a server. Immediate skips the last writes, which the next start then makes up from the log. */
const FAST_SECONDS = 60
const IMMEDIATE_SECONDS = 10

/**
 * Stops the server that a killed Linnet left running, if there is one, and clears away what would keep a new one from
 * starting. Only for the folder's owner.
 * @throws EmbeddedRefusal when it does not stop
 */
export async function stopOrphan({
  cluster,
  sockets,
  onProgress,
}: {
  cluster: string
  /** The folder of the next server's socket. */
  sockets: string
  onProgress(text: string): void
}): Promise<void> {
  const file = await readPostmasterFile(cluster)
  // Empty after a power cut, and then in the way.
  if (file === null) return rm(join(cluster, 'postmaster.pid'), { force: true })
  if (isAlive(file.pid) && (await isServerOf(cluster, file))) {
    onProgress(`Stopping the orphaned database process ${file.pid}`)
    if (!(await stopPostmaster(file.pid))) {
      throw new EmbeddedRefusal(
        `PostgreSQL (process ${file.pid}) is still running in ${cluster} and does not stop: stop it, then start again`,
      )
    }
  }
  await disown(cluster)
  if (file.sockets && file.sockets !== sockets) await removeSocketFolder(file.sockets)
}

/** Asks a server to stop, then insists. Returns whether it is gone. */
export async function stopPostmaster(pid: number, gone: () => boolean = () => !isAlive(pid)): Promise<boolean> {
  for (const [signal, seconds] of [['SIGINT', FAST_SECONDS] as const, ['SIGQUIT', IMMEDIATE_SECONDS] as const]) {
    sendSignal(pid, signal)
    const deadline = performance.now() + seconds * 1000
    while (performance.now() < deadline) {
      if (gone()) return true
      await wait(10)
    }
  }
  return gone()
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Process ids are given out again, and folders are copied and moved, so the file's word alone does not count. */
async function isServerOf(cluster: string, file: PostmasterFile): Promise<boolean> {
  const command = await commandOf(file.pid)
  if (!command.includes(file.cluster) || !/(^|\/)postgres[\0 ]/.test(command)) return false
  const [ours, theirs] = await Promise.all([
    stat(cluster),
    // Its current folder is the cluster even when that was moved, but not every system tells.
    stat(`/proc/${file.pid}/cwd`).catch(() => stat(file.cluster).catch(() => null)),
  ])
  return theirs !== null && ours.dev === theirs.dev && ours.ino === theirs.ino
}

async function commandOf(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    const ps = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return ps.stdout
  }
}

/**
 * PostgreSQL refuses to start while any process has the id in the left-over file, even an unrelated one. A parent's id
 * it disregards, so ours goes in. The file itself must stay: by its last lines PostgreSQL finds out whether sessions
 * of the dead server still touch the data.
 */
async function disown(cluster: string): Promise<void> {
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
