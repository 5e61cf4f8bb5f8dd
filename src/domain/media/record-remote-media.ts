import type { FocalPoint } from '../../lib/parse-focal-point.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A remote media attachment. Its file stays on its server; clients get it through the media cache. */
export interface RemoteMediaFacts {
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  /** Null: not stated. */
  mediaType: string | null
  description: string | null
  blurhash: string | null
  focus: FocalPoint | null
  /** Pixels. */
  width: number | null
  height: number | null
  /** A smaller preview image. */
  previewUrl: string | null
}

// An attachment keeps its id as long as its URL stays the same; one that is missing now was removed.
const syncMedia = statement<{ params: { statusId: string; accountId: string; rows: string; now: Date } }>(
  `with given as (
     select * from jsonb_to_recordset($rows::jsonb) as g (position smallint, type text, url text, media_type text,
       description text, blurhash text, meta jsonb, preview_url text)
   ), updated as (
     update media_attachments m set position = g.position, type = g.type, description = g.description,
       blurhash = g.blurhash, meta = g.meta, preview_remote_url = g.preview_url, withdrawn_at = null
     from given g where m.status_id = $statusId and m.remote_url = g.url returning m.remote_url
   ), withdrawn as (
     update media_attachments m set withdrawn_at = $now
     where m.status_id = $statusId and m.withdrawn_at is null and not exists (select from given g
       where g.url = m.remote_url)
   )
   insert into media_attachments (account_id, status_id, position, type, content_type, byte_size, meta, blurhash,
     description, remote_url, preview_remote_url, created_at, detached_at)
   select $accountId, $statusId, g.position, g.type, coalesce(g.media_type, 'application/octet-stream'), 0, g.meta, g.blurhash,
     g.description, g.url, g.preview_url, $now, null
   from given g where not exists (select from updated u where u.remote_url = g.url) order by g.position`,
)

/** Replaces the media attachments of a remote status by these, in this order. A URL that occurs twice counts once. */
export async function recordRemoteMedia(
  tx: Tx,
  { statusId, accountId, media }: { statusId: string; accountId: string; media: readonly RemoteMediaFacts[] },
): Promise<void> {
  const distinct = media.filter(({ url }, n) => media.findIndex((other) => other.url === url) === n)
  const rows = distinct.map((attachment, position) => ({
    position,
    type: attachment.type,
    url: attachment.url,
    media_type: attachment.mediaType,
    description: attachment.description,
    blurhash: attachment.blurhash,
    meta: describe(attachment),
    preview_url: attachment.previewUrl,
  }))
  await syncMedia(tx.db, { statusId, accountId, rows: JSON.stringify(rows), now: tx.now })
}

/** Returns the known dimensions and focal point in the form of `meta` in Mastodon's MediaAttachment entity. */
function describe({ width, height, focus }: RemoteMediaFacts): object {
  const original = width && height ? { width, height, size: `${width}x${height}`, aspect: width / height } : null
  return { ...(original && { original }), ...(focus && { focus }) }
}
