import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import type { Home } from './home.ts'
import { readPostmasterFile, sendSignal, stopOrphan, stopPostmaster } from './orphan.ts'
import { EmbeddedRefusal, OTHER_DATABASE, reasonIn } from './refusal.ts'
import { clearSockets } from './socket-folder.ts'
import { spawnIn } from './way.ts'

/** A running server, which is started again should it die. */
export interface Postmaster {
  stop(): Promise<void>
}

interface Launch {
  home: Home
  /** The folder of its socket. */
  sockets: string
  log: Log
  onProgress(text: string): void
}

/** Sessions of a server that was killed may need this long to notice it and to let go of its memory. */
const RETRY_SECONDS = 20
/** A recovery may take long; so often it says that it goes on. */
const PROGRESS_SECONDS = 5
const MAX_PAUSE_SECONDS = 30
const MAX_LOG_BYTES = 1_000_000

/**
 * Starts the server and waits until it takes connections, however long it needs to recover.
 * @throws EmbeddedRefusal with PostgreSQL's own reason
 */
export async function startPostmaster(launch: Launch): Promise<Postmaster> {
  const { home, log } = launch
  const stopping = new AbortController()
  let child = await startWithRetry(launch)
  let restart: Promise<void> = Promise.resolve()

  const startAgain = async (): Promise<void> => {
    for (let pause = 1; !stopping.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_SECONDS)) {
      try {
        child = await startWithRetry(launch)
        return watch()
      } catch (err) {
        log.error({ err }, `The database does not start; next attempt in ${pause} s`)
        await wait(pause * 1000, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  const watch = (): void => {
    child.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return
      log.error({ code, signal, logFile: logFileOf(home) }, 'The database stopped unexpectedly; restarting it')
      restart = startAgain()
    })
  }
  watch()

  return {
    async stop() {
      stopping.abort()
      await restart
      await stopPostmaster(child.pid!, () => hasEnded(child))
    },
  }
}

async function startWithRetry(launch: Launch): Promise<ChildProcess> {
  const { home, sockets, onProgress } = launch
  const deadline = performance.now() + RETRY_SECONDS * 1000
  for (;;) {
    await stopOrphan({ cluster: home.cluster, sockets, onProgress })
    await clearSockets(sockets)
    const started = await startOnce(launch)
    if (typeof started !== 'string') return started
    if (!IN_THE_WAY.test(started) || performance.now() > deadline) {
      throw new EmbeddedRefusal(
        `The embedded PostgreSQL does not start (${started}; see ${logFileOf(home)}): ` +
          `fix the cause, choose another DATA_DIR, ${OTHER_DATABASE}`,
      )
    }
    await wait(100)
  }
}

/** What PostgreSQL says while parts of a killed server are still on their way out. */
const IN_THE_WAY = /lock file .* already exists|pre-existing shared memory block/

/** Returns the running server, or the reason why there is none. */
async function startOnce({ home, onProgress }: Launch): Promise<ChildProcess | string> {
  const output = await openLog(home)
  try {
    const { size } = await output.stat()
    const child = spawnIn(
      home.way,
      join(home.native, 'bin', 'postgres'),
      ['-D', home.cluster, '-c', `config_file=${join(home.folder, 'postgresql.conf')}`],
      // A session of its own: Ctrl-C reaches only us, and we stop the server when our own work is done.
      { env: home.env, detached: true, stdio: ['ignore', output.fd, output.fd] },
    )
    child.unref()
    if (child.pid === undefined) return ((await once(child, 'error')) as [Error])[0].message
    takeAlong(child, child.pid)
    return (await becomesReady({ child, home, onProgress })) ? child : await lastWords(output, size)
  } finally {
    await output.close()
  }
}

/** Should this process leave without stopping the server, the server follows it in good order. */
function takeAlong(child: ChildProcess, pid: number): void {
  const stop = () => sendSignal(pid, 'SIGINT')
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
}

async function becomesReady({
  child,
  home,
  onProgress,
}: {
  child: ChildProcess
  home: Home
  onProgress(text: string): void
}): Promise<boolean> {
  let next = performance.now() + PROGRESS_SECONDS * 1000
  while (!hasEnded(child)) {
    const file = await readPostmasterFile(home.cluster)
    if (file?.ready && file.pid === child.pid) return true
    if (performance.now() > next) {
      onProgress('The database is starting; after a crash it first recovers')
      next = performance.now() + PROGRESS_SECONDS * 1000
    }
    await wait(5)
  }
  return false
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function logFileOf(home: Home): string {
  return join(home.folder, 'server.log')
}

/** A file and not a pipe to us: it also tells what happened after we were killed. */
async function openLog(home: Home): Promise<FileHandle> {
  const path = logFileOf(home)
  const log = await open(path, 'a+', 0o600)
  if ((await log.stat()).size < MAX_LOG_BYTES) return log
  await log.close()
  await rename(path, `${path}.1`)
  return open(path, 'a+', 0o600)
}

/** PostgreSQL's reason for not starting, from what it has logged since. */
async function lastWords(output: FileHandle, from: number): Promise<string> {
  const { size } = await output.stat()
  const { buffer, bytesRead } = await output.read(Buffer.alloc(size - from), 0, size - from, from)
  return reasonIn(buffer.toString('utf8', 0, bytesRead))
}
