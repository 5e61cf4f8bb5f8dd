import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

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
     version = version + (silenced_at is null)::integer
   where id = $accountId returning id`,
)
const resetLimited = statement<AccountReset>(
  `update accounts set silenced_at = null, silenced_by_domain_block = false,
     version = version + (silenced_at is not null)::integer
   where id = $accountId returning id`,
)
// The document of an actor contains its suspension, so a suspension changes `updated_at` too.
const setSuspended = statement<AccountChange>(
  `update accounts set suspended_at = coalesce(suspended_at, $now), suspended_by_origin = false,
     suspended_by_domain_block = false, version = version + (suspended_at is null)::integer,
     updated_at = case when suspended_at is null then $now else updated_at end
   where id = $accountId returning id`,
)
const setSensitized = statement<AccountChange>(
  `update accounts set sensitized_at = coalesce(sensitized_at, $now), version = version + (sensitized_at is null)::integer
   where id = $accountId returning id`,
)
const resetSensitized = statement<AccountReset>(
  `update accounts set sensitized_at = null, version = version + (sensitized_at is not null)::integer
   where id = $accountId returning id`,
)
const isLocallySuspended = 'suspended_at is not null and not suspended_by_origin'
const resetSuspended = statement<AccountChange>(
  `update accounts set suspended_at = case when suspended_by_origin then suspended_at end,
     suspended_by_domain_block = false, version = version + (${isLocallySuspended})::integer,
     updated_at = case when ${isLocallySuspended} then $now else updated_at end
   where id = $accountId returning id`,
)
const setDisabled = statement<{ params: { userId: string; now: Date }; row: { id: string } }>(
  `update users set disabled_at = coalesce(disabled_at, $now) where id = $userId returning id`,
)
const resetDisabled = statement<{ params: { userId: string }; row: { id: string } }>(
  `update users set disabled_at = null where id = $userId returning id`,
)

/**
 * Limits an account: public timelines and trends leave out its statuses, and searches and threads show them only to its
 * followers. An account that is already limited keeps its time (Mastodon: POST /api/v1/admin/accounts/:id/action with
 * type `silence`).
 * @throws NotFoundError if the account does not exist
 */
export async function limitAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  requireOne(await setLimited(tx.db, { accountId, now: tx.now }))
  tx.emit('account.limit_changed', { accountId })
}

/**
 * Ends the limit of an account, if it has one (Mastodon: POST /api/v1/admin/accounts/:id/unsilence).
 * @throws NotFoundError if the account does not exist
 */
export async function unlimitAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  requireOne(await resetLimited(tx.db, { accountId }))
  tx.emit('account.limit_changed', { accountId })
}

/**
 * Suspends an account: its profile and statuses are hidden, and its user cannot use the API. Deletes nothing. An
 * account that is already suspended keeps its time; if its own server suspended it, that server can no longer end the
 * suspension (Mastodon: POST /api/v1/admin/accounts/:id/action with type `suspend`).
 * @throws NotFoundError if the account does not exist
 */
export async function suspendAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  requireOne(await setSuspended(tx.db, { accountId, now: tx.now }))
  tx.emit('account.suspension_changed', { accountId })
}

/**
 * Ends the suspension of an account by this server, if there is one (Mastodon: POST
 * /api/v1/admin/accounts/:id/unsuspend). A suspension by the account's own server stays.
 * @throws NotFoundError if the account does not exist
 */
export async function unsuspendAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  requireOne(await resetSuspended(tx.db, { accountId, now: tx.now }))
  tx.emit('account.suspension_changed', { accountId })
}

/**
 * Marks all statuses of an account as sensitive, present and future ones (Mastodon: POST
 * /api/v1/admin/accounts/:id/action with type `sensitive`).
 * @throws NotFoundError if the account does not exist
 */
export async function sensitizeAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  requireOne(await setSensitized(tx.db, { accountId, now: tx.now }))
  tx.emit('account.limit_changed', { accountId })
}

/**
 * Shows the statuses of an account as their author marked them (Mastodon: POST /api/v1/admin/accounts/:id/unsensitive).
 * @throws NotFoundError if the account does not exist
 */
export async function unsensitizeAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  requireOne(await resetSensitized(tx.db, { accountId }))
  tx.emit('account.limit_changed', { accountId })
}

/**
 * Freezes a user, who can then neither log in nor use the API; the account stays visible. A user who is already
 * disabled keeps the time (Mastodon: POST /api/v1/admin/accounts/:id/action with type `disable`).
 * @throws NotFoundError if the user does not exist
 */
export async function disableUser(tx: Tx, { userId }: { userId: string }): Promise<void> {
  requireOne(await setDisabled(tx.db, { userId, now: tx.now }))
}

/**
 * Enables a disabled user again (Mastodon: POST /api/v1/admin/accounts/:id/enable).
 * @throws NotFoundError if the user does not exist
 */
export async function enableUser(tx: Tx, { userId }: { userId: string }): Promise<void> {
  requireOne(await resetDisabled(tx.db, { userId }))
}

function requireOne(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new NotFoundError()
}
