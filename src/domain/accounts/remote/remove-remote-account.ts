import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordTombstone } from '../../core/tombstones.ts'

const hide = statement<{ params: { uri: string; now: Date }; row: { id: string } }>(
  `update accounts set suspended_at = coalesce(suspended_at, $now), suspended_by_domain_block = false,
     version = version + 1
   where uri = $uri and domain is not null returning id`,
)

/**
 * Deletes a remote account, usually because it was deleted on its server. The account is hidden at once; jobs delete
 * its statuses and interactions afterwards. Returns false if no account with the URI is known. `mayReturn`: the account
 * still exists on its server, so it can be recorded again as soon as its rows are deleted.
 */
export async function removeRemoteAccount(
  tx: Tx,
  { uri, mayReturn = false }: { uri: string; mayReturn?: boolean },
): Promise<boolean> {
  await lockUris(tx, { uris: [uri] })
  await recordTombstone(tx, { uri, ownerUri: uri })
  const [row] = await hide(tx.db, { uri, now: tx.now })
  if (row) tx.emit('account.purge_requested', { accountId: row.id, ...(mayReturn && { returningUri: uri }) })
  return row !== undefined
}
