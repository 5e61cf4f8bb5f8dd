import type { Read } from '../domain/context.ts'
import type { MediaAttachment } from '../entities/media.ts'
import { NotFound } from '../lib/errors.ts'
import type { Config } from '../platform/config.ts'
import { loadMedia } from './load-statuses.ts'
import type { MediaFacts } from './load-statuses.ts'
import { proxiedMedia } from './proxied.ts'

/** The address of a stored file. */
export function fileUrl(config: Config, key: string): string {
  return config.filesUrl + key
}

/** An attachment. Of a file of another server that is no picture, video or sound, readers get its own address. */
export function presentMedia(config: Config, facts: MediaFacts): MediaAttachment {
  const { type, file_key, preview_key, remote_url, preview_remote_url } = facts
  const smallUrl = preview_remote_url ?? (type === 'image' ? remote_url : null)
  const proxied = (rendition: 'original' | 'small', remoteUrl: string | null) =>
    type === 'unknown' ? remoteUrl : proxiedMedia(config, { id: facts.id, key: facts.proxy_key, rendition, remoteUrl })
  return {
    id: facts.id,
    type,
    url: file_key === null ? proxied('original', remote_url) : fileUrl(config, file_key),
    preview_url: preview_key === null ? proxied('small', smallUrl) : fileUrl(config, preview_key),
    remote_url,
    preview_remote_url,
    text_url: null,
    meta: facts.meta,
    description: facts.description,
    blurhash: facts.blurhash,
  }
}

/** One attachment by its id. @throws NotFound */
export async function renderMedia(read: Read, { id }: { id: string }): Promise<MediaAttachment> {
  const [facts] = await loadMedia(read, { ids: [id] })
  if (!facts) throw new NotFound()
  return presentMedia(read.config, facts)
}
