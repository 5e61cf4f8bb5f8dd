import type { Config } from '../../../../platform/config/config.ts'
import { lookupWithSystemResolver } from '../../../../platform/fetch/create-lookup.ts'
import { createFetcher } from '../../../../platform/fetch/fetcher.ts'
import type { Fetcher } from '../../../../platform/fetch/fetcher.ts'

/** Creates a fetcher for these URLs of the settings. An administrator wrote them, so they may be private. */
export function openDoctorFetcher(
  { testHosts, version, origin }: Config,
  { urls, extraCa }: { urls: readonly string[]; extraCa?: string | undefined },
): Fetcher {
  const ports = urls.map((url) => Number(new URL(url).port)).filter((port) => port !== 0)
  return createFetcher({
    allowedPrivate: ['0.0.0.0/0', '::/0'],
    testHosts,
    extraCa,
    lookup: lookupWithSystemResolver,
    ports: [80, 443, ...ports],
    userAgent: `Linnet/${version} (+${origin}/)`,
  })
}
