import type { Read } from '../domain/context.ts'
import type { MediaAttachment } from '../entities/media.ts'
import { NotFound } from '../lib/errors.ts'
import type { Config } from '../platform/config.ts'
import { loadMedia } from './load-statuses.ts'
import type { MediaFacts } from './load-statuses.ts'

/** The address of a stored file. */
export function fileUrl(config: Config, key: string): string {
  return config.filesUrl + key
}

/** An attachment; a file of another server is shown from where it lies. */
export function presentMedia(config: Config, facts: MediaFacts): MediaAttachment {
  const { file_key, preview_key, remote_url, preview_remote_url } = facts
  const fallback = facts.type === 'image' ? remote_url : null
  return {
    id: facts.id,
    type: facts.type,
    url: file_key === null ? remote_url : fileUrl(config, file_key),
    preview_url: preview_key === null ? (preview_remote_url ?? fallback) : fileUrl(config, preview_key),
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
