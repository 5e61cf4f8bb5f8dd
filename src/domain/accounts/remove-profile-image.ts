import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

type Kind = 'avatar' | 'header'

const statements = (kind: Kind) => ({
  lock: statement<{ key: string; static_key: string | null }>(
    `select ${kind}_key as key, ${kind}_static_key as static_key from accounts
     where id = $1 and domain is null and ${kind}_key is not null for no key update`,
  ),
  clear: statement(
    `update accounts set ${kind}_key = null, ${kind}_static_key = null, ${kind}_description = '',
       version = version + 1, updated_at = $2
     where id = $1`,
  ),
})

const removals = { avatar: statements('avatar'), header: statements('header') }

/** Takes somebody's avatar or header away, with what describes it. Where there is none, nothing happens. */
export async function removeProfileImage(
  tx: Tx,
  { accountId, kind }: { accountId: string; kind: Kind },
): Promise<void> {
  const { lock, clear } = removals[kind]
  const [image] = await lock(tx.db, [accountId])
  if (!image) return
  await clear(tx.db, [accountId, tx.now])
  const keys = [image.key, image.static_key].filter((key) => key !== null)
  tx.emit('account.updated', { accountId, mediaKeys: [...new Set(keys)] })
}
