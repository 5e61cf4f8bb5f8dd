import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'

/** A mute with a longer duration never expires. */
const MAX_MUTE_SECONDS = 100 * 365 * 86_400

const upsert = statement<{
  params: { accountId: string; targetAccountId: string; hideNotifications: boolean; expiresAt: Date | null; now: Date }
}>(
  `insert into mutes (account_id, target_account_id, hide_notifications, expires_at, created_at)
   values ($accountId, $targetAccountId, $hideNotifications, $expiresAt, $now)
   on conflict (account_id, target_account_id)
   do update set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at`,
)
const removeNotifications = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `delete from notifications where account_id = $accountId and from_account_id = $targetAccountId`,
)

/**
 * Mutes an account, or changes the options of the mute (Mastodon: POST /api/v1/accounts/:id/mute). Does nothing if an
 * account mutes itself. `hideNotifications`: the muted account causes no notifications, and those it caused are
 * deleted. `durationSeconds`: 0 or less means that the mute does not expire.
 * @throws NotFoundError
 */
export async function muteAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    hideNotifications = true,
    durationSeconds = 0,
  }: {
    accountId: string
    targetAccountId: string
    hideNotifications?: boolean | undefined
    durationSeconds?: number | undefined
  },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  if (accountId === targetAccountId) return
  const ends = durationSeconds > 0 && durationSeconds <= MAX_MUTE_SECONDS
  const expiresAt = ends ? new Date(tx.now.getTime() + durationSeconds * 1000) : null
  if (hideNotifications) await lockNotifications(tx, { accountId })
  await upsert(tx.db, { accountId, targetAccountId, hideNotifications, expiresAt, now: tx.now })
  if (hideNotifications) await removeNotifications(tx.db, { accountId, targetAccountId })
  tx.emit('account.muted', { accountId, targetAccountId })
}
