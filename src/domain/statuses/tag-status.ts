import { extractHashtags } from '../../lib/text/extract.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

// Sorted, so that two posts that make the same new tags never wait for each other in a circle.
const insertTags = statement<{ id: string }>(
  `with wanted as (
     select distinct on (name) name, display from unnest($1::text[], $2::text[]) as w (name, display) order by name
   ), made as (
     insert into tags (name, display_name) select name, display from wanted order by name
     on conflict (name) do nothing returning id, name
   )
   select id from made union all select t.id from tags t join wanted w on w.name = t.name`,
)

const attachTags = statement(
  `insert into status_tags (status_id, tag_id) select $1, id from unnest($2::bigint[]) id on conflict do nothing`,
)
const detachTags = statement(`delete from status_tags where status_id = $1 and not tag_id = any($2::bigint[])`)

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

/** Connects a new status with its hashtags; a tag that nobody used before comes into being. */
export async function tagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  if (tags.size > 0) await attachTags(tx.db, [statusId, await ensureTags(tx, tags)])
}

/** Connects a status with these hashtags and no others. */
export async function retagStatus(tx: Tx, { statusId, tags }: TaggedStatus): Promise<void> {
  const ids = await ensureTags(tx, tags)
  await detachTags(tx.db, [statusId, ids])
  if (ids.length > 0) await attachTags(tx.db, [statusId, ids])
}

async function ensureTags(tx: Tx, tags: ReadonlyMap<string, string>): Promise<string[]> {
  if (tags.size === 0) return []
  const values = [[...tags.keys()], [...tags.values()]]
  let rows = await insertTags(tx.db, values)
  // A tag that another transaction made in between is not seen by the statement that met it; the next one sees it.
  if (rows.length < tags.size) rows = await insertTags(tx.db, values)
  return rows.map((row) => row.id)
}
