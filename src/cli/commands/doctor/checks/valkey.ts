import type { Config } from '../../../../platform/config/config.ts'
import { createLog } from '../../../../platform/log/log.ts'
import { connectValkey } from '../../../../platform/connect-valkey.ts'
import { ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

/** How long the test key is stored if the check ends early. */
const TEST_KEY_MS = 10_000

/** Checks whether Valkey accepts writes, if it is configured. */
export async function checkValkey({ redisUrl, localDomain }: Config): Promise<Finding[]> {
  if (redisUrl === null) return []
  const server = `Valkey at ${new URL(redisUrl).host}`
  try {
    const valkey = await connectValkey(redisUrl, { localDomain, log: createLog('silent') })
    try {
      // Without memory or disk, or as a replica, it responds but counts no requests.
      await valkey.client.set(`${valkey.keyPrefix}doctor`, '', 'PX', TEST_KEY_MS)
      return [ok(`${server} responds`)]
    } catch (err) {
      return [problem(`${server} accepts no writes: ${errorMessageOf(err)}`, 'users cannot log in until it does')]
    } finally {
      valkey.close()
    }
  } catch (err) {
    return [problem(errorMessageOf(err), 'check REDIS_URL')]
  }
}
