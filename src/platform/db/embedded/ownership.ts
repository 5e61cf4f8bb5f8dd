import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedRefusal } from './refusal.ts'

/** What the owner tells others about itself. */
export interface OwnerNote {
  pid: number
  /** What was typed, for messages. */
  command: string
  /** A server stays; a tool leaves as soon as its work is done, so others wait for it. */
  stays: boolean
  /** Set before a stop begins: who comes now has to wait and then start the database itself. */
  stopping: boolean
}

export interface Ownership {
  announce(note: OwnerNote): void
  release(): void
}

/**
 * Makes this process the one owner of a folder, or returns null when another process is. The claim ends with the
 * process, however that dies: Node offers no file locks, but SQLite's exclusive transaction is one, held by the kernel.
 */
export function takeOwnership(folder: string): Ownership | null {
  const noteFile = join(folder, 'owner.json')
  const lock = lockFile(join(folder, 'owner.lock'))
  if (lock === null) return null
  return {
    announce(note) {
      try {
        writeFileSync(`${noteFile}.new`, JSON.stringify(note), { mode: 0o600 })
        renameSync(`${noteFile}.new`, noteFile)
      } catch (err) {
        // Somebody deleted the data folder of a running server, which has to end all the same.
        if ((err as { code?: string }).code !== 'ENOENT') throw err
      }
    },
    release() {
      rmSync(noteFile, { force: true })
      held.delete(lock)
      lock.close()
    },
  }
}

function lockFile(file: string): DatabaseSync | null {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 0 })
    // No journal file beside the lock: nothing is ever written.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    held.add(lock)
    return lock
  } catch (err) {
    lock?.close()
    if ((err as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw new EmbeddedRefusal(
      `The data folder cannot be locked (${file}: ${(err as Error).message}); start Linnet as the user who owns it`,
      { cause: err },
    )
  }
}

const SQLITE_BUSY = 5
/** A lock that nobody refers to any more would be collected, and with that given up. */
const held = new Set<DatabaseSync>()

/** Who says to own the folder; null when nobody does, or when the owner has only just come. */
export function readOwner(folder: string): OwnerNote | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as OwnerNote
  } catch {
    return null
  }
}
