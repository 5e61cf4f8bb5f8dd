import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'

const find = statement<{
  params: { ids: readonly string[] }
  row: { id: string; username: string; domain: string }
  notNull: 'domain'
}>(`select id, username, domain from accounts where id = any($ids::bigint[]) and domain is not null`)

/** Returns the handles of remote accounts by id, such as `bob@remote.example`, with canonical domains. */
export async function findHandles(
  read: Pick<Read, 'db'>,
  { ids }: { ids: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await find(read.db, { ids })
  return new Map(rows.map(({ id, username, domain }) => [id, `${username}@${domain}`]))
}
