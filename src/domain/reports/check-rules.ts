import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export const UNKNOWN_RULES: FieldError = {
  attribute: 'rule_ids',
  code: 'ERR_INVALID',
  text: 'does not reference valid rules',
}

// Also finds deleted rules, which a client may still show for a while.
const find = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select id from rules where id = any($ids::bigint[]) order by id`,
)

/** Returns the ids of rules without duplicates, in order; null if one of them does not exist. */
export async function findRules(read: Pick<Read, 'db'>, { ids }: { ids: readonly string[] }): Promise<string[] | null> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return []
  if (!unique.every(isId)) return null
  const rows = await find(read.db, { ids: unique })
  return rows.length === unique.length ? rows.map((row) => row.id) : null
}
