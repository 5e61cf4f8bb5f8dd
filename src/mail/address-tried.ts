import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { addressTriedMail } from './templates/account.ts'

/** Effect: informs the owner of an e-mail address of attempts to register with it, at most once a day. */
export async function mailAddressTried(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const user = await ctx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select(['u.id', 'u.email', 'u.locale', 'a.username'])
    .where('u.account_id', '=', accountId)
    .executeTakeFirst()
  if (!user) return
  const mail = addressTriedMail({
    locale: localeOfRecipient(ctx, user),
    site: ctx.config.localDomain,
    username: user.username,
    url: new URL('/auth/sign_in', ctx.config.origin).href,
  })
  const day = ctx.now().toISOString().slice(0, 10)
  const key = `address-tried:${user.id}:${day}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: user.email, ...mail }))
}
