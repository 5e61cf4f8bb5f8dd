import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const insert = statement<{ params: { name: string; display: string } }>(
  `insert into tags (name, display_name) values ($name, $display) on conflict (name) do nothing`,
)
const find = statement<{ params: { name: string }; row: { id: string; usable: boolean } }>(
  `select id, usable from tags where name = $name`,
)

/** Returns the hashtag of a collection, and creates it if it does not exist. */
export async function ensureCollectionTag(
  tx: Tx,
  { name, display }: { name: string; display: string },
): Promise<{ id: string; usable: boolean }> {
  await insert(tx.db, { name, display })
  const [tag] = await find(tx.db, { name })
  return tag!
}

/** Returns the id of the hashtag of a local collection. @throws ValidationError if moderators have made it unusable */
export async function ensureUsableTag(tx: Tx, tag: { name: string; display: string }): Promise<string> {
  const { id, usable } = await ensureCollectionTag(tx, tag)
  if (usable) return id
  throw new ValidationError([{ attribute: 'tag_name', code: 'ERR_INVALID', text: 'is invalid' }], { details: true })
}
