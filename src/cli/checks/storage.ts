import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Config } from '../../platform/config.ts'
import { lookupBySystem } from '../../platform/fetch/lookup.ts'
import { createFetcher } from '../../platform/fetch.ts'
import { openStorage } from '../../platform/storage/open.ts'
import { fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

/** Whether files can be kept in the bucket, and everybody finds them. The data folder has a look of its own. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  const { s3 } = config
  if (s3 === null) return []
  const place = `the bucket ${s3.bucket} at ${s3.endpoint ?? `Amazon's ${s3.region}`}`
  const storage = openStorage(config)
  const key = `doctor/${randomBytes(16).toString('hex')}.png`
  try {
    await storage.put({ key, body: Buffer.from(key), contentType: 'image/png' })
    const file = await storage.open({ key })
    if (file === null || (await text(file.stream)) !== key) throw new Error('a written file cannot be read')
    const alias = s3.aliasUrl === null ? [] : [await checkAlias(config, { url: config.filesUrl + key, body: key })]
    await storage.remove({ keys: [key] })
    return [fine(`${place} is writable`), ...alias]
  } catch (err) {
    const { cause } = err as { cause?: unknown }
    return [trouble(`${place} is not usable: ${reasonOf(cause ?? err)}`, 'check the S3_… settings')]
  }
}

async function checkAlias(config: Config, { url, body }: { url: string; body: string }): Promise<Finding> {
  const { origin, hostname, port } = new URL(url)
  // The owner says where it is, so it may be at home.
  const fetcher = createFetcher({
    allowedPrivate: ['0.0.0.0/0', '::/0'],
    testHosts: config.testHosts,
    lookup: lookupBySystem,
    ports: [80, 443, ...(port === '' ? [] : [Number(port)])],
    userAgent: `Linnet/${config.version} (+${config.origin}/)`,
  })
  try {
    const answer = await fetcher.request({ url, maxBytes: 10_000, allowHttp: true, timeoutMs: 10_000 })
    if (answer.status === 200 && answer.body.toString() === body)
      return fine(`files are publicly readable at ${origin}`)
    throw new Error(`status ${answer.status}`)
  } catch (err) {
    return trouble(
      `files are not publicly readable at ${origin}: ${reasonOf(err)}`,
      `point S3_ALIAS_HOST ${hostname} to the bucket and make its files public (S3_PERMISSION)`,
    )
  } finally {
    await fetcher.close()
  }
}
