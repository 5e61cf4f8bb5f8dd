import { usableUser } from '../domain/access/usable-account.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { welcomeMail } from './templates/account.ts'

const find = statement<{
  params: { accountId: string }
  row: { id: string; email: string; locale: string; username: string }
}>(
  `select u.id, u.email, u.locale, a.username from users u join accounts a on a.id = u.account_id
   where a.id = $accountId and ${usableUser()}`,
)

/** Effect: welcomes a new user, once. A user who was disabled, suspended or deleted meanwhile gets no mail. */
export async function mailWelcome(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [user] = await find(ctx.db, { accountId })
  if (!user) return
  const { webDomain, origin } = ctx.config
  const site = siteOf(ctx)
  const mail = welcomeMail({
    locale: localeOfRecipient(ctx, user),
    site,
    // As on the page of the account: not every app converts an internationalised domain.
    server: webDomain,
    username: user.username,
    handle: `@${user.username}@${site}`,
    url: `${origin}/account`,
  })
  await ctx.write((tx) => enqueueMail(tx, { key: `welcome:${user.id}`, recipient: user.email, ...mail }))
}
