import { extractHashtags } from '../../../lib/text/entities/extract-entities.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { ensureTags } from '../../tags/ensure-tags.ts'
import { countTagUses, markTags, markTagsListed, recordTagUses } from '../../tags/count-tag-uses.ts'
import type { TagUse } from '../../tags/count-tag-uses.ts'

const insertStatusTags = statement<{
  params: { statusIds: readonly string[]; tagIds: readonly string[]; local: boolean }
  row: { tag_id: string }
}>(
  `insert into status_tags (status_id, tag_id, local)
   select status_id, tag_id, $local from unnest($statusIds::bigint[], $tagIds::bigint[]) as use (status_id, tag_id)
   on conflict do nothing returning tag_id`,
)
const detachTags = statement<{
  params: { statusId: string; tagIds: readonly string[] }
  row: { tag_id: string }
}>(`delete from status_tags where status_id = $statusId and not tag_id = any($tagIds::bigint[]) returning tag_id`)

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
 * Who learns of a hashtag from a status: its use counts (`counted`), everyone can find it (`listed`), or it stays
 * hidden.
 */
export type TagReach = 'counted' | 'listed' | 'hidden'

/**
 * Creates the missing hashtags of statuses that will be posted, and marks them as used or as findable by everyone.
 * Returns the ids of the hashtags of each status, for `attachTags`. Call it before the transaction locks counters: the
 * rows of hashtags are locked first.
 */
export async function prepareTags(
  tx: Tx,
  statuses: readonly { tags: TaggedStatus['tags']; reach: TagReach }[],
): Promise<string[][]> {
  const rows = new Map((await ensureTags(tx, { tags: namesOf(statuses) })).map((tag) => [tag.name, tag]))
  const rowsOf = ({ tags }: Pick<TaggedStatus, 'tags'>) => [...tags.keys()].map((name) => rows.get(name)!)
  const unused = statuses.flatMap(({ tags, reach }) =>
    reach === 'hidden' ? [] : rowsOf({ tags }).flatMap((tag) => (tag.is_unused ? [{ tag, reach }] : [])),
  )
  const idsOf = (isUsed: boolean) =>
    unused.filter(({ tag, reach }) => (reach === 'counted' && tag.usable) === isUsed).map(({ tag }) => tag.id)
  await markTags(tx, { usedIds: idsOf(true), listedIds: idsOf(false) })
  return statuses.map((status) => rowsOf(status).map(({ id }) => id))
}

/** Adds the hashtags of `prepareTags` to new local statuses, and counts the uses by those whose uses count. */
export async function attachTags(
  tx: Tx,
  statuses: readonly { statusId: string; tagIds: readonly string[]; reach: TagReach }[],
): Promise<void> {
  const uses = statuses.flatMap(({ statusId, tagIds, reach }) => tagIds.map((tagId) => ({ statusId, tagId, reach })))
  if (uses.length === 0) return
  const counted = uses.filter(({ reach }) => reach === 'counted')
  await Promise.all([attach(tx, { uses, local: true }), counted.length > 0 && recordTagUses(tx, { uses: counted })])
}

/** Adds hashtags to new remote statuses, creates those that do not exist yet, and counts their use by public statuses. */
export async function tagStatuses(tx: Tx, statuses: readonly TaggedStatus[]): Promise<void> {
  const { uses, unusedIds } = await ensureStatusTags(tx, statuses)
  if (uses.length === 0) return
  await attach(tx, { uses, local: false })
  await countTagUses(tx, { uses, unusedIds })
}

/**
 * Replaces the hashtags of an edited or imported status, which is not a new use of its hashtags. Returns whether they
 * were others.
 */
export async function retagStatus(tx: Tx, { local, ...status }: TaggedStatus & { local: boolean }): Promise<boolean> {
  const { uses, unusedIds } = await ensureStatusTags(tx, [status])
  const detached = await detachTags(tx.db, { statusId: status.statusId, tagIds: uses.map(({ tagId }) => tagId) })
  if (uses.length === 0) return detached.length > 0
  const attached = await attach(tx, { uses, local })
  await markTagsListed(tx, { uses: uses.filter(({ tagId }) => unusedIds.has(tagId)) })
  return detached.length + attached.length > 0
}

/** `local`: whether the statuses are local. */
async function attach(
  tx: Tx,
  { uses, local }: { uses: readonly TagUse[]; local: boolean },
): Promise<{ tag_id: string }[]> {
  return insertStatusTags(tx.db, {
    local,
    statusIds: uses.map(({ statusId }) => statusId),
    tagIds: uses.map(({ tagId }) => tagId),
  })
}

async function ensureStatusTags(
  tx: Tx,
  statuses: readonly TaggedStatus[],
): Promise<{ uses: TagUse[]; unusedIds: ReadonlySet<string> }> {
  const rows = await ensureTags(tx, { tags: namesOf(statuses) })
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  return {
    uses: statuses.flatMap((status) =>
      [...status.tags.keys()].map((name) => ({ statusId: status.statusId, tagId: ids.get(name)! })),
    ),
    unusedIds: new Set(rows.filter((row) => row.is_unused).map((row) => row.id)),
  }
}

/** Returns the hashtags of all statuses. Of several spellings of a new hashtag, the first one counts. */
function namesOf(statuses: readonly Pick<TaggedStatus, 'tags'>[]): Map<string, string> {
  return new Map(statuses.toReversed().flatMap(({ tags }) => [...tags]))
}
