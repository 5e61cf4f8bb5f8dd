import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { readSetting } from '../../core/settings-store.ts'
import { recommendableAccount } from './recommendable-account.ts'

/** The setting that enables the profile directory. It is enabled unless an administrator turns it off. */
export const DIRECTORY_SETTING = 'profile_directory'

export type DirectoryOrder = 'active' | 'new'

/**
 * How many of the accounts that posted last are checked first, one by one; later pages check more. If they are too few
 * for a page, a second statement checks all accounts.
 */
const MAX_CANDIDATES = 10_000

const VISIBLE = `${recommendableAccount()} and not ${isHiddenFromViewer('$viewerId')}`
const BY_ACTIVITY = 'st.last_status_at desc nulls last, st.account_id desc'

// `origin` is a condition for the alias `a`.
const recentlyActiveStatement = (origin: string) =>
  statement<{ params: { viewerId: string | null; limit: number; offset: number }; row: { id: string } }>(
    `select a.id
     from (select account_id, last_status_at from account_stats st order by ${BY_ACTIVITY}
         limit ${MAX_CANDIDATES} + 4 * ($limit::int + $offset::int)) st
       cross join lateral (
         select a.id from accounts a left join users u on u.account_id = a.id
         where a.id = st.account_id and ${origin} and ${VISIBLE} offset 0) a
     order by ${BY_ACTIVITY} limit $limit::int offset $offset::int`,
  )
// Materialized, because PostgreSQL underestimates how many accounts there are: it would compare each of them with each
// row of the counters, instead of looking its counters up.
const activeStatement = (origin: string) =>
  statement<{ params: { viewerId: string | null; limit: number; offset: number }; row: { id: string } }>(
    `with a as materialized (
       select a.id from accounts a left join users u on u.account_id = a.id where ${origin} and ${VISIBLE})
     select a.id from a join account_stats st on st.account_id = a.id
     order by ${BY_ACTIVITY} limit $limit::int offset $offset::int`,
  )
const newestStatement = (origin: string) =>
  statement<{ params: { viewerId: string | null; limit: number; offset: number }; row: { id: string } }>(
    `select a.id from accounts a left join users u on u.account_id = a.id
     where ${origin} and ${VISIBLE} order by a.id desc limit $limit::int offset $offset::int`,
  )
const statementsFor = (origin: string) => ({
  latestActive: recentlyActiveStatement(origin),
  active: activeStatement(origin),
  new: newestStatement(origin),
})
const allAccounts = statementsFor('true')
const localAccounts = statementsFor('a.domain is null')

/**
 * Returns the ids of accounts that are listed in the profile directory, those that posted last first, or the newest
 * first (Mastodon: GET /api/v1/directory). Leaves out accounts that are hidden from the viewer (null: an anonymous
 * visitor) by a block or mute.
 * @throws NotFoundError if the directory is turned off
 */
export async function listDirectory(
  read: Read,
  {
    viewerId,
    order,
    localOnly,
    limit,
    offset,
  }: { viewerId: string | null; order: DirectoryOrder; localOnly: boolean; limit: number; offset: number },
): Promise<string[]> {
  if ((await readSetting<boolean>(read, { name: DIRECTORY_SETTING })) === false) throw new NotFoundError()
  const statements = localOnly ? localAccounts : allAccounts
  const values = { viewerId, limit, offset }
  if (order === 'active') {
    const rows = await statements.latestActive(read.db, values)
    if (rows.length === limit) return rows.map((row) => row.id)
  }
  const rows = await statements[order](read.db, values)
  return rows.map((row) => row.id)
}
