import { findStaff } from '../domain/access/find-staff.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { recipientsOf } from '../domain/notifications/staff-mails.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { pendingMail } from './templates/account.ts'

const findPending = statement<{
  params: { accountId: string }
  row: { id: string; email: string; sign_up_reason: string | null; username: string }
}>(
  `select u.id, u.email, u.sign_up_reason, a.username from users u join accounts a on a.id = u.account_id
   where u.account_id = $accountId and u.confirmed_at is not null and not u.approved`,
)

/** Effect: informs the staff who can manage users that an account with a confirmed address is waiting for approval. */
export async function mailPending(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [user] = await findPending(ctx.db, { accountId })
  if (!user) return
  const { username, email, sign_up_reason: reason } = user
  const site = siteOf(ctx)
  const { origin } = ctx.config
  const facts = { site, username, email, reason, url: `${origin}/admin/approvals` }
  const staff = recipientsOf(await findStaff(ctx, { permission: 'manageUsers' }), 'pending')
  await ctx.write(async (tx) => {
    for (const recipient of staff) {
      const mail = pendingMail({ locale: localeOfRecipient(ctx, recipient), ...facts })
      await enqueueMail(tx, { key: `pending:${user.id}:${recipient.userId}`, recipient: recipient.email, ...mail })
    }
  })
}
