import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../log/log.ts'
import { isDatabaseUnreachable } from '../connection.ts'
import { findBinaries } from './postgres-binaries.ts'
import { chooseLocation } from './choose-location.ts'
import { checkClusterVersion, createCluster } from './create-cluster.ts'
import { checkExternalFolder } from './external-location.ts'
import {
  databaseFolderIn,
  findDatabaseFolder,
  createDatabaseFolderIn,
  createDatabaseFolder,
  findClusterOwner,
} from './location.ts'
import { readPostmasterFile, stopOrphanedServer } from './stop-orphaned-server.ts'
import { readLockHolder, tryLockFolder } from './folder-lock.ts'
import type { LockHolder, FolderLock } from './folder-lock.ts'
import { startPostmaster } from './postmaster.ts'
import { pathExists } from './private-folder.ts'
import { EmbeddedDatabaseError, EXTERNAL_DATABASE_HINT } from './embedded-database-error.ts'
import { connectionTo, countToolSessions, nameDatabase, TOOL_APPLICATION_NAME, openSession } from './sessions.ts'
import { writeServerConfig } from './write-server-config.ts'
import { createSocketFolder, removeSocketFolder } from './socket-folder.ts'
import { findDedicatedUser, findUnprivilegedUser, isRoot, runWith, listLaunchMethods } from './launch-method.ts'
import type { SystemUser, LaunchMethod } from './launch-method.ts'

/** The running PostgreSQL of the data folder, with the database `linnet`. */
export interface EmbeddedDatabase {
  /** For a pool. `host` is the folder of the Unix socket. */
  connection: { host: string; port: number; user: string; database: string }
  /** The same as one URL. */
  connectionString: string
  /** Whether this process started the server. If not, `stop` only ends the session that this process holds. */
  isOwner: boolean
  /** Close all pools first. May be called twice. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Receives a short line for the administrator when something takes time. */
  onProgress?(text: string): void
  /** Further environment variables of the database's processes. */
  environment?: Readonly<Record<string, string>>
}

/** What the location depends on. Tests replace it. */
export interface HostEnvironment {
  nativeFolder: string
  launchMethods: LaunchMethod[]
  externalRoot: string
}

/** The code of PostgreSQL's error when a new session finds the disk full. */
const DISK_FULL = '53100'

/** Interval of checks whether another process has ended or is ready. */
const POLL_MS = 50
/** How long to wait for a previous server process that may still be exiting. */
const SERVER_GRACE_SECONDS = 0.5
/** How long to wait for commands and stopping servers, which release the folder without intervention. */
const TOOL_WAIT_SECONDS = 60

/**
 * Starts the embedded PostgreSQL and holds the lock of its folder until `stop` or the end of this process.
 * Creates the cluster at the first start. After a crash, it stops a PostgreSQL that is still running.
 * Waits up to a minute for a running command or for a server that is stopping.
 * @throws EmbeddedDatabaseError if another process holds the lock, the version does not fit, or PostgreSQL cannot run
 */
export async function startEmbeddedDatabase(
  options: EmbeddedOptions,
  hostEnvironment?: HostEnvironment,
): Promise<EmbeddedDatabase> {
  const folder = await createDatabaseFolderIn(options.dataDir)
  const start = performance.now()
  let isWaitReported = false
  for (;;) {
    const lock = tryLockFolder(folder)
    if (lock !== null) return launchDatabase({ options, lock, isServer: true, hostEnvironment })
    const holder = readLockHolder(folder)
    const isHolderLeaving = holder !== null && (holder.isStopping || !holder.isServer)
    if (performance.now() - start > (isHolderLeaving ? TOOL_WAIT_SECONDS : SERVER_GRACE_SECONDS) * 1000)
      throw folderInUseError(options, holder)
    if (isHolderLeaving && !isWaitReported)
      options.onProgress?.(`Waiting for "${holder.command}" (process ${holder.pid}) to end`)
    isWaitReported ||= isHolderLeaving
    await wait(POLL_MS)
  }
}

function folderInUseError({ dataDir }: { dataDir: string }, holder: LockHolder | null): EmbeddedDatabaseError {
  const holderText = holder === null ? 'another process' : `process ${holder.pid} ("${holder.command}")`
  return new EmbeddedDatabaseError(
    `The data folder ${dataDir} is in use by ${holderText}: stop it first, choose another DATA_DIR, ${EXTERNAL_DATABASE_HINT}`,
  )
}

/**
 * Returns the database that another process runs in this data folder, or null if there is none. Waits for one that is
 * starting. For commands, whose open session keeps it running until `stop`.
 * @throws EmbeddedDatabaseError if it is unreachable
 */
export async function joinRunningEmbeddedDatabase({ dataDir }: { dataDir: string }): Promise<EmbeddedDatabase | null> {
  const folder = databaseFolderIn(dataDir)
  if (!(await pathExists(folder))) return null
  const deadline = performance.now() + TOOL_WAIT_SECONDS * 1000
  for (;;) {
    const lock = tryLockFolder(folder)
    lock?.release()
    if (lock !== null) return null
    const database = await joinRunningServer(dataDir)
    if (database !== null) return database
    if (performance.now() > deadline) {
      const logFile = join(await findDatabaseFolder(dataDir), 'server.log')
      throw new EmbeddedDatabaseError(
        `The database in ${dataDir} belongs to process ${readLockHolder(folder)?.pid} and is not ready: ${logFile} says why`,
      )
    }
    await wait(POLL_MS)
  }
}

/**
 * For commands: returns the running database if there is one. Else starts one, whose `stop` ends it when no other
 * command uses it.
 * @throws EmbeddedDatabaseError like `startEmbeddedDatabase`
 */
export async function openEmbeddedDatabase(
  options: EmbeddedOptions,
  hostEnvironment?: HostEnvironment,
): Promise<EmbeddedDatabase> {
  const folder = await createDatabaseFolderIn(options.dataDir)
  for (;;) {
    const running = await joinRunningEmbeddedDatabase(options)
    if (running !== null) return running
    const lock = tryLockFolder(folder)
    if (lock !== null) return launchDatabase({ options, lock, isServer: false, hostEnvironment })
  }
}

async function launchDatabase({
  options,
  lock,
  isServer,
  hostEnvironment,
}: {
  options: EmbeddedOptions
  lock: FolderLock
  isServer: boolean
  hostEnvironment: HostEnvironment | undefined
}): Promise<EmbeddedDatabase> {
  const { log, onProgress = () => undefined, environment } = options
  const holder: LockHolder = { pid: process.pid, command: describeCommand(), isServer, isStopping: false }
  let externalLock: FolderLock | null = null
  try {
    lock.recordHolder(holder)
    const dataDir = await realpath(options.dataDir)
    const knownFolder = await findDatabaseFolder(dataDir)
    if (knownFolder !== databaseFolderIn(dataDir)) {
      await checkExternalFolder({ dataDir, folder: knownFolder })
      // A copied data folder refers to the same external folder, so this folder needs a lock, too.
      externalLock = await lockExternalFolder(knownFolder, holder)
    }
    // Before any permission changes: the old server needs those it started with to write its last checkpoint.
    await stopOrphanedServer({ cluster: join(knownFolder, 'cluster'), sockets: join(knownFolder, 'run'), onProgress })
    const location = await chooseLocation({
      ...(hostEnvironment ?? (await detectHostEnvironment({ dataDir, log }))),
      dataDir,
      log,
    })
    if (location.folder !== knownFolder) externalLock = await lockExternalFolder(location.folder, holder)
    await checkClusterVersion(location)
    await createCluster(location, onProgress)
    const sockets = await createSocketFolder(location)
    await writeServerConfig({ databaseFolder: location.folder, sockets, launchMethod: location.launchMethod })
    const env = { ...location.env, ...environment }
    const postmaster = await startPostmaster({ location: { ...location, env }, sockets, log, onProgress })
    await nameDatabase(sockets)

    const stop = async (): Promise<void> => {
      lock.recordHolder({ ...holder, isStopping: true })
      if (!isServer) await waitForToolSessions(sockets)
      await postmaster.stop()
      await removeSocketFolder(sockets)
      externalLock?.release()
      lock.release()
    }
    let stopped: Promise<void> | undefined
    return { ...connectionOf(sockets), isOwner: true, stop: () => (stopped ??= stop()) }
  } catch (err) {
    externalLock?.release()
    lock.release()
    throw err
  }
}

/** Locks a database folder outside the data folder. @throws EmbeddedDatabaseError */
async function lockExternalFolder(folder: string, holder: LockHolder): Promise<FolderLock> {
  const lock = tryLockFolder(await createDatabaseFolder(folder))
  if (lock === null) throw folderInUseError({ dataDir: folder }, readLockHolder(folder))
  lock.recordHolder(holder)
  return lock
}

function describeCommand(): string {
  return ['linnet', ...process.argv.slice(2, 4)].join(' ')
}

async function detectHostEnvironment({ dataDir, log }: { dataDir: string; log: Log }): Promise<HostEnvironment> {
  const user = isRoot() ? ((await findClusterOwner(dataDir)) ?? (await chooseUser({ dataDir, log }))) : null
  return { nativeFolder: findBinaries(), launchMethods: listLaunchMethods(user), externalRoot: '/var/lib/linnet' }
}

/** Returns a user id that no other program uses. If root cannot use it on this system: a shared, unprivileged user. */
async function chooseUser({ dataDir, log }: { dataDir: string; log: Log }): Promise<SystemUser | null> {
  const sharedUser = findUnprivilegedUser()
  if (sharedUser === null) return null
  const dedicatedUser = findDedicatedUser(dataDir)
  const trial = await runWith(
    { name: 'drop', user: dedicatedUser, fileOwner: dedicatedUser },
    '/bin/sh',
    ['-c', ':'],
    {},
  )
  if (trial.code === 0) return dedicatedUser
  log.warn(
    { uid: dedicatedUser.uid, reason: trial.output },
    `Root cannot use the user id ${dedicatedUser.uid} here; the database runs as user ${sharedUser.uid}, which other programs may share`,
  )
  return sharedUser
}

function connectionOf(sockets: string): Pick<EmbeddedDatabase, 'connection' | 'connectionString'> {
  const connection = connectionTo(sockets)
  const { host, port, user, database } = connection
  return {
    connection,
    connectionString: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  }
}

/** Waits for other commands that joined this command's database. */
async function waitForToolSessions(sockets: string): Promise<void> {
  const deadline = performance.now() + TOOL_WAIT_SECONDS * 1000
  while (performance.now() < deadline && (await countToolSessions(sockets)) > 0) await wait(POLL_MS)
}

async function joinRunningServer(dataDir: string): Promise<EmbeddedDatabase | null> {
  const server = await readPostmasterFile(join(await findDatabaseFolder(dataDir), 'cluster'))
  if (!server?.ready) return null
  try {
    const session = await openSession({ sockets: server.sockets, name: TOOL_APPLICATION_NAME })
    // Checked after the session began: a stop either waits for the session or has already set `isStopping`.
    if (readLockHolder(databaseFolderIn(dataDir))?.isStopping === false) {
      return { ...connectionOf(server.sockets), isOwner: false, stop: () => session.end() }
    }
    await session.end()
    return null
  } catch (err) {
    const { code, message } = err as { code?: string; message: string }
    if (code === 'EACCES' || code?.startsWith('28')) {
      throw new EmbeddedDatabaseError(
        `The database in ${dataDir} belongs to another user (${message}): start Linnet as that user`,
      )
    }
    // With a full disk, waiting does not help.
    if ((!isDatabaseUnreachable(err) && code !== '3D000') || code === DISK_FULL) throw err
    return null
  }
}
