import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSecrets } from '../../../../platform/check-secrets.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { statement } from '../../../../platform/db/statement.ts'
import { openSecrets } from '../../../../platform/secrets.ts'
import { errorMessageOf, ok, problem } from './finding.ts'
import type { Finding } from './finding.ts'

/** The beginning of an encrypted value names the key with which it was encrypted. */
const countByBeginning = statement<{ row: { beginning: Buffer; count: number } }>(
  `select substring(private_key from 1 for 5) as beginning, count(*)::int as count
   from actor_keys where private_key is not null group by 1`,
)

/**
 * Checks whether the secrets of the data folder are those with which the private keys of accounts were encrypted. If no
 * account has a key yet, only reports if other data need missing secrets.
 */
export async function checkPrivateKeys(db: Queryable, { dataDir }: { dataDir: string }): Promise<Finding[]> {
  const rows = await countByBeginning(db)
  if (rows.length === 0) return checkOtherData(db, { dataDir })
  const path = join(dataDir, 'secrets.json')
  try {
    // Opening missing secrets would create new ones.
    await access(path)
    const { canDecrypt } = await openSecrets(dataDir)
    const lost = rows.filter(({ beginning }) => !canDecrypt(beginning)).reduce((sum, { count }) => sum + count, 0)
    if (lost === 0) return [ok('the private keys of the accounts can be decrypted')]
    throw new Error(`${lost} of them were encrypted with other secrets`)
  } catch (err) {
    return [
      problem(
        `the private keys of the accounts cannot be decrypted: ${errorMessageOf(err)}`,
        `restore ${path} from a backup, or run bin/linnet secrets reset if it is lost; other servers reject what these accounts send`,
      ),
    ]
  }
}

async function checkOtherData(db: Queryable, { dataDir }: { dataDir: string }): Promise<Finding[]> {
  try {
    await checkSecrets(db, { dataDir })
    return []
  } catch (err) {
    return [problem(errorMessageOf(err), 'the server does not start without it')]
  }
}
