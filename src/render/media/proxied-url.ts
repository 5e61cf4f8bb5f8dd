import { createHash } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'

/** Path prefix of proxied remote files. Paths contain ids of entities, so that callers cannot make it fetch any URL. */
export const PROXY_URL_PREFIX = '/media_proxy'

/** Returns the URL of a remote attachment. Keys, unlike ids, cannot be guessed, which protects private files. */
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
export function proxiedProfileImage(
  config: Config,
  { id, kind, still, remoteUrl }: { id: string; kind: 'avatar' | 'header'; still: boolean; remoteUrl: string | null },
): string | null {
  return proxiedUrl(config, remoteUrl, (version) => `accounts/${id}/${kind}${still ? '_static' : ''}?v=${version}`)
}

/** Returns the URL of a remote custom emoji, which changes when its server states a later change of the image. */
export function proxiedEmoji(
  config: Config,
  { id, still, remoteUrl, updatedAt }: { id: string; still: boolean; remoteUrl: string | null; updatedAt: Date },
): string | null {
  const path = (version: string) => `emojis/${id}/${still ? 'static' : 'original'}?v=${version}`
  return proxiedUrl(config, remoteUrl, path, String(updatedAt.getTime()))
}

/**
 * Returns a local URL that changes with the remote URL and the revision of its content; without a remote media cache,
 * the remote URL.
 */
function proxiedUrl(
  config: Config,
  remoteUrl: string | null,
  path: (version: string) => string,
  revision = '',
): string | null {
  if (remoteUrl === null || config.mediaCacheBytes === 0) return remoteUrl
  const version = createHash('sha256')
    .update(remoteUrl + revision)
    .digest('hex')
    .slice(0, 8)
  return `${config.origin}${PROXY_URL_PREFIX}/${path(version)}`
}
