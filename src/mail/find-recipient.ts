import type { Ctx } from '../domain/context.ts'
import { selectLocale } from '../lib/messages/locales.ts'
import type { Locale } from '../lib/messages/locales.ts'
import { statement } from '../platform/db/statement.ts'

interface Recipient {
  userId: string
  email: string
  username: string
  locale: Locale
}

const find = statement<{ params: { accountId: string }; row: Omit<Recipient, 'locale'> & { locale: string } }>(
  `select u.id as "userId", u.email, a.username, u.locale
   from users u join accounts a on a.id = u.account_id where u.account_id = $accountId`,
)

/** Returns the user who gets the mails about an account; null if no local user has it any more. */
export async function findRecipient(ctx: Ctx, { accountId }: { accountId: string }): Promise<Recipient | null> {
  const [user] = await find(ctx.db, { accountId })
  return user ? { ...user, locale: localeOfRecipient(ctx, user) } : null
}

/** Returns the language of mails to a user. */
export function localeOfRecipient({ config }: Pick<Ctx, 'config'>, { locale }: { locale: string }): Locale {
  return selectLocale({ setting: locale, serverDefault: config.defaultLocale })
}
