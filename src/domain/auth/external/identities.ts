import { UnprocessableError } from '../../../lib/errors.ts'
import type { RedirectProviderName } from '../../../platform/single-sign-on/external-provider.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'

/** The providers that identities are of. `ldap` has no page of its own. */
export type IdentityProvider = RedirectProviderName | 'ldap'

/** An external log-in of a user. A user has at most one of each provider. */
export interface LinkedIdentity {
  readonly provider: IdentityProvider
  readonly uid: string
  readonly lastUsedAt: Date | null
}

const list = statement<{ params: { userId: string }; row: LinkedIdentity }>(
  `select provider, uid, last_used_at as "lastUsedAt" from external_identities where user_id = $userId
   order by provider`,
)
const insert = statement<{
  params: { userId: string; provider: string; uid: string; now: Date }
  row: { id: string }
}>(
  `insert into external_identities (user_id, provider, uid, created_at) values ($userId, $provider, $uid, $now)
   on conflict do nothing returning id`,
)
const findAccount = statement<{ params: { userId: string }; row: { id: string } }>(
  `select account_id as id from users where id = $userId`,
)
const findExact = statement<{ params: { userId: string; provider: string; uid: string }; row: { id: string } }>(
  `select id from external_identities where user_id = $userId and provider = $provider and uid = $uid`,
)
// A user is locked before the identities, in the same order as when an identity is removed.
const lockUserOf = statement<{ params: { provider: string; uid: string }; row: { id: string } }>(
  `select u.id from external_identities i join users u on u.id = i.user_id
   where i.provider = $provider and i.uid = $uid for no key update of u`,
)
const use = statement<{ params: { userId: string; provider: string; uid: string; now: Date }; row: { id: string } }>(
  `update external_identities set last_used_at = $now
   where user_id = $userId and provider = $provider and uid = $uid returning id`,
)
const remove = statement<{ params: { userId: string; provider: string } }>(
  `delete from external_identities where user_id = $userId and provider = $provider`,
)
const lockUser = statement<{ params: { userId: string }; row: { has_password: boolean } }>(
  `select password_hash is not null as has_password from users where id = $userId for no key update`,
)

/** Returns the external log-ins of a user. */
export async function listIdentities(
  read: Pick<Read, 'db'>,
  { userId }: { userId: string },
): Promise<LinkedIdentity[]> {
  return list(read.db, { userId })
}

/** Locks and returns the user with an identity, whose use it records; null if no user has it. */
export async function useIdentity(
  tx: Tx,
  { provider, uid }: { provider: IdentityProvider; uid: string },
): Promise<{ userId: string } | null> {
  const [user] = await lockUserOf(tx.db, { provider, uid })
  if (!user) return null
  // Another transaction may have removed the identity before the lock.
  const [used] = await use(tx.db, { userId: user.id, provider, uid, now: tx.now })
  return used ? { userId: user.id } : null
}

/** 422: the identity belongs to another user, or the user has another one of this provider. */
export class IdentityTakenError extends UnprocessableError {
  constructor() {
    super('This log-in is already linked to an account')
  }
}

/**
 * Adds an identity to a user, who can then log in with it. The caller has verified both. Returns false if the user has
 * it already.
 * @throws IdentityTakenError
 */
export async function addIdentity(
  tx: Tx,
  { userId, provider, uid }: { userId: string; provider: IdentityProvider; uid: string },
): Promise<boolean> {
  const [inserted] = await insert(tx.db, { userId, provider, uid, now: tx.now })
  if (inserted) return true
  const [existing] = await findExact(tx.db, { userId, provider, uid })
  if (!existing) throw new IdentityTakenError()
  return false
}

/** Adds an identity to a user who has an account already, and who gets a mail about it. @throws as `addIdentity` */
export async function linkIdentity(
  tx: Tx,
  { userId, ...identity }: { userId: string; provider: IdentityProvider; uid: string },
): Promise<void> {
  if (!(await addIdentity(tx, { userId, ...identity }))) return
  const [account] = await findAccount(tx.db, { userId })
  const { provider } = identity
  if (account) tx.emit('account.external_login_linked', { accountId: account.id, provider, at: tx.now.getTime() })
}

/**
 * Removes the identity of a provider from a user. `usable`: the other providers that the server has now.
 * `acceptsPasswords`: whether users can log in with a password.
 * @throws UnprocessableError if the user could no longer log in
 */
export async function unlinkIdentity(
  tx: Tx,
  {
    userId,
    provider,
    usable,
    acceptsPasswords,
  }: { userId: string; provider: string; usable: readonly string[]; acceptsPasswords: boolean },
): Promise<void> {
  const [user] = await lockUser(tx.db, { userId })
  const others = (await list(tx.db, { userId })).filter((identity) => identity.provider !== provider)
  const remains = others.some((identity) => usable.includes(identity.provider))
  if (!remains && !(acceptsPasswords && user?.has_password)) {
    throw new UnprocessableError('You could not log in any more')
  }
  await remove(tx.db, { userId, provider })
}
