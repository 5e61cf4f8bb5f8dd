import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createPublicKey, verify } from 'node:crypto'
import type { Config } from '../../../../platform/config/config.ts'
import { openSecrets } from '../../../../platform/secrets.ts'
import { ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

const TEST_MESSAGE = 'linnet doctor'

/** Checks the web push key. Returns nothing without secrets, which `checkDataFolder` reports. */
export async function checkPush({ dataDir }: Config): Promise<Finding[]> {
  const path = join(dataDir, 'secrets.json')
  if (
    !(await access(path).then(
      () => true,
      () => false,
    ))
  )
    return []
  try {
    const { vapidPublicKey, signVapid } = await openSecrets(dataDir)
    const point = Buffer.from(vapidPublicKey, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
    if (verify('sha256', Buffer.from(TEST_MESSAGE), { key, dsaEncoding: 'ieee-p1363' }, signVapid(TEST_MESSAGE)))
      return [ok('the web push key is valid')]
    throw new Error('private and public key do not match')
  } catch (err) {
    return [
      problem(
        `the web push key is not usable: ${errorMessageOf(err)}`,
        `restore ${path} from a backup: push subscriptions use its public key`,
      ),
    ]
  }
}
