import { isDeepStrictEqual } from 'node:util'
import type { FocalPoint } from '../../../lib/parse-focal-point.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { checkDescription } from '../../media/uploads/check-description.ts'
import type { Preview } from '../../media/uploads/store-preview.ts'
import { claimMedia } from './claim-media.ts'

/** A change of an attachment of a status; properties that are left out do not change. */
export interface MediaChange {
  id: string
  description?: string | undefined
  /** Null does not change the focal point either. */
  focus?: FocalPoint | null | undefined
  /** A preview that is stored already and replaces the present one. */
  preview?: Preview | null | undefined
}

interface AttachedMedia {
  id: string
  description: string | null
  focus: FocalPoint | null
}

interface RevisedMedia {
  /** In order, without duplicates. */
  ids: readonly string[]
  changes: readonly MediaChange[]
}

const selectAttached = statement<{ params: { statusId: string }; row: AttachedMedia }>(
  `select id, description, meta -> 'focus' as focus from media_attachments
   where status_id = $statusId and withdrawn_at is null order by position, id`,
)
const withdrawMedia = statement<{ params: { statusId: string; ids: readonly string[]; now: Date } }>(
  `update media_attachments set withdrawn_at = $now
   where status_id = $statusId and withdrawn_at is null and not id = any($ids::bigint[])`,
)
const updateMedia = statement<{
  params: { statusId: string; rows: string }
  row: { old_preview_key: string | null; preview_key: string | null }
}>(
  `update media_attachments m
   set description = case when c.described then c.description else m.description end, meta = m.meta || c.meta,
     preview_key = coalesce(c.preview_key, m.preview_key), blurhash = coalesce(c.blurhash, m.blurhash)
   from jsonb_to_recordset($rows::jsonb) as c (id bigint, described boolean, description text, meta jsonb,
       preview_key text, blurhash text)
     join media_attachments before on before.id = c.id
   where m.id = c.id and m.status_id = $statusId and m.withdrawn_at is null
   returning before.preview_key as old_preview_key, m.preview_key`,
)

/** Returns the attachments of a status, in order. */
export async function findAttachedMedia(read: Read, { statusId }: { statusId: string }): Promise<AttachedMedia[]> {
  return selectAttached(read.db, { statusId })
}

/** Returns whether the revision leaves these attachments unchanged. @throws ValidationError for a description */
export function isSameMedia(before: readonly AttachedMedia[], { ids, changes }: RevisedMedia): boolean {
  const known = new Map(before.map((one) => [one.id, one]))
  const sameFiles = isDeepStrictEqual([...known.keys()], ids)
  return sameFiles && changes.every((change) => isUnchanged(known.get(change.id), change))
}

function isUnchanged(before: AttachedMedia | undefined, { description, focus, preview }: MediaChange): boolean {
  if (!before) return true
  if (preview) return false
  const sameDescription = description === undefined || checkDescription(description) === before.description
  return sameDescription && (!focus || isDeepStrictEqual(focus, before.focus))
}

/**
 * Sets the attachments of an edited status, in this order. Removed attachments are marked as withdrawn, because
 * versions in the history still show them.
 * @throws UnprocessableError as `claimMedia`; ValidationError for a description
 */
export async function changeMedia(
  tx: Tx,
  { statusId, accountId, ids, changes }: RevisedMedia & { statusId: string; accountId: string },
): Promise<void> {
  await claimMedia(tx, { statusId, accountId, mediaIds: ids })
  await withdrawMedia(tx.db, { statusId, ids, now: tx.now })
  const rows = changes
    .filter(({ id }) => ids.includes(id))
    .map(({ id, description, focus, preview }) => ({
      id,
      described: description !== undefined,
      description: description === undefined ? null : checkDescription(description),
      meta: { ...(focus && { focus }), ...preview?.meta },
      preview_key: preview?.key ?? null,
      blurhash: preview?.blurhash ?? null,
    }))
  const described = rows.length > 0 ? await updateMedia(tx.db, { statusId, rows: JSON.stringify(rows) }) : []
  const replaced = described.filter((one) => one.old_preview_key !== one.preview_key)
  // If one edit contains two previews for an attachment, the first one is unused and must be deleted too.
  const mediaKeys = [...replaced.map((one) => one.old_preview_key), ...rows.map((row) => row.preview_key)]
  if (replaced.length > 0) tx.emit('media.removed', { mediaKeys: mediaKeys.filter((key) => key !== null) })
}
