import { ForbiddenError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordTombstone } from '../../core/tombstones.ts'
import { recordLostParent } from './link-replies.ts'
import { recordUndoneReblog } from '../interactions/reblog-status.ts'
import { deleteStatus } from '../write/delete-status.ts'

const find = statement<{
  params: { uri: string }
  row: { id: string; account_id: string; is_reblog: boolean; is_live: boolean }
}>(
  `select id, account_id, reblog_of_id is not null as is_reblog, deleted_at is null as is_live
   from statuses where uri = $uri`,
)
const removeRestorable = statement<{ params: { statusId: string } }>(
  `delete from restorable_statuses where status_id = $statusId`,
)
const findOwner = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

/**
 * Processes the deletion of a remote status or reblog by its author. A tombstone is recorded for a status that is not
 * known here, so that it is refused if it arrives later. Staff cannot restore a status that its author deleted.
 * @throws ForbiddenError if the status belongs to another account
 */
export async function removeRemoteStatus(
  tx: Tx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<void> {
  await lockUris(tx, { uris: [uri] })
  const [status] = await find(tx.db, { uri })
  if (status && status.account_id !== accountId) throw new ForbiddenError()
  if (status?.is_reblog) await recordUndoneReblog(tx, { accountId, statusId: null, uri })
  else if (status?.is_live) await deleteStatus(tx, { accountId, statusId: status.id })
  else {
    const [owner] = await findOwner(tx.db, { accountId })
    if (owner) await recordTombstone(tx, { uri, ownerUri: owner.uri })
    if (status) await removeRestorable(tx.db, { statusId: status.id })
    else await recordLostParent(tx, { uri, accountId })
  }
}
