import type { Config } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { connectValkey } from '../../platform/valkey/connect.ts'
import { fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

/** Whether what joins the processes answers, if it is not PostgreSQL. */
export async function checkValkey({ redisUrl, localDomain }: Config): Promise<Finding[]> {
  if (redisUrl === null) return []
  const place = `Valkey at ${new URL(redisUrl).host}`
  try {
    const valkey = await connectValkey(redisUrl, { localDomain, log: createLog('silent') })
    await valkey.client.ping()
    valkey.close()
    return [fine(`${place} responds`)]
  } catch (err) {
    return [trouble(`${place} is not usable: ${reasonOf(err)}`, 'check REDIS_URL')]
  }
}
