import { statement } from '../../../platform/db/statement.ts'
import { usableUser } from '../../access/usable-account.ts'
import type { Ctx } from '../../context.ts'
import { deleteStatus, lockReferencedStatuses } from '../write/delete-status.ts'
import { firstTooNewId, hasNoException } from './is-deletable.ts'

const lock = statement<{ params: { accountId: string; statusId: string }; row: { id: string } }>(
  `select id from statuses where id = $statusId and account_id = $accountId and deleted_at is null for update`,
)
const findDeletable = statement<{
  params: { accountId: string; statusId: string; now: Date }
  row: { is_imported: boolean }
}>(
  `select exists (select from imported_statuses i where i.status_id = s.id) as is_imported
   from statuses s
     join accounts a on a.id = s.account_id
     join users u on u.account_id = a.id
     join status_cleanup_policies p on p.user_id = u.id
   where s.id = $statusId and s.account_id = $accountId and p.enabled and ${usableUser()}
     and s.id < ${firstTooNewId('p')} and ${hasNoException('s', 'p')}`,
)

/**
 * Effect: deletes an old status of a user, like a deletion by the user with its media; if the status is a boost, undoes
 * it. Does nothing if an exception keeps the status meanwhile, the user has disabled the policy, or the status does not
 * exist any more. An imported post that probably no other server has causes no Delete.
 */
export async function deleteOldStatus(
  ctx: Ctx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    // A pin, a favourite or a bookmark locks the status, too: it is found here, or it finds no status.
    await lockReferencedStatuses(tx.db, { statusId, accountId })
    if ((await lock(tx.db, { accountId, statusId })).length === 0) return
    const [deletable] = await findDeletable(tx.db, { accountId, statusId, now: tx.now })
    if (!deletable) return
    await deleteStatus(tx, { accountId, statusId, deleteMedia: true, silentIfNotFederated: deletable.is_imported })
  })
}
