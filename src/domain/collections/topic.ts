import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

const insert = statement(`insert into tags (name, display_name) values ($1, $2) on conflict (name) do nothing`)
const find = statement<{ id: string; usable: boolean }>(`select id, usable from tags where name = $1`)

/** The tag that a collection is about; it comes into being when nobody used it before. */
export async function ensureTag(
  tx: Tx,
  { name, display }: { name: string; display: string },
): Promise<{ id: string; usable: boolean }> {
  await insert(tx.db, [name, display])
  const [tag] = await find(tx.db, [name])
  return tag!
}

/** The same for a collection of here. @throws ValidationFailed for a tag that the staff has taken out of use */
export async function ensureTopic(tx: Tx, topic: { name: string; display: string }): Promise<string> {
  const { id, usable } = await ensureTag(tx, topic)
  if (usable) return id
  throw new ValidationFailed([{ attribute: 'tag_name', code: 'ERR_INVALID', text: 'is invalid' }], { details: true })
}
