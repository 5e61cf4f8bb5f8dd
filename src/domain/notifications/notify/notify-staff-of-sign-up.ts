import { statement } from '../../../platform/db/statement.ts'
import { findStaff } from '../../access/find-staff.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

const find = statement<{ params: { accountId: string } }>(
  `select from accounts a join users u on u.account_id = a.id where a.id = $accountId
    and ${usableAccount()} for key share of u`,
)

/** Effect: notifies the staff who manage users of a new user, once confirmed and approved. */
export async function notifyStaffOfSignUp(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    if ((await find(tx.db, { accountId })).length === 0) return
    const staff = await findStaff(tx, { permission: 'manageUsers' })
    await createNotifications(tx, {
      type: 'admin.sign_up',
      fromAccountId: accountId,
      recipientIds: staff.map((member) => member.accountId),
    })
  })
}
