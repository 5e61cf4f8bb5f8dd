import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { addressTriedLetter } from './templates/account.ts'

/** Tells the owner of an address that somebody else wanted it; once a day, however often that happens. */
export async function mailAddressTried(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const person = await ctx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select(['u.id', 'u.email', 'a.username'])
    .where('u.account_id', '=', accountId)
    .executeTakeFirst()
  if (!person) return
  const letter = addressTriedLetter({
    site: ctx.config.localDomain,
    username: person.username,
    url: new URL('/auth/sign_in', ctx.config.origin).href,
  })
  const day = ctx.now().toISOString().slice(0, 10)
  const key = `address-tried:${person.id}:${day}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: person.email, ...letter }))
}
