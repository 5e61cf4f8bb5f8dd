import { Forbidden, Gone, NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { isValidUsername } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { CachedRead, Read } from '../context.ts'
import { findCachedAccount } from './find.ts'
import type { AccountRow, WantedAccount } from './find.ts'

/** An account of here that others may know of. */
export type LocalAccount = Readonly<Omit<AccountRow, 'domain'>>

/** Somebody who is suspended may come back for so long; then they are gone. */
const RETURN_MS = 30 * 86_400_000

const findGrave = statement<{ params: { uri: string } }>(`select from tombstones where uri = $uri and owner_uri = $uri`)
const findFormerName = statement<{ params: { username: string } }>(
  `select from deleted_usernames where username = lower($username)`,
)

/**
 * Somebody of here, suspended or not.
 * @throws NotFound for nobody, and the very same for who is not confirmed or approved yet · Gone
 */
export async function findLocalAccount(
  read: CachedRead,
  { now, ...wanted }: WantedAccount & { now: Date },
): Promise<LocalAccount> {
  const known = await findCachedAccount(read, wanted)
  const found = known?.domain === null ? known : undefined
  const isGone = found?.suspended_at != null && found.suspended_at.getTime() < now.getTime() - RETURN_MS
  if (found && !isGone) return found
  throw found || (await wasDeleted(read, wanted)) ? new Gone() : new NotFound()
}

/** Somebody of here who may show more than their name. @throws as `findLocalAccount` · Forbidden while suspended */
export async function findShownAccount(read: CachedRead, wanted: { id: string; now: Date }): Promise<LocalAccount> {
  const actor = await findLocalAccount(read, wanted)
  if (actor.suspended) throw new Forbidden()
  return actor
}

async function wasDeleted({ db, config }: Read, of: { id: string } | { username: string }): Promise<boolean> {
  if ('id' in of) return isId(of.id) && (await findGrave(db, { uri: `${config.origin}/ap/users/${of.id}` })).length > 0
  return isValidUsername(of.username) && (await findFormerName(db, { username: of.username })).length > 0
}
