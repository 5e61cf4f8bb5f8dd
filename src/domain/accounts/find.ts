import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { isValidUsername } from '../../lib/usernames.ts'
import { lookForChanges } from '../../platform/db/changes.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/statement.ts'
import { Kept } from '../../platform/db/kept.ts'
import type { Read } from '../context.ts'
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

/** How much memory one process may take for them. */
const KEPT_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 500

/** By ids, and those of here by names with an @ before. Who is not found is asked for again each time. */
const kept = new Kept<AccountRow>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { value, since }) =>
    changes.hasChanged('account', value.id, since) || changes.hasChanged('user', value.id, since),
})

/** Whom a reader looks for, by the name only among those of here. `asOf`: when their request looked for changes. */
export type WantedAccount = ({ id: string } | { username: string }) & { asOf?: Moment | undefined }

/** An account that others may know of, suspended or not, if there is one: kept in memory. */
export async function findKeptAccount(
  read: Pick<Read, 'db'>,
  wanted: WantedAccount,
): Promise<Readonly<AccountRow> | undefined> {
  if (!('id' in wanted ? isId(wanted.id) : isValidUsername(wanted.username))) return undefined
  const changes = await lookForChanges(read.db, wanted)
  const key = 'id' in wanted ? wanted.id : `@${wanted.username.toLowerCase()}`
  const known = kept.get(changes, key)
  if (known !== undefined) return known
  const since = changes.moment
  const [found] = await ('id' in wanted
    ? byId(read.db, { wanted: wanted.id })
    : byName(read.db, { wanted: wanted.username }))
  if (found) kept.set(changes, key, { value: found, since, bytes: ENTRY_BYTES })
  return found
}

/**
 * An account, suspended or not. `asOf`: when a reader's request looked for changes; without it the database is asked,
 * which costs no more than to look.
 * @throws NotFound, the very same for somebody who is not confirmed or approved yet as for an id of nobody
 */
export async function findAccount(
  read: Pick<Read, 'db'>,
  { id, asOf }: { id: string; asOf?: Moment | undefined },
): Promise<Readonly<AccountRow>> {
  const row = asOf === undefined ? (await byId(read.db, { wanted: id }))[0] : await findKeptAccount(read, { id, asOf })
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
