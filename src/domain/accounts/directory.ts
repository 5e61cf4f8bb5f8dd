import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { unwantedBy } from '../relationships/unwanted.ts'
import { readSetting } from '../settings.ts'
import { recommendableAccount } from './recommendable.ts'

/** Whether there is a directory, unless the owner says that there is none. */
export const DIRECTORY_SETTING = 'profile_directory'

export type DirectoryOrder = 'active' | 'new'

/** Of those who posted last, so many and more for later pages are looked at one by one; if they do not do, all are. */
const LOOKED_AT = 10_000

const SHOWN = `${recommendableAccount()} and not ${unwantedBy('$viewerId')}`
const BY_ACTIVITY = 'st.last_status_at desc nulls last, st.account_id desc'

// `origin` is a condition for the alias `a`.
const latestActive = (origin: string) =>
  statement<{ params: { viewerId: string | null; limit: number; offset: number }; row: { id: string } }>(
    `select a.id
     from (select account_id, last_status_at from account_stats st order by ${BY_ACTIVITY}
         limit ${LOOKED_AT} + 4 * ($limit::int + $offset::int)) st
       cross join lateral (
         select a.id from accounts a left join users u on u.account_id = a.id
         where a.id = st.account_id and ${origin} and ${SHOWN} offset 0) a
     order by ${BY_ACTIVITY} limit $limit::int offset $offset::int`,
  )
const all = (origin: string, order: string) =>
  statement<{ params: { viewerId: string | null; limit: number; offset: number }; row: { id: string } }>(
    `select a.id from accounts a join account_stats st on st.account_id = a.id left join users u on u.account_id = a.id
     where ${origin} and ${SHOWN} order by ${order} limit $limit::int offset $offset::int`,
  )
const statementsFor = (origin: string) => ({
  latestActive: latestActive(origin),
  active: all(origin, BY_ACTIVITY),
  new: all(origin, 'a.id desc'),
})
const everybody = statementsFor('true')
const local = statementsFor('a.domain is null')

/**
 * People who want to be found, as ids: those who posted last first, or those who came last. Without those whom the viewer
 * (null: somebody unknown) does not want to meet, or who do not want to meet the viewer.
 * @throws NotFound when the owner wants no directory
 */
export async function readDirectory(
  read: Read,
  {
    viewerId,
    order,
    localOnly,
    limit,
    offset,
  }: { viewerId: string | null; order: DirectoryOrder; localOnly: boolean; limit: number; offset: number },
): Promise<string[]> {
  if ((await readSetting<boolean>(read, { name: DIRECTORY_SETTING })) === false) throw new NotFound()
  const statements = localOnly ? local : everybody
  const values = { viewerId, limit, offset }
  if (order === 'active') {
    const rows = await statements.latestActive(read.db, values)
    if (rows.length === limit) return rows.map((row) => row.id)
  }
  const rows = await statements[order](read.db, values)
  return rows.map((row) => row.id)
}
