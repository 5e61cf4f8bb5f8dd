import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

type Kind = 'avatar' | 'header'

const statements = (kind: Kind) => ({
  lock: statement<{ params: { accountId: string }; row: { key: string; static_key: string | null }; notNull: 'key' }>(
    `select ${kind}_key as key, ${kind}_static_key as static_key from accounts
     where id = $accountId and domain is null and ${kind}_key is not null for no key update`,
  ),
  clear: statement<{ params: { accountId: string; now: Date } }>(
    `update accounts set ${kind}_key = null, ${kind}_static_key = null, ${kind}_description = '',
       version = version + 1, updated_at = $now
     where id = $accountId`,
  ),
})

const removals = { avatar: statements('avatar'), header: statements('header') }

/**
 * Deletes the avatar or header of an account with its description, if there is one (Mastodon: DELETE
 * /api/v1/profile/avatar).
 */
export async function removeProfileImage(
  tx: Tx,
  { accountId, kind }: { accountId: string; kind: Kind },
): Promise<void> {
  const { lock, clear } = removals[kind]
  const [image] = await lock(tx.db, { accountId })
  if (!image) return
  await clear(tx.db, { accountId, now: tx.now })
  const keys = [image.key, image.static_key].filter((key) => key !== null)
  tx.emit('account.updated', { accountId, mediaKeys: [...new Set(keys)] })
}
