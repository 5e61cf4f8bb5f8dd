import { extractHashtags } from '../../../lib/text/entities/extract-entities.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { ensureTags } from '../../tags/ensure-tags.ts'
import type { TagRow } from '../../tags/ensure-tags.ts'
import { countTagUses, markTags, markTagsListed, recordTagUses } from '../../tags/count-tag-uses.ts'
import type { TagUse } from '../../tags/count-tag-uses.ts'

const insertStatusTags = statement<{ params: { statusIds: readonly string[]; tagIds: readonly string[] } }>(
  `insert into status_tags (status_id, tag_id) select * from unnest($statusIds::bigint[], $tagIds::bigint[])
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
  const uses = tagIds.map((tagId) => ({ statusId, tagId }))
  await attach(tx, uses)
  if (isCounted) await recordTagUses(tx, { uses })
}

/** Adds hashtags to new statuses, creates those that do not exist yet, and counts their use by public statuses. */
export async function tagStatuses(tx: Tx, statuses: readonly TaggedStatus[]): Promise<void> {
  const { uses, unusedIds } = await ensureStatusTags(tx, statuses)
  if (uses.length === 0) return
  await attach(tx, uses)
  await countTagUses(tx, { uses, unusedIds })
}

/** Replaces the hashtags of an edited or imported status, which is not a new use of its hashtags. */
export async function retagStatus(tx: Tx, status: TaggedStatus): Promise<void> {
  const { uses, unusedIds } = await ensureStatusTags(tx, [status])
  await detachTags(tx.db, { statusId: status.statusId, tagIds: uses.map(({ tagId }) => tagId) })
  if (uses.length === 0) return
  await attach(tx, uses)
  await markTagsListed(tx, { uses: uses.filter(({ tagId }) => unusedIds.has(tagId)) })
}

async function attach(tx: Tx, uses: readonly TagUse[]): Promise<void> {
  await insertStatusTags(tx.db, {
    statusIds: uses.map(({ statusId }) => statusId),
    tagIds: uses.map(({ tagId }) => tagId),
  })
}

async function ensureStatusTags(
  tx: Tx,
  statuses: readonly TaggedStatus[],
): Promise<{ uses: TagUse[]; unusedIds: ReadonlySet<string> }> {
  // Of several spellings of a new hashtag, the first one counts.
  const tags = new Map(statuses.toReversed().flatMap((status) => [...status.tags]))
  const rows = await ensureTags(tx, { tags })
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  return {
    uses: statuses.flatMap((status) =>
      [...status.tags.keys()].map((name) => ({ statusId: status.statusId, tagId: ids.get(name)! })),
    ),
    unusedIds: new Set(rows.filter((row) => row.is_unused).map((row) => row.id)),
  }
}
