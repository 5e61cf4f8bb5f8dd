import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * A copy of a data folder whose database was initialised, tuned, migrated and stopped. A run copies it into a folder of
 * its own and starts PostgreSQL there, so runs share no server, and a killed run damages nothing that another one uses.
 */

const ROOT = new URL('..', import.meta.url).pathname
const SNAPSHOTS = join(ROOT, 'node_modules/.cache/linnet/test-databases')

/** The files that determine the content of the data folder. The lockfile pins PostgreSQL. */
const SOURCES = [
  'migrations/**/*.{ts,sql}',
  'src/platform/db/migrate.ts',
  'src/platform/db/embedded/*.ts',
  'test/runner/setup.ts',
  'package-lock.json',
]

/** Enough for switching between branches; each snapshot takes about 100 MB. */
const MAX_SNAPSHOTS = 3

const run = promisify(execFile)

/** Copies the snapshot into `dataDir`, which must not exist yet. Returns false when there is no readable snapshot. */
export async function restoreSnapshot(dataDir: string): Promise<boolean> {
  const snapshot = join(SNAPSHOTS, snapshotName())
  if (!existsSync(snapshot)) return false
  try {
    await copyFolder(snapshot, dataDir)
    const now = new Date()
    await utimes(snapshot, now, now)
    return true
  } catch {
    // Another run pruned it meanwhile, or another user owns it.
    await rm(dataDir, { recursive: true, force: true })
    return false
  }
}

/** Stores a stopped data folder for later runs. A run that cannot store it (a read-only clone) still runs. */
export async function saveSnapshot(dataDir: string): Promise<void> {
  // If the database's user cannot enter the data folder, the cluster is stored elsewhere and cannot be copied.
  if (existsSync(join(dataDir, 'postgres/elsewhere'))) return
  const snapshot = join(SNAPSHOTS, snapshotName())
  const draft = `${snapshot}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(SNAPSHOTS, { recursive: true })
    await copyFolder(dataDir, draft)
    // Fails when another run was faster.
    await rename(draft, snapshot)
    await pruneSnapshots()
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Different users do not share a snapshot: its files belong to the database's user. */
function snapshotName(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.getuid?.()}`)
  for (const path of globSync(SOURCES, { cwd: ROOT }).toSorted()) hash.update(path).update(readFileSync(ROOT + path))
  return hash.digest('hex').slice(0, 16)
}

/** Copies with owners, modes and links, which Node's own `cp` does not preserve. */
async function copyFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to])
}

/** Deletes the least recently used snapshots, and the drafts of killed runs. */
async function pruneSnapshots(): Promise<void> {
  const paths = (await readdir(SNAPSHOTS)).map((name) => join(SNAPSHOTS, name))
  const used = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  const old = used.toSorted((a, b) => b.at - a.at).slice(MAX_SNAPSHOTS)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}
