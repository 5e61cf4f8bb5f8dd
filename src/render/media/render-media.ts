import type { Read } from '../../domain/context.ts'
import type { MediaAttachment } from '../../entities/statuses/media.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { proxiedMedia } from './proxied-url.ts'

export interface MediaRow {
  id: string
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  /** Null for a file on another server. */
  file_key: string | null
  preview_key: string | null
  remote_url: string | null
  preview_remote_url: string | null
  /** The secret in the URL of a proxied file; 32 hexadecimal digits. */
  proxy_key: string
  meta: object
  description: string | null
  blurhash: string | null
}

/** An SQL expression with the `MediaRow` of the attachment `m` as JSON. */
export const MEDIA_JSON = `jsonb_build_object('id', m.id::text, 'type', m.type, 'file_key', m.file_key,
  'preview_key', m.preview_key, 'remote_url', m.remote_url, 'preview_remote_url', m.preview_remote_url,
  'proxy_key', replace(m.proxy_key::text, '-', ''), 'meta', m.meta,
  'description', m.description, 'blurhash', m.blurhash)`

const select = statement<{ params: { id: string }; row: MediaRow }>(
  `select m.id, m.type, case when m.state = 'ready' then m.file_key end as file_key, m.preview_key, m.remote_url, m.preview_remote_url,
     replace(m.proxy_key::text, '-', '') as proxy_key, m.meta, m.description, m.blurhash
   from media_attachments m where m.id = $id`,
)

/** Returns the URL of a stored file. */
export function fileUrl(config: Config, key: string): string {
  return config.filesUrl + key
}

/** Returns an attachment. A remote file that is neither image, video nor audio keeps its remote URL. */
export function mediaAttachment(config: Config, row: MediaRow): MediaAttachment {
  const { type, file_key, preview_key, remote_url, preview_remote_url } = row
  // Clients discard a video without a preview, so there is always one: the media proxy generates it if necessary.
  const smallUrl = preview_remote_url ?? (type === 'audio' || type === 'unknown' ? null : remote_url)
  const proxied = (rendition: 'original' | 'small', remoteUrl: string | null) =>
    type === 'unknown' ? remoteUrl : proxiedMedia(config, { id: row.id, key: row.proxy_key, rendition, remoteUrl })
  return entity<MediaAttachment>({
    id: row.id,
    type,
    url: file_key === null ? proxied('original', remote_url) : fileUrl(config, file_key),
    preview_url: preview_key === null ? proxied('small', smallUrl) : fileUrl(config, preview_key),
    remote_url,
    preview_remote_url,
    text_url: null,
    meta: row.meta,
    description: row.description,
    blurhash: row.blurhash,
  })
}

/** Returns one attachment. @throws NotFoundError */
export async function renderMedia(read: Read, { id }: { id: string }): Promise<MediaAttachment> {
  const [row] = await select(read.db, { id })
  if (!row) throw new NotFoundError()
  return mediaAttachment(read.config, row)
}
