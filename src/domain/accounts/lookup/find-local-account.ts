import { ForbiddenError, GoneError, NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { isValidUsername } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { CachedRead, Read } from '../../context.ts'
import { findCachedAccount } from './find-account.ts'
import type { AccountRow, AccountReference } from './find-account.ts'

/** A local account that is confirmed and approved. */
export type LocalAccount = Readonly<Omit<AccountRow, 'domain'>>

/** A suspension can be undone for this long; after that, the account counts as gone. */
export const SUSPENSION_RETENTION_MS = 30 * 86_400_000

const findTombstone = statement<{ params: { uri: string } }>(
  `select from tombstones where uri = $uri and owner_uri = $uri`,
)
const findDeletedUsername = statement<{ params: { username: string } }>(
  `select from deleted_usernames where username = lower($username)`,
)

/**
 * Returns a local account, suspended or not.
 * @throws NotFoundError, also for a user who is not confirmed or approved yet; GoneError if the account was deleted, or
 *   suspended more than 30 days ago
 */
export async function findLocalAccount(
  read: CachedRead,
  { now, ...reference }: AccountReference & { now: Date },
): Promise<LocalAccount> {
  const cached = await findCachedAccount(read, reference)
  const found = cached?.domain === null ? cached : undefined
  const isGone = found?.suspended_at != null && found.suspended_at.getTime() < now.getTime() - SUSPENSION_RETENTION_MS
  if (found && !isGone) return found
  throw found || (await wasDeleted(read, reference)) ? new GoneError() : new NotFoundError()
}

/** Returns a local account that is not suspended. @throws as `findLocalAccount`; ForbiddenError if it is suspended */
export async function findActiveLocalAccount(
  read: CachedRead,
  reference: { id: string; now: Date },
): Promise<LocalAccount> {
  const actor = await findLocalAccount(read, reference)
  if (actor.suspended) throw new ForbiddenError()
  return actor
}

async function wasDeleted({ db, config }: Read, reference: AccountReference): Promise<boolean> {
  if ('id' in reference)
    return (
      isId(reference.id) && (await findTombstone(db, { uri: `${config.origin}/ap/users/${reference.id}` })).length > 0
    )
  return (
    isValidUsername(reference.username) && (await findDeletedUsername(db, { username: reference.username })).length > 0
  )
}
