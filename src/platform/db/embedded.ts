import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { isUnreachable } from './connect.ts'
import { findBinaries } from './embedded/binaries.ts'
import { chooseHome } from './embedded/choose-home.ts'
import { checkVersion, makeCluster } from './embedded/cluster.ts'
import { folderIn, locateHome, makeFolderIn, makeHomeFolder, ownerOfCluster } from './embedded/home.ts'
import { readPostmasterFile, stopOrphan } from './embedded/orphan.ts'
import { readOwner, takeOwnership } from './embedded/ownership.ts'
import type { OwnerNote, Ownership } from './embedded/ownership.ts'
import { startPostmaster } from './embedded/postmaster.ts'
import { exists } from './embedded/private-folder.ts'
import { EmbeddedRefusal, OTHER_DATABASE } from './embedded/refusal.ts'
import { connectionTo, countGuests, ensureDatabase, GUEST, openSession } from './embedded/session.ts'
import { writeSettings } from './embedded/settings.ts'
import { makeSocketFolder, removeSocketFolder } from './embedded/socket-folder.ts'
import { findOwnUser, findPlainUser, isRoot, runIn, waysFor } from './embedded/way.ts'
import type { User, Way } from './embedded/way.ts'

/** The PostgreSQL in the data folder, up and with a database `linnet` in it. */
export interface EmbeddedDatabase {
  /** For a pool: the folder of the Unix socket and the names. */
  connection: { host: string; port: number; user: string; database: string }
  /** The same as one URL. */
  connectionString: string
  /** Whether this process started the server and has to stop it; else `stop` only says that it is no longer needed. */
  owner: boolean
  /** Close your own pools first. May be called twice. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Gets a short line for the person at the console whenever something takes time. */
  onProgress?(text: string): void
}

/** Tests put others in: what the machine allows decides which of them is taken. */
export interface Surroundings {
  native: string
  ways: Way[]
  foreignRoot: string
}

/** Between two looks at whether another process has gone or is ready. */
const POLL_MS = 50
/** The process before us may be dying still. */
const GRACE_SECONDS = 0.5
/** Tools and stopping servers leave by themselves. */
const PATIENCE_SECONDS = 60

/**
 * Starts the embedded PostgreSQL and becomes its one owner, until `stop` or the end of this process.
 * Makes the cluster at the first start; after a crash it clears away what is left of the server of then.
 * Waits up to a minute for a tool that is at work or for a server that is stopping.
 * @throws EmbeddedRefusal with one line: another process owns the folder, its version is unknown, or nothing runs here
 */
export async function startEmbedded(options: EmbeddedOptions, surroundings?: Surroundings): Promise<EmbeddedDatabase> {
  const folder = await makeFolderIn(options.dataDir)
  const start = performance.now()
  let told = false
  for (;;) {
    const ownership = takeOwnership(folder)
    if (ownership !== null) return launch({ options, ownership, stays: true, surroundings })
    const owner = readOwner(folder)
    const leaving = owner !== null && (owner.stopping || !owner.stays)
    if (performance.now() - start > (leaving ? PATIENCE_SECONDS : GRACE_SECONDS) * 1000)
      throw refuseSecond(options, owner)
    if (leaving && !told) options.onProgress?.(`Waiting for "${owner.command}" (process ${owner.pid}) to end`)
    told ||= leaving
    await wait(POLL_MS)
  }
}

function refuseSecond({ dataDir }: { dataDir: string }, owner: OwnerNote | null): EmbeddedRefusal {
  const who = owner === null ? 'another process' : `process ${owner.pid} ("${owner.command}")`
  return new EmbeddedRefusal(
    `The data folder ${dataDir} is in use by ${who}: stop it first, choose another DATA_DIR, ${OTHER_DATABASE}`,
  )
}

/**
 * The database that another process has running in this data folder, or null when none has. Waits for one that is
 * just starting. For tools, which hold it by one session until `stop`.
 * @throws EmbeddedRefusal when it can't be reached
 */
export async function connectToRunningEmbedded({ dataDir }: { dataDir: string }): Promise<EmbeddedDatabase | null> {
  const folder = folderIn(dataDir)
  if (!(await exists(folder))) return null
  const deadline = performance.now() + PATIENCE_SECONDS * 1000
  for (;;) {
    const ownership = takeOwnership(folder)
    ownership?.release()
    if (ownership !== null) return null
    const guest = await visit(dataDir)
    if (guest !== null) return guest
    if (performance.now() > deadline) {
      throw new EmbeddedRefusal(
        `The database in ${dataDir} belongs to process ${readOwner(folder)?.pid} and is not ready`,
      )
    }
    await wait(POLL_MS)
  }
}

/**
 * For tools: the running database if there is one, else one started for the tool, whose `stop` ends it as soon as no
 * other tool uses it.
 * @throws EmbeddedRefusal as `startEmbedded` does
 */
export async function openEmbedded(options: EmbeddedOptions, surroundings?: Surroundings): Promise<EmbeddedDatabase> {
  const folder = await makeFolderIn(options.dataDir)
  for (;;) {
    const running = await connectToRunningEmbedded(options)
    if (running !== null) return running
    const ownership = takeOwnership(folder)
    if (ownership !== null) return launch({ options, ownership, stays: false, surroundings })
  }
}

async function launch({
  options,
  ownership,
  stays,
  surroundings,
}: {
  options: EmbeddedOptions
  ownership: Ownership
  stays: boolean
  surroundings: Surroundings | undefined
}): Promise<EmbeddedDatabase> {
  const { log, onProgress = () => undefined } = options
  const note: OwnerNote = { pid: process.pid, command: describeCommand(), stays, stopping: false }
  let elsewhere: Ownership | null = null
  try {
    ownership.announce(note)
    const dataDir = await realpath(options.dataDir)
    const located = await locateHome(dataDir)
    // A copied data folder names the same place.
    if (located !== folderIn(dataDir)) elsewhere = await takeElsewhere(located, note)
    // First, since it can write its last checkpoint only with the permissions that it started with.
    await stopOrphan({ cluster: join(located, 'cluster'), sockets: join(located, 'run'), onProgress })
    const home = await chooseHome({ ...(surroundings ?? (await findSurroundings({ dataDir, log }))), dataDir, log })
    if (home.folder !== located) elsewhere = await takeElsewhere(home.folder, note)
    await checkVersion(home)
    await makeCluster(home, onProgress)
    const sockets = await makeSocketFolder(home)
    await writeSettings({ home: home.folder, sockets, way: home.way })
    const postmaster = await startPostmaster({ home, sockets, log, onProgress })
    await ensureDatabase(sockets)

    const stop = async (): Promise<void> => {
      ownership.announce({ ...note, stopping: true })
      if (!stays) await seeOffGuests(sockets)
      await postmaster.stop()
      await removeSocketFolder(sockets)
      elsewhere?.release()
      ownership.release()
    }
    let stopped: Promise<void> | undefined
    return { ...addressOf(sockets), owner: true, stop: () => (stopped ??= stop()) }
  } catch (err) {
    elsewhere?.release()
    ownership.release()
    throw err
  }
}

/** Becomes the owner of a database's folder outside of the data folder. @throws EmbeddedRefusal */
async function takeElsewhere(folder: string, note: OwnerNote): Promise<Ownership> {
  const ownership = takeOwnership(await makeHomeFolder(folder))
  if (ownership === null) throw refuseSecond({ dataDir: folder }, readOwner(folder))
  ownership.announce(note)
  return ownership
}

function describeCommand(): string {
  return ['linnet', ...process.argv.slice(2, 4)].join(' ')
}

async function findSurroundings({ dataDir, log }: { dataDir: string; log: Log }): Promise<Surroundings> {
  const user = isRoot() ? ((await ownerOfCluster(dataDir)) ?? (await chooseUser({ dataDir, log }))) : null
  return { native: findBinaries(), ways: waysFor(user), foreignRoot: '/var/lib/linnet' }
}

/** A user that no other program has, or, where this system gives root none, a shared one without rights. */
async function chooseUser({ dataDir, log }: { dataDir: string; log: Log }): Promise<User | null> {
  const shared = findPlainUser()
  if (shared === null) return null
  const own = findOwnUser(dataDir)
  const trial = await runIn({ name: 'drop', user: own, files: own }, '/bin/sh', ['-c', ':'], {})
  if (trial.code === 0) return own
  log.warn(
    { uid: own.uid, reason: trial.output },
    `Root cannot use the user id ${own.uid} here; the database runs as user ${shared.uid}, which other programs may share`,
  )
  return shared
}

function addressOf(sockets: string): Pick<EmbeddedDatabase, 'connection' | 'connectionString'> {
  const connection = connectionTo(sockets)
  const { host, port, user, database } = connection
  return {
    connection,
    connectionString: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  }
}

/** Other tools may have found this one's database; their work goes on before it stops. */
async function seeOffGuests(sockets: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000
  while (performance.now() < deadline && (await countGuests(sockets)) > 0) await wait(POLL_MS)
}

async function visit(dataDir: string): Promise<EmbeddedDatabase | null> {
  const server = await readPostmasterFile(join(await locateHome(dataDir), 'cluster'))
  if (!server?.ready) return null
  try {
    const session = await openSession({ sockets: server.sockets, name: GUEST })
    // Looked at after the session began: now a stop either waits for it or was announced before.
    if (readOwner(folderIn(dataDir))?.stopping === false) {
      return { ...addressOf(server.sockets), owner: false, stop: () => session.end() }
    }
    await session.end()
    return null
  } catch (err) {
    const { code, message } = err as { code?: string; message: string }
    if (code === 'EACCES' || code?.startsWith('28')) {
      throw new EmbeddedRefusal(
        `The database in ${dataDir} belongs to another user (${message}): start Linnet as that user`,
      )
    }
    if (!isUnreachable(err) && code !== '3D000') throw err
    return null
  }
}
