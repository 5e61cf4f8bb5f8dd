import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

const findUnusable = statement<{ params: { name: string }; row: { id: string } }>(
  `select id from tags where name = $name and not usable`,
)

/** Throws if the staff have made a hashtag unusable: it has no page and no feed. @throws NotFoundError */
export async function requireUsableTag(read: Pick<Read, 'db'>, { name }: { name: string }): Promise<void> {
  if ((await findUnusable(read.db, { name })).length > 0) throw new NotFoundError()
}
