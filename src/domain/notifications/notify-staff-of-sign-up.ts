import { statement } from '../../platform/db/statement.ts'
import { findStaff } from '../accounts/staff.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

const find = statement<{ params: { accountId: string } }>(
  `select from accounts a join users u on u.account_id = a.id where a.id = $accountId
    and ${usableAccount()} for key share of u`,
)

/** Effect: tells those who manage users of somebody new, once that person is confirmed and approved. */
export async function notifyStaffOfSignUp(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    if ((await find(tx.db, { accountId })).length === 0) return
    const staff = await findStaff(tx, { permission: 'manageUsers' })
    await notify(tx, {
      kind: 'admin.sign_up',
      fromAccountId: accountId,
      recipientIds: staff.map((person) => person.accountId),
    })
  })
}
