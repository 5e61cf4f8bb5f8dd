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

/** Connects a status with the hashtags of its text; a tag that nobody used before comes into being. */
export async function tagStatus(tx: Tx, { statusId, text }: { statusId: string; text: string }): Promise<void> {
  const tags = extractHashtags(text)
  if (tags.length === 0) return
  const values = [tags.map((tag) => tag.name), tags.map((tag) => tag.display)]
  let rows = await insertTags(tx.db, values)
  // A tag that another transaction made in between is not seen by the statement that met it; the next one sees it.
  if (rows.length < new Set(values[0]).size) rows = await insertTags(tx.db, values)
  await attachTags(tx.db, [statusId, rows.map((row) => row.id)])
}
