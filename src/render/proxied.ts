import { createHash } from 'node:crypto'
import type { Config } from '../platform/config.ts'

/** Where files of other servers are found here: by what shows them, so that nobody makes us ask at any address. */
export const PROXY_URL_PREFIX = '/media_proxy'

/** Ids can be guessed, keys can not: a file of a private post is opened by its key alone. */
export function proxiedMedia(
  config: Config,
  {
    id,
    key,
    rendition,
    remoteUrl,
  }: { id: string; key: string; rendition: 'original' | 'small'; remoteUrl: string | null },
): string | null {
  return hereOrThere(config, remoteUrl, () => `${id}/${rendition}?key=${key}`)
}

/** A picture of somebody elsewhere. */
export function proxiedPicture(
  config: Config,
  { id, kind, still, remoteUrl }: { id: string; kind: 'avatar' | 'header'; still: boolean; remoteUrl: string | null },
): string | null {
  return hereOrThere(config, remoteUrl, (version) => `accounts/${id}/${kind}${still ? '_static' : ''}?v=${version}`)
}

/** A custom emoji of elsewhere. */
export function proxiedEmoji(
  config: Config,
  { id, still, remoteUrl }: { id: string; still: boolean; remoteUrl: string | null },
): string | null {
  return hereOrThere(config, remoteUrl, (version) => `emojis/${id}/${still ? 'static' : 'original'}?v=${version}`)
}

/** An address here, which is another one when the address there is; without a cache, the address there. */
function hereOrThere(config: Config, remoteUrl: string | null, path: (version: string) => string): string | null {
  if (remoteUrl === null || config.mediaCacheBytes === 0) return remoteUrl
  const version = createHash('sha256').update(remoteUrl).digest('hex').slice(0, 8)
  return `${config.origin}${PROXY_URL_PREFIX}/${path(version)}`
}
