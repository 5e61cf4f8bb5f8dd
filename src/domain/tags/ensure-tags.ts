import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { TagName } from './tag-name.ts'

/** A hashtag. */
export interface TagRow {
  id: string
  /** Normalised. */
  name: string
  /** Whether `tags.recent_users` shows no public use. */
  is_unused: boolean
  /** Whether the staff permit its use. */
  usable: boolean
}

// Sorted, so that two transactions that insert the same new hashtags cannot deadlock.
const insertTags = statement<{ params: { names: readonly string[]; displayNames: readonly string[] }; row: TagRow }>(
  `with requested as (
     select distinct on (name) name, display from unnest($names::text[], $displayNames::text[]) as w (name, display) order by name
   ), created as (
     insert into tags (name, display_name) select name, display from requested order by name
     on conflict (name) do nothing returning id, name
   )
   select id, name, true as is_unused, true as usable from created
   union all select t.id, t.name, coalesce(t.recent_users, 0) = 0, t.usable
     from tags t join requested w on w.name = t.name`,
)

/** Returns the rows of hashtags, and creates the missing ones. `tags`: normalised name → name as written. */
export async function ensureTags(tx: Tx, { tags }: { tags: ReadonlyMap<string, string> }): Promise<TagRow[]> {
  if (tags.size === 0) return []
  const values = { names: [...tags.keys()], displayNames: [...tags.values()] }
  const rows = await insertTags(tx.db, values)
  // The first statement does not see a hashtag that another transaction creates concurrently; the second one does.
  return rows.length < tags.size ? insertTags(tx.db, values) : rows
}

/** Returns the id of one hashtag. Call it before locking an account, like status creation does, to avoid deadlocks. */
export async function ensureTag(tx: Tx, { name, displayName }: TagName): Promise<string> {
  const [row] = await ensureTags(tx, { tags: new Map([[name, displayName]]) })
  return row!.id
}
