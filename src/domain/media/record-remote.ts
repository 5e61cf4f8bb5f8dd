import type { Focus } from '../../lib/focus.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A file of another server. It is shown by reference. */
export interface RemoteMediaFacts {
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  /** Null where nobody said. */
  mediaType: string | null
  description: string | null
  blurhash: string | null
  focus: Focus | null
  /** Pixels. */
  width: number | null
  height: number | null
  /** A smaller picture that stands for it. */
  previewUrl: string | null
}

// An attachment keeps its id as long as its URL stays the same; one that is missing now was removed.
const settle = statement<{ params: { statusId: string; accountId: string; rows: string; now: Date } }>(
  `with wanted as (
     select * from jsonb_to_recordset($rows::jsonb) as w (place smallint, type text, url text, media_type text,
       description text, blurhash text, meta jsonb, preview_url text)
   ), kept as (
     update media_attachments m set position = w.place, type = w.type, description = w.description,
       blurhash = w.blurhash, meta = w.meta, preview_remote_url = w.preview_url, withdrawn_at = null
     from wanted w where m.status_id = $statusId and m.remote_url = w.url returning m.remote_url
   ), withdrawn as (
     update media_attachments m set withdrawn_at = $now
     where m.status_id = $statusId and m.withdrawn_at is null and not exists (select from wanted w
       where w.url = m.remote_url)
   )
   insert into media_attachments (account_id, status_id, position, type, content_type, byte_size, meta, blurhash,
     description, remote_url, preview_remote_url, created_at, detached_at)
   select $accountId, $statusId, w.place, w.type, coalesce(w.media_type, 'application/octet-stream'), 0, w.meta, w.blurhash,
     w.description, w.url, w.preview_url, $now, null
   from wanted w where not exists (select from kept k where k.remote_url = w.url) order by w.place`,
)

/** Gives a status of another server these files, in this order, and no others. The same address twice is one file. */
export async function recordRemoteMedia(
  tx: Tx,
  { statusId, accountId, media }: { statusId: string; accountId: string; media: readonly RemoteMediaFacts[] },
): Promise<void> {
  const different = media.filter(({ url }, n) => media.findIndex((one) => one.url === url) === n)
  const rows = different.map((one, place) => ({
    place,
    type: one.type,
    url: one.url,
    media_type: one.mediaType,
    description: one.description,
    blurhash: one.blurhash,
    meta: describe(one),
    preview_url: one.previewUrl,
  }))
  await settle(tx.db, { statusId, accountId, rows: JSON.stringify(rows), now: tx.now })
}

/** The measures that are known, in the form that clients read. */
function describe({ width, height, focus }: RemoteMediaFacts): object {
  const original = width && height ? { width, height, size: `${width}x${height}`, aspect: width / height } : null
  return { ...(original && { original }), ...(focus && { focus }) }
}
