import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../log/log.ts'
import type { DatabaseLocation } from './location.ts'
import { readPostmasterFile, sendSignal, stopOrphanedServer, stopPostmaster } from './stop-orphaned-server.ts'
import { EmbeddedDatabaseError, EXTERNAL_DATABASE_HINT, extractReason } from './embedded-database-error.ts'
import { clearSockets } from './socket-folder.ts'
import { spawnWith } from './launch-method.ts'

/** A running PostgreSQL server, which is restarted if it exits unexpectedly. */
export interface Postmaster {
  stop(): Promise<void>
}

interface PostmasterOptions {
  location: DatabaseLocation
  /** The folder of its socket. */
  sockets: string
  log: Log
  onProgress(text: string): void
}

/** How long sessions of a killed server may need to exit and to release its shared memory. */
const RETRY_SECONDS = 20
/** Interval of progress reports during a recovery, which may take long. */
const PROGRESS_SECONDS = 5
const MAX_PAUSE_SECONDS = 30
const MAX_LOG_BYTES = 1_000_000

/**
 * Starts the server and waits until it accepts connections, without a time limit for a recovery.
 * @throws EmbeddedDatabaseError with PostgreSQL's reason
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { location, log } = options
  const stopping = new AbortController()
  let child = await startWithRetry(options)
  let restart: Promise<void> = Promise.resolve()

  const restartWithBackoff = async (): Promise<void> => {
    for (let pause = 1; !stopping.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_SECONDS)) {
      try {
        child = await startWithRetry(options)
        return watchExit()
      } catch (err) {
        log.error({ err }, `The database does not start; next attempt in ${pause} s`)
        await wait(pause * 1000, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  const watchExit = (): void => {
    child.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return
      log.error({ code, signal, logFile: logFileOf(location) }, 'The database stopped unexpectedly; restarting it')
      restart = restartWithBackoff()
    })
  }
  watchExit()

  return {
    async stop() {
      stopping.abort()
      await restart
      await stopPostmaster(child.pid!, () => hasEnded(child))
    },
  }
}

async function startWithRetry(options: PostmasterOptions): Promise<ChildProcess> {
  const { location, sockets, onProgress } = options
  const deadline = performance.now() + RETRY_SECONDS * 1000
  for (;;) {
    await stopOrphanedServer({ cluster: location.cluster, sockets, onProgress })
    await clearSockets(sockets)
    const started = await tryStart(options)
    if (typeof started !== 'string') return started
    if (!LEFTOVER_MESSAGES.test(started) || performance.now() > deadline) {
      throw new EmbeddedDatabaseError(
        `The embedded PostgreSQL does not start (${started}; see ${logFileOf(location)}): ` +
          `fix the cause, choose another DATA_DIR, ${EXTERNAL_DATABASE_HINT}`,
      )
    }
    await wait(100)
  }
}

/** PostgreSQL's messages while processes of a killed server are still exiting. */
const LEFTOVER_MESSAGES = /lock file .* already exists|pre-existing shared memory block/

/** Returns the running server, or the reason why it did not start. */
async function tryStart({ location, onProgress }: PostmasterOptions): Promise<ChildProcess | string> {
  const output = await openServerLog(location)
  try {
    const { size } = await output.stat()
    const child = spawnWith(
      location.launchMethod,
      join(location.nativeFolder, 'bin', 'postgres'),
      ['-D', location.cluster, '-c', `config_file=${join(location.folder, 'postgresql.conf')}`],
      // A separate session, so that Ctrl-C signals only this process, which stops the server after its own work.
      { env: location.env, detached: true, stdio: ['ignore', output.fd, output.fd] },
    )
    child.unref()
    if (child.pid === undefined) return ((await once(child, 'error')) as [Error])[0].message
    stopOnExit(child, child.pid)
    return (await waitUntilReady({ child, location, onProgress })) ? child : await readFailureReason(output, size)
  } finally {
    await output.close()
  }
}

/** Shuts the server down if this process exits without stopping it. */
function stopOnExit(child: ChildProcess, pid: number): void {
  const stop = () => sendSignal(pid, 'SIGINT')
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
}

async function waitUntilReady({
  child,
  location,
  onProgress,
}: {
  child: ChildProcess
  location: DatabaseLocation
  onProgress(text: string): void
}): Promise<boolean> {
  let next = performance.now() + PROGRESS_SECONDS * 1000
  while (!hasEnded(child)) {
    const file = await readPostmasterFile(location.cluster)
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

function logFileOf(location: DatabaseLocation): string {
  return join(location.folder, 'server.log')
}

/** Opens the server's log. A file, not a pipe to this process, so that it also has what happens after a kill. */
async function openServerLog(location: DatabaseLocation): Promise<FileHandle> {
  const path = logFileOf(location)
  const log = await open(path, 'a+', 0o600)
  if ((await log.stat()).size < MAX_LOG_BYTES) return log
  await log.close()
  await rename(path, `${path}.1`)
  return open(path, 'a+', 0o600)
}

/** Returns PostgreSQL's reason for not starting, from its log since the offset `from`. */
async function readFailureReason(output: FileHandle, from: number): Promise<string> {
  const { size } = await output.stat()
  const { buffer, bytesRead } = await output.read(Buffer.alloc(size - from), 0, size - from, from)
  return extractReason(buffer.toString('utf8', 0, bytesRead))
}
