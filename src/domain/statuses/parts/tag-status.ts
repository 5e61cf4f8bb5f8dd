import { extractHashtags } from '../../../lib/text/entities/extract-entities.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { ensureTags } from '../../tags/ensure-tags.ts'
import { countTagUses, markTagsListed } from '../../tags/count-tag-uses.ts'
import type { TagUse } from '../../tags/count-tag-uses.ts'

const attachTags = statement<{ params: { statusIds: readonly string[]; tagIds: readonly string[] } }>(
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

/** Adds hashtags to a new status, creates those that do not exist yet, and counts their use if the status is public. */
export async function tagStatus(tx: Tx, status: TaggedStatus): Promise<void> {
  await tagStatuses(tx, [status])
}

/** Does the same for several new statuses. */
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
  await attachTags(tx.db, { statusIds: uses.map(({ statusId }) => statusId), tagIds: uses.map(({ tagId }) => tagId) })
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
