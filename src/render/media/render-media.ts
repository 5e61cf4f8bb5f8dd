import type { Read } from '../../domain/context.ts'
import type { MediaAttachment } from '../../entities/statuses/media.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { fitArea } from '../../platform/media/images/fit-area.ts'
import { imageLimits } from '../../platform/media/images/image-limits.ts'
import { statement } from '../../platform/db/statement.ts'
import { proxiedMedia } from './proxied-url.ts'

type MediaMeta = NonNullable<MediaAttachment['meta']>

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
  meta: MediaMeta
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
  const isReduced =
    preview_key === null && preview_remote_url === null && smallUrl !== null && config.mediaCacheBytes > 0
  return entity<MediaAttachment>({
    id: row.id,
    type,
    url: file_key === null ? proxied('original', remote_url) : fileUrl(config, file_key),
    preview_url: preview_key === null ? proxied('small', smallUrl) : fileUrl(config, preview_key),
    remote_url,
    preview_remote_url,
    text_url: null,
    meta: isReduced ? withSmallSize(row.meta) : row.meta,
    description: row.description,
    blurhash: row.blurhash,
  })
}

/**
 * Adds the size of the preview that the media proxy creates of a remote file. Clients choose between the preview and the
 * original by their widths; without the former, some load the original.
 */
function withSmallSize(meta: MediaMeta): MediaMeta {
  const { width, height } = meta.original ?? {}
  if (!width || !height) return meta
  const small = fitArea({ width, height }, { maxPixels: imageLimits.maxPreviewPixels })
  return { ...meta, small: { ...small, size: `${small.width}x${small.height}`, aspect: small.width / small.height } }
}

/** Returns one attachment. @throws NotFoundError */
export async function renderMedia(read: Read, { id }: { id: string }): Promise<MediaAttachment> {
  const [row] = await select(read.db, { id })
  if (!row) throw new NotFoundError()
  return mediaAttachment(read.config, row)
}
