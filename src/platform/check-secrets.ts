import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Queryable } from './db/connection.ts'
import { statement } from './db/statement.ts'
import { SecretsFileError } from './secrets.ts'

const findEncryptedData = statement<{ row: { exists: boolean }; notNull: 'exists' }>(
  `select exists (select from actor_keys where private_key is not null) or exists (select from totp_authenticators)
     or exists (select from push_subscriptions) or exists (select from webhooks) as exists`,
)

/**
 * Checks that the file of the secrets exists if the database contains data that were encrypted with them: `openSecrets`
 * would create new ones, with which these data cannot be decrypted. The query runs only if the file is missing.
 * @throws SecretsFileError
 */
export async function checkSecrets(db: Queryable, { dataDir }: { dataDir: string }): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  if (!(await isMissing(path))) return
  const [row] = await findEncryptedData(db)
  if (row!.exists)
    throw new SecretsFileError(
      `${path} is missing, but the database contains data that were encrypted with it: restore it from a backup, or set DATA_DIR to the folder that contains it`,
    )
}

/** Only returns true if nothing exists at the path. `openSecrets` reports why a file cannot be read. */
async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (err: NodeJS.ErrnoException) => err.code === 'ENOENT',
  )
}
