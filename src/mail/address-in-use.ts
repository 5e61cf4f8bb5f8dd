import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { addressInUseMail } from './templates/account.ts'

const findOwner = statement<{
  params: { accountId: string }
  row: { id: string; email: string; locale: string; username: string }
}>(
  `select u.id, u.email, u.locale, a.username from users u join accounts a on a.id = u.account_id
   where u.account_id = $accountId`,
)

/** Effect: informs the owner of an e-mail address of attempts to register with it, at most once a day. */
export async function mailAddressInUse(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [user] = await findOwner(ctx.db, { accountId })
  if (!user) return
  const mail = addressInUseMail({
    locale: localeOfRecipient(ctx, user),
    site: siteOf(ctx),
    username: user.username,
    url: new URL('/auth/sign_in', ctx.config.origin).href,
  })
  const day = ctx.now().toISOString().slice(0, 10)
  const key = `address-in-use:${user.id}:${day}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: user.email, ...mail }))
}
