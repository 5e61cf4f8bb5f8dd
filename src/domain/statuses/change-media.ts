import { isDeepStrictEqual } from 'node:util'
import type { Focus } from '../../lib/focus.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { checkDescription } from '../media/description.ts'
import type { Preview } from '../media/preview.ts'
import { claimMedia } from './claim-media.ts'

/** How an attachment of a status shall be; what is left out stays. */
export interface MediaChange {
  id: string
  description?: string | undefined
  /** Null leaves it as it is too. */
  focus?: Focus | null | undefined
  /** Stored already, in the place of the one that it has. */
  preview?: Preview | null | undefined
}

interface ShownMedia {
  id: string
  description: string | null
  focus: Focus | null
}

interface WantedMedia {
  /** In order, each once. */
  ids: readonly string[]
  changes: readonly MediaChange[]
}

const findShown = statement<{ params: { statusId: string }; row: ShownMedia }>(
  `select id, description, meta -> 'focus' as focus from media_attachments
   where status_id = $statusId and withdrawn_at is null order by position, id`,
)
const withdraw = statement<{ params: { statusId: string; ids: readonly string[]; now: Date } }>(
  `update media_attachments set withdrawn_at = $now
   where status_id = $statusId and withdrawn_at is null and not id = any($ids::bigint[])`,
)
const describe = statement<{
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

/** What a status shows beside its text, in order. */
export async function findShownMedia(read: Read, { statusId }: { statusId: string }): Promise<ShownMedia[]> {
  return findShown(read.db, { statusId })
}

/** Whether a status that shows these would show the same afterwards. @throws ValidationFailed */
export function isSameMedia(before: readonly ShownMedia[], { ids, changes }: WantedMedia): boolean {
  const known = new Map(before.map((one) => [one.id, one]))
  const sameFiles = isDeepStrictEqual([...known.keys()], ids)
  return sameFiles && changes.every((change) => isSameAs(known.get(change.id), change))
}

function isSameAs(before: ShownMedia | undefined, { description, focus, preview }: MediaChange): boolean {
  if (!before) return true
  if (preview) return false
  const sameWords = description === undefined || checkDescription(description) === before.description
  return sameWords && (!focus || isDeepStrictEqual(focus, before.focus))
}

/**
 * Gives an edited status these uploads, in this order. What it no longer shows its history still does.
 * @throws Unprocessable for too many, for an odd mixture, and for those that are not the author's or are taken ·
 *   ValidationFailed
 */
export async function changeMedia(
  tx: Tx,
  { statusId, accountId, ids, changes }: WantedMedia & { statusId: string; accountId: string },
): Promise<void> {
  await claimMedia(tx, { statusId, accountId, mediaIds: ids })
  await withdraw(tx.db, { statusId, ids, now: tx.now })
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
  const described = rows.length > 0 ? await describe(tx.db, { statusId, rows: JSON.stringify(rows) }) : []
  const replaced = described.filter((one) => one.old_preview_key !== one.preview_key)
  // A preview that was replaced at once by another one of the same edit is not shown either.
  const mediaKeys = [...replaced.map((one) => one.old_preview_key), ...rows.map((row) => row.preview_key)]
  if (replaced.length > 0) tx.emit('media.removed', { mediaKeys: mediaKeys.filter((key) => key !== null) })
}
