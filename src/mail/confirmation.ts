import { CONFIRMATION_DAYS, confirmationToken } from '../domain/accounts/email/confirm-email.ts'
import { EMAIL_CHANGE_DAYS, pendingEmail } from '../domain/accounts/email/pending-email.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { confirmationMail } from './templates/account.ts'

interface ConfirmingUser {
  id: string
  email: string
  locale: string
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmed_at: Date | null
  confirmation_sent_at: Date | null
  approved: boolean
  sign_up_application_id: string | null
  username: string
  /** Whether another user has the requested address. */
  is_taken: boolean
}

const findUser = statement<{ params: { accountId: string }; row: ConfirmingUser }>(
  `select u.id, u.email, u.locale, u.unconfirmed_email, u.email_change_requested_at, u.confirmed_at, u.confirmation_sent_at,
     u.approved, u.sign_up_application_id, a.username,
     exists (select from users other where lower(other.email) = lower(u.unconfirmed_email) and other.id <> u.id) as is_taken
   from users u join accounts a on a.id = u.account_id where u.account_id = $accountId`,
)

/** Effect: enqueues the mail with the confirmation link, once per request, unless another user has the address. */
export async function mailConfirmation(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [user] = await findUser(ctx.db, { accountId })
  if (!user?.confirmation_sent_at) return
  const newEmail = pendingEmail(user, { now: ctx.now() })
  if (user.confirmed_at !== null && newEmail === null) return
  if (newEmail !== null && user.is_taken) return
  const email = newEmail ?? user.email
  const confirmation = { userId: user.id, email, sentAt: user.confirmation_sent_at }
  const url = new URL('/auth/confirmation', ctx.config.origin)
  url.searchParams.set('confirmation_token', confirmationToken(ctx.secrets, confirmation))
  // Only for a sign-up: a change of the address is requested on this server.
  if (user.confirmed_at === null && user.sign_up_application_id !== null)
    url.searchParams.set('redirect_to_app', 'true')
  const mail = confirmationMail({
    locale: localeOfRecipient(ctx, user),
    site: siteOf(ctx),
    username: user.username,
    url: url.href,
    days: user.confirmed_at === null ? CONFIRMATION_DAYS : EMAIL_CHANGE_DAYS,
    change: user.confirmed_at !== null,
    approved: user.approved,
  })
  const key = `confirmation:${user.id}:${confirmation.sentAt.getTime()}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: email, ...mail }))
}
