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

/** The media attachments of a remote status, in their order. */
interface MediaOfStatus {
  statusId: string
  accountId: string
  media: readonly RemoteMediaFacts[]
}

// An attachment keeps its id as long as its URL stays the same; one that is missing now was removed.
const syncMedia = statement<{ params: { statusIds: readonly string[]; rows: string; now: Date } }>(
  `with given as (
     select * from jsonb_to_recordset($rows::jsonb) as g (status_id bigint, account_id bigint, position smallint,
       type text, url text, media_type text, description text, blurhash text, meta jsonb, preview_url text)
   ), updated as (
     update media_attachments m set position = g.position, type = g.type, description = g.description,
       blurhash = g.blurhash, meta = g.meta, preview_remote_url = g.preview_url, withdrawn_at = null
     from given g where m.status_id = g.status_id and m.remote_url = g.url returning m.status_id, m.remote_url
   ), withdrawn as (
     update media_attachments m set withdrawn_at = $now
     where m.status_id = any($statusIds::bigint[]) and m.withdrawn_at is null and not exists (select from given g
       where g.status_id = m.status_id and g.url = m.remote_url)
   )
   insert into media_attachments (account_id, status_id, position, type, content_type, byte_size, meta, blurhash,
     description, remote_url, preview_remote_url, created_at, detached_at)
   select g.account_id, g.status_id, g.position, g.type, coalesce(g.media_type, 'application/octet-stream'), 0, g.meta,
     g.blurhash, g.description, g.url, g.preview_url, $now, null
   from given g where not exists (select from updated u where u.status_id = g.status_id and u.remote_url = g.url)
   order by g.status_id, g.position`,
)

/** Replaces the media attachments of remote statuses by these. A URL that occurs twice in a status counts once. */
export async function recordRemoteMedia(tx: Tx, statuses: readonly MediaOfStatus[]): Promise<void> {
  const rows = statuses.flatMap(({ statusId, accountId, media }) => {
    const distinct = media.filter(({ url }, n) => media.findIndex((other) => other.url === url) === n)
    return distinct.map((attachment, position) => ({
      status_id: statusId,
      account_id: accountId,
      position,
      type: attachment.type,
      url: attachment.url,
      media_type: attachment.mediaType,
      description: attachment.description,
      blurhash: attachment.blurhash,
      meta: describe(attachment),
      preview_url: attachment.previewUrl,
    }))
  })
  const statusIds = statuses.map(({ statusId }) => statusId)
  await syncMedia(tx.db, { statusIds, rows: JSON.stringify(rows), now: tx.now })
}

/** Returns the known dimensions and focal point in the form of `meta` in Mastodon's MediaAttachment entity. */
function describe({ width, height, focus }: RemoteMediaFacts): object {
  const original = width && height ? { width, height, size: `${width}x${height}`, aspect: width / height } : null
  return { ...(original && { original }), ...(focus && { focus }) }
}
