import { extractHashtags } from '../../../lib/text/entities/extract-entities.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { ensureTags } from '../../tags/ensure-tags.ts'
import { countTagUses, markTagsListed } from '../../tags/count-tag-uses.ts'

const attachTags = statement<{ params: { statusId: string; tagIds: readonly string[] } }>(
  `insert into status_tags (status_id, tag_id) select $statusId, id from unnest($tagIds::bigint[]) id
    on conflict do nothing`,
)
const detachTags = statement<{ params: { statusId: string; tagIds: readonly string[] } }>(
  `delete from status_tags where status_id = $statusId and not tag_id = any($tagIds::bigint[])`,
)

interface TaggedStatus {
  statusId: string
  /** Normalised name → the name as written. */
  tags: ReadonlyMap<string, string>
}

/** Returns the hashtags of a text, each one in its first spelling, by normalised name. */
export function hashtagsOf(text: string): Map<string, string> {
  return new Map(
    extractHashtags(text)
      .toReversed()
      .map(({ name, display }) => [name, display]),
  )
}

/** Adds hashtags to a new status, creates those that do not exist yet, and counts their use if the status is public. */
export async function tagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  if (tags.size === 0) return
  const { tagIds, unusedIds } = await ensureStatusTags(tx, tags)
  await attachTags(tx.db, { statusId, tagIds })
  await countTagUses(tx, { statusId, tagIds, unusedIds })
}

/** Replaces the hashtags of an edited or imported status, which is not a new use of its hashtags. */
export async function retagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  const { tagIds, unusedIds } = await ensureStatusTags(tx, tags)
  await detachTags(tx.db, { statusId, tagIds })
  if (tagIds.length === 0) return
  await attachTags(tx.db, { statusId, tagIds })
  await markTagsListed(tx, { statusId, tagIds: unusedIds })
}

async function ensureStatusTags(
  tx: Tx,
  tags: ReadonlyMap<string, string>,
): Promise<{ tagIds: string[]; unusedIds: string[] }> {
  const rows = await ensureTags(tx, { tags })
  return { tagIds: rows.map((row) => row.id), unusedIds: rows.filter((row) => row.is_unused).map((row) => row.id) }
}
