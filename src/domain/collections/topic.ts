import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const insert = statement<{ params: { name: string; display: string } }>(
  `insert into tags (name, display_name) values ($name, $display) on conflict (name) do nothing`,
)
const find = statement<{ params: { name: string }; row: { id: string; usable: boolean } }>(
  `select id, usable from tags where name = $name`,
)

/** The tag that a collection is about; it comes into being when nobody used it before. */
export async function ensureTag(
  tx: Tx,
  { name, display }: { name: string; display: string },
): Promise<{ id: string; usable: boolean }> {
  await insert(tx.db, { name, display })
  const [tag] = await find(tx.db, { name })
  return tag!
}

/** The same for a collection of here. @throws ValidationFailed for a tag that the staff has taken out of use */
export async function ensureTopic(tx: Tx, topic: { name: string; display: string }): Promise<string> {
  const { id, usable } = await ensureTag(tx, topic)
  if (usable) return id
  throw new ValidationFailed([{ attribute: 'tag_name', code: 'ERR_INVALID', text: 'is invalid' }], { details: true })
}
