import type { Config } from '../../../../platform/config/config.ts'
import { createLog } from '../../../../platform/log/log.ts'
import { connectValkey } from '../../../../platform/connect-valkey.ts'
import { ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

/** Checks whether Valkey responds, if it is configured. */
export async function checkValkey({ redisUrl, localDomain }: Config): Promise<Finding[]> {
  if (redisUrl === null) return []
  const server = `Valkey at ${new URL(redisUrl).host}`
  try {
    const valkey = await connectValkey(redisUrl, { localDomain, log: createLog('silent') })
    valkey.close()
    return [ok(`${server} responds`)]
  } catch (err) {
    return [problem(errorMessageOf(err), 'check REDIS_URL')]
  }
}
