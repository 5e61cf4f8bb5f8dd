import { createHash } from 'node:crypto'
import type { Config } from '../../platform/config.ts'

/** The path of proxied remote files. It names the entity that shows a file, so that no caller can have any URL fetched. */
export const PROXY_URL_PREFIX = '/media_proxy'

/** Returns the URL of a remote attachment. Ids can be guessed and keys cannot, which protects files of private posts. */
export function proxiedMedia(
  config: Config,
  {
    id,
    key,
    rendition,
    remoteUrl,
  }: { id: string; key: string; rendition: 'original' | 'small'; remoteUrl: string | null },
): string | null {
  return proxiedUrl(config, remoteUrl, () => `${id}/${rendition}?key=${key}`)
}

/** Returns the URL of a remote account's avatar or header. */
export function proxiedPicture(
  config: Config,
  { id, kind, still, remoteUrl }: { id: string; kind: 'avatar' | 'header'; still: boolean; remoteUrl: string | null },
): string | null {
  return proxiedUrl(config, remoteUrl, (version) => `accounts/${id}/${kind}${still ? '_static' : ''}?v=${version}`)
}

/** Returns the URL of a remote custom emoji. */
export function proxiedEmoji(
  config: Config,
  { id, still, remoteUrl }: { id: string; still: boolean; remoteUrl: string | null },
): string | null {
  return proxiedUrl(config, remoteUrl, (version) => `emojis/${id}/${still ? 'static' : 'original'}?v=${version}`)
}

/** Returns a local URL that changes with the remote URL; without a remote media cache, the remote URL. */
function proxiedUrl(config: Config, remoteUrl: string | null, path: (version: string) => string): string | null {
  if (remoteUrl === null || config.mediaCacheBytes === 0) return remoteUrl
  const version = createHash('sha256').update(remoteUrl).digest('hex').slice(0, 8)
  return `${config.origin}${PROXY_URL_PREFIX}/${path(version)}`
}
