import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { bury } from '../tombstones.ts'

const hide = statement<{ params: { uri: string; now: Date }; row: { id: string } }>(
  `update accounts set suspended_at = coalesce(suspended_at, $now), version = version + 1
   where uri = $uri and domain is not null returning id`,
)

/**
 * Removes somebody of another server who was deleted there. Nobody sees them from this moment; what they wrote and did
 * goes afterwards, step by step. False when nobody here is known by that address.
 */
export async function removeRemoteAccount(tx: Tx, { uri }: { uri: string }): Promise<boolean> {
  await lockUris(tx, { uris: [uri] })
  await bury(tx, { uri, ownerUri: uri })
  const [row] = await hide(tx.db, { uri, now: tx.now })
  if (row) tx.emit('account.removed', { accountId: row.id })
  return row !== undefined
}
