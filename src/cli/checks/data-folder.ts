import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { isLinnetsAlone } from '../../platform/data-folder.ts'
import { care, fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

const MB = 1024 * 1024
/** Below this the database may stop at any moment. */
const LEAST_FREE_BYTES = 200 * MB
const LITTLE_FREE_BYTES = 2_000 * MB

/** The folder of the database, the media and the secrets. */
export async function checkDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const folder = await stat(dataDir).catch(() => null)
  if (folder === null) return [care(`the data folder ${dataDir} does not exist yet`, 'the first start creates it')]
  return [
    await checkRights(dataDir),
    ...(await checkPrivacy(dataDir, folder.mode)),
    await checkRoom(dataDir),
    await checkSecrets(dataDir),
  ]
}

async function checkRights(dataDir: string): Promise<Finding> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return fine(`the data folder ${dataDir} is writable`)
  } catch (err) {
    return trouble(`the data folder is not writable: ${reasonOf(err)}`, 'run Linnet as the user who owns it')
  }
}

/** The next start closes what only Linnet uses; here stays what it does not dare to close. */
async function checkPrivacy(dataDir: string, mode: number): Promise<Finding[]> {
  if ((mode & 0o066) === 0) return []
  const text = `other users can list the data folder ${dataDir} (mode ${(mode & 0o777).toString(8)})`
  if (await isLinnetsAlone(dataDir)) return [care(text, 'the next start removes these permissions')]
  return [care(text, `move the files of other programs, or run chmod go-rw ${dataDir}`)]
}

async function checkRoom(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const text = `${free < 10_000 * MB ? `${Math.round(free / MB)} MB` : `${Math.round(free / MB / 1024)} GB`} of disk space are free`
  if (free < LEAST_FREE_BYTES) return trouble(text, 'free disk space now: the database stops without it')
  return free < LITTLE_FREE_BYTES ? care(text, 'media and the database grow') : fine(text)
}

async function checkSecrets(dataDir: string): Promise<Finding> {
  const path = join(dataDir, 'secrets.json')
  const file = await stat(path).catch(() => null)
  if (file === null) return care('there are no secrets yet', 'the first start generates them')
  const mode = file.mode & 0o777
  if ((mode & 0o077) === 0) return fine('only their owner can read the secrets')
  return trouble(`other users can read ${path} (mode ${mode.toString(8)})`, `run chmod 600 ${path}`)
}
