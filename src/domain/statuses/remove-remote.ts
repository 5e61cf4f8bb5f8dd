import { Forbidden } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { bury } from '../tombstones.ts'
import { disappointReplies } from './adopt-replies.ts'
import { takeBackBoost } from './boost.ts'
import { deleteStatus } from './delete.ts'

const find = statement<{
  params: { uri: string }
  row: { id: string; account_id: string; is_boost: boolean; is_live: boolean }
}>(
  `select id, account_id, reblog_of_id is not null as is_boost, deleted_at is null as is_live
   from statuses where uri = $uri`,
)
const findOwner = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

/**
 * Takes in that somebody elsewhere deleted a status of theirs, or a boost. What has not come yet will not be let in.
 * @throws Forbidden when it is somebody else's
 */
export async function removeRemoteStatus(
  tx: Tx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<void> {
  await lockUris(tx, { uris: [uri] })
  const [status] = await find(tx.db, { uri })
  if (status && status.account_id !== accountId) throw new Forbidden()
  if (status?.is_boost) await takeBackBoost(tx, { accountId, statusId: null, uri })
  else if (status?.is_live) await deleteStatus(tx, { accountId, statusId: status.id })
  else {
    const [owner] = await findOwner(tx.db, { accountId })
    if (owner) await bury(tx, { uri, ownerUri: owner.uri })
    if (!status) await disappointReplies(tx, { uri, accountId })
  }
}
