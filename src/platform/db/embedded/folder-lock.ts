import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

/** What the process that holds the lock publishes about itself. */
export interface LockHolder {
  pid: number
  /** The command line, for messages. */
  command: string
  /** False for commands, which release the lock when their work is done, so that other processes wait for them. */
  isServer: boolean
  /** Set before a stop begins: other processes then wait for the lock and start the database themselves. */
  isStopping: boolean
}

export interface FolderLock {
  recordHolder(note: LockHolder): void
  release(): void
}

/**
 * Locks a folder for this process. Returns null if another process holds the lock. The lock ends with the process,
 * even after a crash: Node has no file locks, but SQLite's exclusive transaction is one, held by the kernel.
 */
export function tryLockFolder(folder: string): FolderLock | null {
  const holderFile = join(folder, 'owner.json')
  const lock = openExclusiveLock(join(folder, 'owner.lock'))
  if (lock === null) return null
  return {
    recordHolder(holder) {
      try {
        writeFileSync(`${holderFile}.new`, JSON.stringify(holder), { mode: 0o600 })
        renameSync(`${holderFile}.new`, holderFile)
      } catch (err) {
        // If the data folder was deleted, or its disk is full or read-only, the server must be able to stop nevertheless.
        if (!holder.isStopping) throw err
      }
    },
    release() {
      rmSync(holderFile, { force: true })
      heldLocks.delete(lock)
      lock.close()
    },
  }
}

function openExclusiveLock(file: string): DatabaseSync | null {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 0 })
    // Nothing is written, so no journal file is needed.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    heldLocks.add(lock)
    return lock
  } catch (err) {
    lock?.close()
    if ((err as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw new EmbeddedDatabaseError(
      `The data folder cannot be locked (${file}: ${(err as Error).message}); start Linnet as the user who owns it`,
      { cause: err },
    )
  }
}

const SQLITE_BUSY = 5
/** Keeps the locks referenced, because garbage collection would release them. */
const heldLocks = new Set<DatabaseSync>()

/** Returns the process that holds the lock. Null if there is none, or if it has not recorded itself yet. */
export function readLockHolder(folder: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as LockHolder
  } catch {
    return null
  }
}
