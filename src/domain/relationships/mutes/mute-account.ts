import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { filterVisibleAccounts } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'

/** A mute with a longer duration never expires. */
const MAX_MUTE_SECONDS = 100 * 365 * 86_400

const upsert = statement<{
  params: {
    accountId: string
    targetAccountIds: readonly string[]
    hidesNotifications: readonly boolean[]
    expiresAt: Date | null
    now: Date
  }
}>(
  `insert into mutes (account_id, target_account_id, hide_notifications, expires_at, created_at)
   select $accountId, target_account_id, hide_notifications, $expiresAt, $now
   from unnest($targetAccountIds::bigint[], $hidesNotifications::boolean[]) with ordinality
     as m (target_account_id, hide_notifications, position)
   order by position
   on conflict (account_id, target_account_id)
   do update set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at`,
)
const removeNotifications = statement<{ params: { accountId: string; targetAccountIds: readonly string[] } }>(
  `delete from notifications where account_id = $accountId and from_account_id = any($targetAccountIds::bigint[])`,
)

interface NewMute {
  targetAccountId: string
  /** Whether the muted account causes no notifications, and those that it caused are deleted; by default it does. */
  hideNotifications?: boolean | undefined
}

/**
 * Mutes an account, or changes the options of the mute (Mastodon: POST /api/v1/accounts/:id/mute). Does nothing if an
 * account mutes itself. `durationSeconds`: 0 or less means that the mute does not expire.
 * @throws NotFoundError
 */
export async function muteAccount(
  tx: Tx,
  { accountId, durationSeconds = 0, ...mute }: NewMute & { accountId: string; durationSeconds?: number | undefined },
): Promise<void> {
  const { targetAccountId } = mute
  const { mutedIds, missingIds } = await writeMutes(tx, { accountId, mutes: [mute], durationSeconds })
  if (missingIds.length > 0) throw new NotFoundError()
  if (mutedIds.length > 0) tx.emit('account.muted', { accountId, targetAccountId })
}

/**
 * Mutes many accounts without an expiry, as `muteAccount` does. Of several mutes of one account, the last one counts.
 * Returns the ids of the accounts that do not exist.
 */
export async function muteAccounts(
  tx: Tx,
  { accountId, mutes }: { accountId: string; mutes: readonly NewMute[] },
): Promise<Set<string>> {
  const distinct = [...new Map(mutes.map((mute) => [mute.targetAccountId, mute])).values()]
  const { mutedIds, missingIds } = await writeMutes(tx, { accountId, mutes: distinct, durationSeconds: 0 })
  if (mutedIds.length > 0) tx.emit('account.many_muted', { accountId, targetAccountIds: mutedIds })
  return new Set(missingIds)
}

/** Returns the ids of the muted accounts, and those without an account. */
async function writeMutes(
  tx: Tx,
  { accountId, mutes, durationSeconds }: { accountId: string; mutes: readonly NewMute[]; durationSeconds: number },
): Promise<{ mutedIds: string[]; missingIds: string[] }> {
  const ids = mutes.map((mute) => mute.targetAccountId)
  const visible = new Set(await filterVisibleAccounts(tx, { ids }))
  const missingIds = ids.filter((id) => !visible.has(id))
  const written = mutes.filter(({ targetAccountId: id }) => visible.has(id) && id !== accountId)
  const mutedIds = written.map((mute) => mute.targetAccountId)
  if (written.length === 0) return { mutedIds, missingIds }
  const ends = durationSeconds > 0 && durationSeconds <= MAX_MUTE_SECONDS
  const expiresAt = ends ? new Date(tx.now.getTime() + durationSeconds * 1000) : null
  const hidesNotifications = written.map(({ hideNotifications = true }) => hideNotifications)
  const hiddenIds = mutedIds.filter((_id, index) => hidesNotifications[index])
  if (hiddenIds.length > 0) await lockNotifications(tx, { accountId })
  await upsert(tx.db, { accountId, targetAccountIds: mutedIds, hidesNotifications, expiresAt, now: tx.now })
  if (hiddenIds.length > 0) await removeNotifications(tx.db, { accountId, targetAccountIds: hiddenIds })
  return { mutedIds, missingIds }
}
