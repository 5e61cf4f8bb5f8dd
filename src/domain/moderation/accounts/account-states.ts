import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { revokeLogins } from '../../auth/revoke-logins.ts'
import { cancelPurges, schedulePurges } from '../../account-deletion/schedule-purges.ts'
import type { Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { IS_LIMITED_BY_DOMAIN, IS_SUSPENDED_BY_DOMAIN } from '../../domain-blocks/suspended-host.ts'
import { blockEmailOfAccount, unblockEmailOfAccount } from '../../email-blocks/canonical-email-blocks.ts'

/**
 * The moderation states of accounts and users: only these operations set them. They check no permissions, and do not
 * notify the user; `moderate-account.ts` does both.
 */

interface AccountChange {
  params: { accountId: string; now: Date }
  row: { id: string }
}

interface AccountReset {
  params: { accountId: string }
  row: { id: string }
}

const setLimited = statement<AccountChange>(
  `update accounts set silenced_at = coalesce(silenced_at, $now), silenced_by_domain_block = false,
     exempt_from_domain_limit = false, version = version + (silenced_at is null)::integer
   where id = $accountId and (silenced_at is null or silenced_by_domain_block) returning id`,
)
const resetLimited = statement<AccountReset>(
  `update accounts a set silenced_at = null, silenced_by_domain_block = false,
     exempt_from_domain_limit = a.domain is not null and (${IS_LIMITED_BY_DOMAIN} or ${IS_SUSPENDED_BY_DOMAIN}),
     version = version + 1
   where id = $accountId and silenced_at is not null returning id`,
)
// The document of an actor contains its suspension, so a suspension changes `updated_at` too.
const setSuspended = statement<AccountChange>(
  `update accounts set suspended_at = coalesce(suspended_at, $now), suspended_by_origin = false,
     suspended_by_domain_block = false, exempt_from_domain_suspension = false,
     version = version + (suspended_at is null)::integer,
     updated_at = case when suspended_at is null then $now else updated_at end
   where id = $accountId and (suspended_at is null or suspended_by_origin or suspended_by_domain_block) returning id`,
)
const setSensitized = statement<AccountChange>(
  `update accounts set sensitized_at = $now, version = version + 1
   where id = $accountId and sensitized_at is null returning id`,
)
const resetSensitized = statement<AccountReset>(
  `update accounts set sensitized_at = null, version = version + 1
   where id = $accountId and sensitized_at is not null returning id`,
)
// Without `refreshed_at`, the profile of a remote account is fetched again: it was not updated meanwhile.
const resetSuspended = statement<AccountChange>(
  `update accounts a set suspended_at = null, suspended_by_domain_block = false,
     exempt_from_domain_suspension = a.domain is not null and ${IS_SUSPENDED_BY_DOMAIN},
     refreshed_at = case when a.domain is null then refreshed_at end, version = version + 1, updated_at = $now
   where id = $accountId and suspended_at is not null and not suspended_by_origin returning id`,
)
const setDisabled = statement<{ params: { userId: string; now: Date }; row: { id: string } }>(
  `update users set disabled_at = $now where id = $userId and disabled_at is null returning id`,
)
const resetDisabled = statement<{ params: { userId: string }; row: { id: string } }>(
  `update users set disabled_at = null where id = $userId and disabled_at is not null returning id`,
)
// The document of an actor contains the flag, so it changes `updated_at` too.
const setMemorial = statement<AccountChange & { params: { memorial: boolean } }>(
  `update accounts set memorial = $memorial, version = version + 1, updated_at = $now
   where id = $accountId and domain is null and memorial <> $memorial::boolean returning id`,
)
const findAccount = statement<{ params: { accountId: string } }>(`select from accounts where id = $accountId`)
const findSuspension = statement<{ params: { accountId: string }; row: { suspended_at: Date | null } }>(
  `select suspended_at from accounts where id = $accountId`,
)
const findUser = statement<{ params: { userId: string } }>(`select from users where id = $userId`)

/**
 * Limits an account: public timelines and trends leave out its statuses, and searches and threads show them only to its
 * followers. Returns whether that is a change; an account that is already limited keeps its time (Mastodon: POST
 * /api/v1/admin/accounts/:id/action with type `silence`).
 * @throws NotFoundError if the account does not exist
 */
export async function limitAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  const isChange = await changeAccount(tx, { accountId, change: setLimited })
  if (isChange) tx.emit('account.limit_changed', { accountId })
  return isChange
}

/**
 * Ends the limit of an account, also if a block of its domain limited it. Returns whether that is a change (Mastodon:
 * POST /api/v1/admin/accounts/:id/unsilence).
 * @throws NotFoundError if the account does not exist
 */
export async function unlimitAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  const isChange = await changeAccount(tx, { accountId, change: resetLimited })
  if (isChange) tx.emit('account.limit_changed', { accountId })
  return isChange
}

/**
 * Suspends an account: its profile, statuses and files are hidden, and its user cannot use the API. Its data are
 * deleted after 30 days, and its e-mail address is blocked for new users. Returns whether that is a change; an account
 * that is already suspended keeps its time. If its own server suspended it, that server can no longer end the
 * suspension (Mastodon: POST /api/v1/admin/accounts/:id/action with type `suspend`).
 * @throws NotFoundError if the account does not exist
 */
export async function suspendAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  if (!(await changeAccount(tx, { accountId, change: setSuspended }))) return false
  await schedulePurges(tx, { accountIds: [accountId] })
  await blockEmailOfAccount(tx, { accountId })
  tx.emit('account.suspension_changed', { accountId })
  return true
}

/**
 * Ends the suspension of an account by this server, and restores its relationships. Returns whether that is a change; a
 * suspension by the account's own server stays (Mastodon: POST /api/v1/admin/accounts/:id/unsuspend).
 * @throws NotFoundError if the account does not exist; ForbiddenError if the data of a local account were deleted
 */
export async function unsuspendAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  await lockAccounts(tx, { ids: [accountId] })
  const [before] = await findSuspension(tx.db, { accountId })
  if (!(await changeAccount(tx, { accountId, change: resetSuspended }))) return false
  await cancelPurges(tx, { accountIds: [accountId] })
  await unblockEmailOfAccount(tx, { accountId })
  const suspendedAt = before?.suspended_at?.getTime()
  tx.emit('account.suspension_changed', { accountId, ...(suspendedAt !== undefined && { suspendedAt }) })
  return true
}

/**
 * Marks all statuses of an account as sensitive, present and future ones. Returns whether that is a change (Mastodon:
 * POST /api/v1/admin/accounts/:id/action with type `sensitive`).
 * @throws NotFoundError if the account does not exist
 */
export async function sensitizeAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  const isChange = await changeAccount(tx, { accountId, change: setSensitized })
  if (isChange) tx.emit('account.limit_changed', { accountId })
  return isChange
}

/**
 * Shows the statuses of an account as their author marked them. Returns whether that is a change (Mastodon: POST
 * /api/v1/admin/accounts/:id/unsensitive).
 * @throws NotFoundError if the account does not exist
 */
export async function unsensitizeAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  const isChange = await changeAccount(tx, { accountId, change: resetSensitized })
  if (isChange) tx.emit('account.limit_changed', { accountId })
  return isChange
}

/**
 * Freezes a user, who can then neither log in nor use the API; the account stays visible. Returns whether that is a
 * change; a user who is already disabled keeps the time (Mastodon: POST /api/v1/admin/accounts/:id/action with type
 * `disable`).
 * @throws NotFoundError if the user does not exist
 */
export async function disableUser(tx: Tx, { userId }: { userId: string }): Promise<boolean> {
  return (await setDisabled(tx.db, { userId, now: tx.now })).length > 0 || requireNoChange(findUser(tx.db, { userId }))
}

/**
 * Enables a disabled user again. Returns whether that is a change (Mastodon: POST /api/v1/admin/accounts/:id/enable).
 * @throws NotFoundError if the user does not exist
 */
export async function enableUser(tx: Tx, { userId }: { userId: string }): Promise<boolean> {
  return (await resetDisabled(tx.db, { userId })).length > 0 || requireNoChange(findUser(tx.db, { userId }))
}

/**
 * Makes the account of a user a memorial: its profile and statuses stay visible and say so, nobody can log in to it or
 * use the API for it, and it is no longer recommended. Sessions and tokens end. Returns whether that is a change
 * (Mastodon: POST /admin/accounts/:id/memorialize).
 * @throws NotFoundError if the account does not exist
 */
export async function memorializeAccount(
  tx: Tx,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<boolean> {
  const isChange = await changeMemorial(tx, { accountId, memorial: true })
  if (isChange) await revokeLogins(tx, { userId })
  return isChange
}

/**
 * Makes a memorial the account of its user again, who has to log in anew. Returns whether that is a change.
 * @throws NotFoundError if the account does not exist
 */
export async function unmemorializeAccount(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  return changeMemorial(tx, { accountId, memorial: false })
}

async function changeMemorial(
  tx: Tx,
  { accountId, memorial }: { accountId: string; memorial: boolean },
): Promise<boolean> {
  const isChange = await changeAccount(tx, {
    accountId,
    change: (db, values) => setMemorial(db, { ...values, memorial }),
  })
  if (isChange) tx.emit('account.updated', { accountId, mediaKeys: [] })
  return isChange
}

/** Locks the counters first, like all operations that change accounts. */
async function changeAccount(
  tx: Tx,
  {
    accountId,
    change,
  }: { accountId: string; change: (db: Tx['db'], values: AccountChange['params']) => Promise<unknown[]> },
): Promise<boolean> {
  await lockAccounts(tx, { ids: [accountId] })
  if ((await change(tx.db, { accountId, now: tx.now })).length > 0) return true
  return requireNoChange(findAccount(tx.db, { accountId }))
}

/** Returns false if the row exists, which is in the requested state already. @throws NotFoundError if it does not */
async function requireNoChange(rows: Promise<readonly unknown[]>): Promise<false> {
  if ((await rows).length === 0) throw new NotFoundError()
  return false
}
