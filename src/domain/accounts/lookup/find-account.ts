import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { isValidUsername } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import { Cache } from '../../../platform/db/cache.ts'
import type { CachedRead, Read } from '../../context.ts'
import { confirmedAccount } from '../../access/usable-account.ts'

/** The columns of an account that operations check before they go on. */
export interface AccountRow {
  id: string
  /** null = local. */
  domain: string | null
  username: string
  url: string
  suspended: boolean
  suspended_at: Date | null
  hide_collections: boolean
  avatar_key: string | null
}

const accountStatement = (condition: string) =>
  statement<{ params: { reference: string }; row: AccountRow }>(
    `select a.id, a.domain, a.username, a.url, a.suspended_at is not null as suspended, a.suspended_at,
       coalesce(a.hide_collections, false) as hide_collections, a.avatar_key
     from accounts a left join users u on u.account_id = a.id where ${condition} and ${confirmedAccount()}`,
  )
const findById = accountStatement('a.id = $reference')
const findByUsername = accountStatement('a.domain is null and lower(a.username) = lower($reference)')

const ENTRY_BYTES = 500

/** The keys are ids, and for local accounts also `@` and the username. Unknown accounts are not cached. */
const cache = new Cache<AccountRow>({
  isInvalidated: (invalidations, { value, since }) =>
    invalidations.isInvalidated('account', value.id, since) || invalidations.isInvalidated('user', value.id, since),
})

/** The id of an account, or the username of a local account. */
export type AccountReference = { id: string } | { username: string }

/** Returns an account that is confirmed and approved, suspended or not, from the cache or the database. */
export async function findCachedAccount(
  { db, invalidations }: CachedRead,
  reference: AccountReference,
): Promise<Readonly<AccountRow> | undefined> {
  if (!('id' in reference ? isId(reference.id) : isValidUsername(reference.username))) return undefined
  const key = 'id' in reference ? reference.id : `@${reference.username.toLowerCase()}`
  const cached = cache.get(invalidations, key)
  if (cached !== undefined) return cached
  const since = invalidations.epoch
  const [found] = await ('id' in reference
    ? findById(db, { reference: reference.id })
    : findByUsername(db, { reference: reference.username }))
  if (found) cache.set(invalidations, key, { value: found, since, bytes: ENTRY_BYTES })
  return found
}

/**
 * Returns an account, suspended or not, from the database.
 * @throws NotFoundError, also for a user who is not confirmed or approved yet
 */
export async function findAccount(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<Readonly<AccountRow>> {
  const [row] = await findById(read.db, { reference: id })
  if (!row) throw new NotFoundError()
  return row
}

const filterRows = statement<{ params: { ids: readonly string[]; withSuspended: boolean }; row: { id: string } }>(
  `select a.id
   from unnest($ids::bigint[]) with ordinality as requested (id, position)
     join accounts a on a.id = requested.id left join users u on u.account_id = a.id
   where ${confirmedAccount()} and ($withSuspended::boolean or a.suspended_at is null)
   order by requested.position`,
)

/** Returns those of the ids that belong to accounts that may be shown, in their order, each once. Skips invalid ids. */
export async function filterVisibleAccounts(
  read: Pick<Read, 'db'>,
  { ids, withSuspended = true }: { ids: readonly string[]; withSuspended?: boolean },
): Promise<string[]> {
  const distinctIds = [...new Set(ids.filter(isId))]
  if (distinctIds.length === 0) return []
  const rows = await filterRows(read.db, { ids: distinctIds, withSuspended })
  return rows.map((row) => row.id)
}
