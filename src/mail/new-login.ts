import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { describeBrowser } from '../lib/http/describe-browser.ts'
import { message } from '../lib/messages/message.ts'
import { statement } from '../platform/db/statement.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { newLoginMail } from './templates/new-login.ts'

const find = statement<{
  params: { loginActivityId: string }
  row: { ip: string | null; userAgent: string; createdAt: Date }
}>(
  `select host(ip) as ip, user_agent as "userAgent", created_at as "createdAt"
   from login_activities where id = $loginActivityId`,
)

/** Effect: informs a user of a log-in from a network that they have not used before. */
export async function mailNewLogin(
  ctx: Ctx,
  { accountId, loginActivityId }: { accountId: string; loginActivityId: string },
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  const [login] = await find(ctx.db, { loginActivityId })
  if (!user || !login) return
  const { username, locale } = user
  const mail = newLoginMail({
    locale,
    site: siteOf(ctx),
    username,
    at: login.createdAt,
    ip: login.ip,
    browser: describeBrowser(login.userAgent) ?? message(locale, 'sessions.unknown-browser'),
    url: new URL('/settings/sessions', ctx.config.origin).href,
  })
  await ctx.write((tx) => enqueueMail(tx, { key: `new-login:${loginActivityId}`, recipient: user.email, ...mail }))
}
