import { extractHashtags } from '../../lib/text/extract.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { ensureTags } from '../tags/ensure.ts'
import { countTagUses, showTags } from '../tags/use.ts'

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

/** The hashtags of a text, each once, as it is written first. */
export function hashtagsOf(text: string): Map<string, string> {
  return new Map(
    extractHashtags(text)
      .toReversed()
      .map(({ name, display }) => [name, display]),
  )
}

/**
 * Connects a new status with its hashtags, and counts their use where it is public; a tag that nobody used before comes
 * into being.
 */
export async function tagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  if (tags.size === 0) return
  const { tagIds, quietIds } = await ensure(tx, tags)
  await attachTags(tx.db, { statusId, tagIds })
  await countTagUses(tx, { statusId, tagIds, quietIds })
}

/** Connects a status with these hashtags and no others. An edit is no new use of any. */
export async function retagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  const { tagIds, quietIds } = await ensure(tx, tags)
  await detachTags(tx.db, { statusId, tagIds })
  if (tagIds.length === 0) return
  await attachTags(tx.db, { statusId, tagIds })
  await showTags(tx, { statusId, tagIds: quietIds })
}

async function ensure(tx: Tx, tags: ReadonlyMap<string, string>): Promise<{ tagIds: string[]; quietIds: string[] }> {
  const rows = await ensureTags(tx, { tags })
  return { tagIds: rows.map((row) => row.id), quietIds: rows.filter((row) => row.quiet).map((row) => row.id) }
}
