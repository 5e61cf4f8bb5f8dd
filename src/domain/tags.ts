import { normalizeTag } from '../lib/text/normalizeTag.ts'
import { statement } from '../platform/db/connect.ts'
import type { Read } from './context.ts'

const find = statement<{ id: string }>(
  `select id from tags where name like $1 || '%' order by name = $2 desc, length(name), name limit $3 offset $4`,
)

/** Tags whose names begin so, as ids: the one that is called so first, then the shorter ones. */
export async function searchTags(
  read: Pick<Read, 'db'>,
  { query, limit, offset = 0 }: { query: string; limit: number; offset?: number },
): Promise<string[]> {
  const name = normalizeTag(query.trim().replace(/^[#＃]/, ''))
  if (name === null || limit === 0) return []
  // In a pattern this character would stand for any other; the rest of such characters is in no name.
  const rows = await find(read.db, [name.replaceAll('_', String.raw`\_`), name, limit, offset])
  return rows.map((row) => row.id)
}
