import { EVERYONE_ROLE_ID } from '../../access/permissions.ts'
import type { Read, Tx } from '../../context.ts'
import type { TwoFactorChange } from '../../user-events.ts'
import { statement } from '../../../platform/db/statement.ts'
import { endPendingLogins } from './pending-logins.ts'
import { checkRecentAuthentication } from './recent-authentication.ts'
import type { OwnSession } from './recent-authentication.ts'

/** SQL: whether the user `u` has a second factor, without which a log-in is not complete. */
const HAS_SECOND_FACTOR = `(exists (select from totp_authenticators t where t.user_id = u.id)
  or exists (select from passkeys p where p.user_id = u.id))`

/** SQL: whether a role of the user `u` requires a second factor that the user does not have. */
export const LACKS_SECOND_FACTOR = `(exists (
    select from roles r2f where r2f.id in (u.role_id, ${EVERYONE_ROLE_ID}) and r2f.require_2fa)
  and not ${HAS_SECOND_FACTOR})`

/** What a user can prove their identity with, beside the password. */
export interface SecondFactors {
  /** An authenticator app. */
  readonly totp: boolean
  readonly passkeys: number
  /** Unused recovery codes. */
  readonly recoveryCodes: number
}

const find = statement<{ params: { userId: string }; row: SecondFactors; notNull: keyof SecondFactors }>(
  `select exists (select from totp_authenticators where user_id = $userId) as totp,
     (select count(*)::int from passkeys where user_id = $userId) as passkeys,
     (select count(*)::int from recovery_codes where user_id = $userId) as "recoveryCodes"`,
)
const lock = statement<{ params: { userId: string }; row: { account_id: string } }>(
  `select account_id from users where id = $userId for no key update`,
)
const removeCodes = statement<{ params: { userId: string } }>(`delete from recovery_codes where user_id = $userId`)
const removeTotp = statement<{ params: { userId: string } }>(`delete from totp_authenticators where user_id = $userId`)
const removePasskeys = statement<{ params: { userId: string } }>(`delete from passkeys where user_id = $userId`)

/** Returns the second factors of a user; none for an unknown user. */
export async function findSecondFactors(
  read: Pick<Read, 'db'>,
  { userId }: { userId: string },
): Promise<SecondFactors> {
  const [row] = await find(read.db, { userId })
  return row!
}

/** Returns whether log-ins of the user need a second factor. */
export async function hasSecondFactor(read: Pick<Read, 'db'>, { userId }: { userId: string }): Promise<boolean> {
  const { totp, passkeys } = await findSecondFactors(read, { userId })
  return totp || passkeys > 0
}

/**
 * Removes the authenticator app, the passkeys and the recovery codes. Returns false if the user had none. `sessionId`:
 * the session of the user; null: staff do it. @throws ForbiddenError if the session has ended meanwhile
 */
export async function disableTwoFactor(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<boolean> {
  if (sessionId === null) await lock(tx.db, { userId })
  else await checkRecentAuthentication(tx, { userId, sessionId })
  if (!(await hasSecondFactor(tx, { userId }))) return false
  await removeTotp(tx.db, { userId })
  await removePasskeys(tx.db, { userId })
  await recordTwoFactorChange(tx, { userId, change: 'disabled' })
  return true
}

/**
 * Does a change of a user's second factors in a session of the user. Concurrent changes of one user wait for each
 * other, so that each sees which factors there are. @throws ForbiddenError if the session has ended meanwhile
 */
export async function changeSecondFactors<T>(
  tx: Tx,
  { userId, sessionId, change, work }: OwnSession & { change: TwoFactorChange; work: () => Promise<T> },
): Promise<T> {
  await checkRecentAuthentication(tx, { userId, sessionId })
  const result = await work()
  await recordTwoFactorChange(tx, { userId, change })
  return result
}

/**
 * Records what follows from a change: log-ins that wait for a second factor start anew, since it may be another one
 * now; without a second factor, there are no recovery codes; the user gets a mail. The caller has locked the user.
 */
async function recordTwoFactorChange(
  tx: Tx,
  { userId, change }: { userId: string; change: TwoFactorChange },
): Promise<void> {
  await endPendingLogins(tx, { userId })
  const isEnabled = await hasSecondFactor(tx, { userId })
  if (!isEnabled) await removeCodes(tx.db, { userId })
  await emitTwoFactorChange(tx, { userId, change: isEnabled ? change : 'disabled' })
}

/** Emits the event of a change, by which the user gets a mail. */
export async function emitTwoFactorChange(
  tx: Tx,
  { userId, change }: { userId: string; change: TwoFactorChange },
): Promise<void> {
  const [user] = await lock(tx.db, { userId })
  if (user) tx.emit('account.two_factor_changed', { accountId: user.account_id, change, at: tx.now.getTime() })
}
