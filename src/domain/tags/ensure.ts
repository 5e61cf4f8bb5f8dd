import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { TagName } from './name.ts'

interface Ensured {
  id: string
  /** False: it is in public use already, as far as `tags.recent_users` knows. */
  quiet: boolean
}

// Sorted, so that two transactions that make the same new tags never wait for each other in a circle.
const insertTags = statement<{ params: { names: readonly string[]; displayNames: readonly string[] }; row: Ensured }>(
  `with wanted as (
     select distinct on (name) name, display from unnest($names::text[], $displayNames::text[]) as w (name, display) order by name
   ), made as (
     insert into tags (name, display_name) select name, display from wanted order by name
     on conflict (name) do nothing returning id
   )
   select id, true as quiet from made
   union all select t.id, coalesce(t.recent_users, 0) = 0 from tags t join wanted w on w.name = t.name`,
)

/** The rows of hashtags, made where nobody wrote them before. `tags`: normalised name → the name as written. */
export async function ensureTags(tx: Tx, { tags }: { tags: ReadonlyMap<string, string> }): Promise<Ensured[]> {
  if (tags.size === 0) return []
  const values = { names: [...tags.keys()], displayNames: [...tags.values()] }
  const rows = await insertTags(tx.db, values)
  // A tag that another transaction made in between is not seen by the statement that met it; the next one sees it.
  return rows.length < tags.size ? insertTags(tx.db, values) : rows
}

/** The same for one, of which the id is enough. Comes before any lock on an account, as in a new post. */
export async function ensureTag(tx: Tx, { name, display }: TagName): Promise<string> {
  const [row] = await ensureTags(tx, { tags: new Map([[name, display]]) })
  return row!.id
}
