import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Queryable } from './db/connection.ts'
import { statement } from './db/statement.ts'
import { openSecrets, SecretsFileError } from './secrets.ts'

const findEncryptedData = statement<{ row: { exists: boolean }; notNull: 'exists' }>(
  `select exists (select from actor_keys where private_key is not null) or exists (select from totp_authenticators)
     or exists (select from push_subscriptions) or exists (select from webhooks) as exists`,
)

// The number of users limits the time on large servers.
const sampleKeys = statement<{ row: { beginning: Buffer } }>(
  `select substring(k.private_key from 1 for 5) as beginning
   from (select account_id from users order by id limit 1000) u
     join actor_keys k on k.account_id = u.account_id and k.private_key is not null
   limit 20`,
)

const REMEDY =
  'restore it from a backup, or set DATA_DIR to the folder that contains it; if it is lost, run bin/linnet secrets reset'

/**
 * Checks that the file of the secrets exists if the database contains data that were encrypted with them: `openSecrets`
 * would create new ones, with which these data cannot be decrypted. Also checks that an existing file is not that of
 * another server: new accounts would get keys that the right file cannot decrypt. A file that can decrypt some keys is
 * accepted.
 * @throws SecretsFileError
 */
export async function checkSecrets(db: Queryable, { dataDir }: { dataDir: string }): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  if (await isMissing(path)) {
    const [row] = await findEncryptedData(db)
    if (row!.exists)
      throw new SecretsFileError(
        `${path} is missing, but the database contains data that were encrypted with it: ${REMEDY}`,
      )
    return
  }
  const keys = await sampleKeys(db)
  if (keys.length === 0) return
  const { canDecrypt } = await openSecrets(dataDir)
  if (!keys.some(({ beginning }) => canDecrypt(beginning)))
    throw new SecretsFileError(
      `${path} is not the file with which the keys of the accounts in the database were encrypted: ${REMEDY}`,
    )
}

/** Only returns true if nothing exists at the path. `openSecrets` reports why a file cannot be read. */
async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (err: NodeJS.ErrnoException) => err.code === 'ENOENT',
  )
}
