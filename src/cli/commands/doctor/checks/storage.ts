import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Config } from '../../../../platform/config/config.ts'
import { openStorage } from '../../../../platform/storage/open-storage.ts'
import { ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'
import { openDoctorFetcher } from './open-doctor-fetcher.ts'

/** Checks whether the bucket is writable and its files are public. `checkDataFolder` checks storage on the disk. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  const { s3 } = config
  if (s3 === null) return []
  const bucket = `the bucket ${s3.bucket} at ${s3.endpoint ?? `Amazon's ${s3.region}`}`
  const storage = openStorage(config)
  const key = `doctor/${randomBytes(16).toString('hex')}.png`
  try {
    await storage.put({ key, body: Buffer.from(key), contentType: 'image/png' })
    const file = await storage.open({ key })
    if (file === null || (await text(file.stream)) !== key) throw new Error('a written file cannot be read')
    const alias = s3.aliasUrl === null ? [] : [await checkAlias(config, { url: config.filesUrl + key, body: key })]
    await storage.remove({ keys: [key] })
    return [ok(`${bucket} is writable`), ...alias]
  } catch (err) {
    const { cause } = err as { cause?: unknown }
    return [problem(`${bucket} is not usable: ${errorMessageOf(cause ?? err)}`, 'check the S3_… settings')]
  }
}

async function checkAlias(config: Config, { url, body }: { url: string; body: string }): Promise<Finding> {
  const { origin, hostname } = new URL(url)
  const fetcher = openDoctorFetcher(config, { urls: [url] })
  try {
    const response = await fetcher.request({ url, maxBytes: 10_000, allowHttp: true, timeoutMs: 10_000 })
    if (response.status === 200 && response.body.toString() === body)
      return ok(`files are publicly readable at ${origin}`)
    throw new Error(`status ${response.status}`)
  } catch (err) {
    return problem(
      `files are not publicly readable at ${origin}: ${errorMessageOf(err)}`,
      `point S3_ALIAS_HOST ${hostname} to the bucket and make its files public (S3_PERMISSION)`,
    )
  } finally {
    await fetcher.close()
  }
}
