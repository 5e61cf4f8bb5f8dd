import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'

// A page of statuses that two indexes can find, such as those of an author with a hashtag, is read by the index whose
// statuses are rarer. These are the ones whose n-th newest status is older, or that have fewer than n.

/** The n of the comparison: as many entries of an index cost little. */
const COMPARED = 2_000

const EDGE_OF_TAG = `coalesce((
  select st.status_id from status_tags st where st.tag_id = t.id
  order by st.status_id desc offset ${COMPARED - 1} limit 1), 0)`
const EDGE_OF_ACCOUNT = `coalesce((
  select s.id from statuses s where s.account_id = $accountId and s.deleted_at is null
  order by s.id desc offset ${COMPARED - 1} limit 1), 0)`

const compare = statement<{ params: { accountId: string; tag: string }; row: { isTagRarer: boolean | null } }>(
  `select ${EDGE_OF_TAG} <= ${EDGE_OF_ACCOUNT} as "isTagRarer" from tags t where t.name = $tag`,
)
const findEdges = statement<{
  params: { names: readonly string[] }
  row: { name: string; edge: string }
  notNull: 'edge'
}>(`select t.name, ${EDGE_OF_TAG} as edge from tags t where t.name = any($names::text[])`)

/** Returns whether the statuses with a hashtag are rarer than those of an author; null if there is no such hashtag. */
export async function isTagRarerThanAuthor(
  read: Pick<Read, 'db'>,
  { accountId, tag }: { accountId: string; tag: string },
): Promise<boolean | null> {
  const [row] = await compare(read.db, { accountId, tag })
  return row?.isTagRarer ?? null
}

/** Returns a number for each of these hashtags that exist. The lower it is, the rarer are the statuses of the hashtag. */
export async function findDensities(
  read: Pick<Read, 'db'>,
  { names }: { names: readonly string[] },
): Promise<Map<string, bigint>> {
  const rows = await findEdges(read.db, { names })
  return new Map(rows.map(({ name, edge }) => [name, BigInt(edge)]))
}
