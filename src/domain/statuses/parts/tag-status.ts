import { extractHashtags } from '../../../lib/text/entities/extract-entities.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { ensureTags } from '../../tags/ensure-tags.ts'
import type { TagRow } from '../../tags/ensure-tags.ts'
import { countTagUses, markTags, markTagsListed, recordTagUses } from '../../tags/count-tag-uses.ts'

const insertStatusTags = statement<{ params: { statusId: string; tagIds: readonly string[] } }>(
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

/**
 * Creates the missing hashtags of a status that will be posted, and marks them as used (`reach` `counted`) or as findable
 * by everyone (`listed`). Returns their ids for `attachTags`. Call it before the transaction locks counters: the rows of
 * hashtags are locked first.
 */
export async function prepareTags(
  tx: Tx,
  { tags, reach }: { tags: TaggedStatus['tags']; reach: 'counted' | 'listed' | 'hidden' },
): Promise<string[]> {
  const rows = await ensureTags(tx, { tags })
  const unused = reach === 'hidden' ? [] : rows.filter((tag) => tag.is_unused)
  const isUsed = (tag: TagRow) => reach === 'counted' && tag.usable
  await markTags(tx, {
    usedIds: unused.filter(isUsed).map(({ id }) => id),
    listedIds: unused.filter((tag) => !isUsed(tag)).map(({ id }) => id),
  })
  return rows.map(({ id }) => id)
}

/** Adds the hashtags of `prepareTags` to the status, and counts their use if they are counted. */
export async function attachTags(
  tx: Tx,
  { statusId, tagIds, isCounted }: { statusId: string; tagIds: readonly string[]; isCounted: boolean },
): Promise<void> {
  if (tagIds.length === 0) return
  await insertStatusTags(tx.db, { statusId, tagIds })
  if (isCounted) await recordTagUses(tx, { statusId, tagIds })
}

/** Adds hashtags to a new status, creates those that do not exist yet, and counts their use if the status is public. */
export async function tagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  if (tags.size === 0) return
  const { tagIds, unusedIds } = await ensureStatusTags(tx, tags)
  await insertStatusTags(tx.db, { statusId, tagIds })
  await countTagUses(tx, { statusId, tagIds, unusedIds })
}

/** Replaces the hashtags of an edited or imported status, which is not a new use of its hashtags. */
export async function retagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  const { tagIds, unusedIds } = await ensureStatusTags(tx, tags)
  await detachTags(tx.db, { statusId, tagIds })
  if (tagIds.length === 0) return
  await insertStatusTags(tx.db, { statusId, tagIds })
  await markTagsListed(tx, { statusId, tagIds: unusedIds })
}

async function ensureStatusTags(
  tx: Tx,
  tags: ReadonlyMap<string, string>,
): Promise<{ tagIds: string[]; unusedIds: string[] }> {
  const rows = await ensureTags(tx, { tags })
  return { tagIds: rows.map((row) => row.id), unusedIds: rows.filter((row) => row.is_unused).map((row) => row.id) }
}
