import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../../platform/config/config.ts'
import { containsOnlyLinnetFiles } from '../../../../platform/data-folder/restrict-data-folder.ts'
import { warning, ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

const MB = 1024 * 1024
/** With less free space, the database may stop at any moment. */
const MIN_FREE_BYTES = 200 * MB
const LOW_FREE_BYTES = 2_000 * MB

/** Checks the folder of the database, the media and the secrets. */
export async function checkDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const folder = await stat(dataDir).catch(() => null)
  if (folder === null) return [warning(`the data folder ${dataDir} does not exist yet`, 'the first start creates it')]
  if (!folder.isDirectory()) return [problem(`${dataDir} is a file, not a folder`, 'set DATA_DIR to a folder')]
  return [
    await checkPermissions(dataDir),
    ...(await checkPrivacy(dataDir, folder.mode)),
    await checkFreeSpace(dataDir),
    await checkSecrets(dataDir),
  ]
}

/** Checks the folder and its parts, which may belong to another user after a copy was put back. */
async function checkPermissions(dataDir: string): Promise<Finding> {
  const { R_OK, W_OK, X_OK } = constants
  const media = join(dataDir, 'media')
  try {
    await access(dataDir, R_OK | W_OK | X_OK)
    const folders = (await readdirIfExists(media)).map((name) => join(media, name))
    for (const folder of [media, join(dataDir, 'uploads'), ...folders])
      await access(folder, R_OK | W_OK | X_OK).catch(ignoreMissing)
    await access(join(dataDir, 'secrets.json'), R_OK).catch(ignoreMissing)
    return ok(`the data folder ${dataDir} is writable`)
  } catch (err) {
    const remedy =
      (err as NodeJS.ErrnoException).code === 'EROFS'
        ? 'mount the file system for writing; the system makes it read-only after an error of the disk'
        : 'run Linnet as the user who owns it, or give it to this user with chown -R'
    return problem(`the data folder is not writable: ${errorMessageOf(err)}`, remedy)
  }
}

async function readdirIfExists(folder: string): Promise<string[]> {
  return readdir(folder).catch((err: NodeJS.ErrnoException) => {
    ignoreMissing(err)
    return []
  })
}

function ignoreMissing(err: NodeJS.ErrnoException): void {
  if (err.code !== 'ENOENT') throw err
}

/** Checks the permissions of other users. The next start removes them if the folder has only Linnet's files. */
async function checkPrivacy(dataDir: string, mode: number): Promise<Finding[]> {
  if ((mode & 0o066) === 0) return []
  const text = `other users can list the data folder ${dataDir} (mode ${(mode & 0o777).toString(8)})`
  if (await containsOnlyLinnetFiles(dataDir)) return [warning(text, 'the next start removes these permissions')]
  return [warning(text, `move the files of other programs, or run chmod go-rw ${dataDir}`)]
}

async function checkFreeSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const text = `${free < 10_000 * MB ? `${Math.round(free / MB)} MB` : `${Math.round(free / MB / 1024)} GB`} of disk space are free`
  if (free < MIN_FREE_BYTES) return problem(text, 'free disk space now: the database stops without it')
  return free < LOW_FREE_BYTES ? warning(text, 'media and the database grow') : ok(text)
}

async function checkSecrets(dataDir: string): Promise<Finding> {
  const path = join(dataDir, 'secrets.json')
  const file = await stat(path).catch(() => null)
  if (file === null) return warning('there are no secrets yet', 'the first start generates them')
  const mode = file.mode & 0o777
  if ((mode & 0o077) === 0) return ok('only their owner can read the secrets')
  return problem(`other users can read ${path} (mode ${mode.toString(8)})`, `run chmod 600 ${path}`)
}
