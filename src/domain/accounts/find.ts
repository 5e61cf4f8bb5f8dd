import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { isValidUsername } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { CachedRead, Read } from '../context.ts'
import { revealedAccount } from './usable.ts'

/** What reads and verbs ask of an account before they go on. */
export interface AccountRow {
  id: string
  /** null = of here. */
  domain: string | null
  username: string
  url: string
  suspended: boolean
  suspended_at: Date | null
  hide_collections: boolean
  avatar_key: string | null
}

const find = (condition: string) =>
  statement<{ params: { wanted: string }; row: AccountRow }>(
    `select a.id, a.domain, a.username, a.url, a.suspended_at is not null as suspended, a.suspended_at,
       coalesce(a.hide_collections, false) as hide_collections, a.avatar_key
     from accounts a left join users u on u.account_id = a.id where ${condition} and ${revealedAccount()}`,
  )
const byId = find('a.id = $wanted')
const byName = find('a.domain is null and lower(a.username) = lower($wanted)')

/** How much memory one process may use for them. */
const CACHE_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 500

/** By ids, and local accounts by usernames with an @ before. Unknown accounts are not cached. */
const cache = new Cache<AccountRow>({
  maxBytes: CACHE_BYTES,
  isInvalidated: (invalidations, { value, since }) =>
    invalidations.isInvalidated('account', value.id, since) || invalidations.isInvalidated('user', value.id, since),
})

/** The id of an account, or the username of a local one. */
export type WantedAccount = { id: string } | { username: string }

/** Returns an account that others may know of, suspended or not, from the cache or the database. */
export async function findCachedAccount(
  { db, invalidations }: CachedRead,
  wanted: WantedAccount,
): Promise<Readonly<AccountRow> | undefined> {
  if (!('id' in wanted ? isId(wanted.id) : isValidUsername(wanted.username))) return undefined
  const key = 'id' in wanted ? wanted.id : `@${wanted.username.toLowerCase()}`
  const known = cache.get(invalidations, key)
  if (known !== undefined) return known
  const since = invalidations.epoch
  const [found] = await ('id' in wanted ? byId(db, { wanted: wanted.id }) : byName(db, { wanted: wanted.username }))
  if (found) cache.set(invalidations, key, { value: found, since, bytes: ENTRY_BYTES })
  return found
}

/**
 * Returns an account, suspended or not, from the database.
 * @throws NotFound, also for a user who is not confirmed or approved yet
 */
export async function findAccount(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<Readonly<AccountRow>> {
  const [row] = await byId(read.db, { wanted: id })
  if (!row) throw new NotFound()
  return row
}

const findMany = statement<{ params: { wanted: readonly string[]; withSuspended: boolean }; row: { id: string } }>(
  `select a.id
   from unnest($wanted::bigint[]) with ordinality as wanted (id, place)
     join accounts a on a.id = wanted.id left join users u on u.account_id = a.id
   where ${revealedAccount()} and ($withSuspended::boolean or a.suspended_at is null)
   order by wanted.place`,
)

/** Of these ids, each once and in their order, those of accounts that may be shown. Whatever is no id is left out. */
export async function keepAccounts(
  read: Pick<Read, 'db'>,
  { ids, withSuspended = true }: { ids: readonly string[]; withSuspended?: boolean },
): Promise<string[]> {
  const wanted = [...new Set(ids.filter(isId))]
  if (wanted.length === 0) return []
  const rows = await findMany(read.db, { wanted, withSuspended })
  return rows.map((row) => row.id)
}
