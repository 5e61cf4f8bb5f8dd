import { UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { hashNewPassword, replacePassword } from './current-password.ts'

/** Hours for which a link of a password reset works. */
export const PASSWORD_RESET_HOURS = 6
const HOUR_MS = 3_600_000

const PURPOSE = 'replace a forgotten password'

/** What the link of a password reset is signed for: a user, and the time at which its mail was sent. */
interface PasswordReset {
  userId: string
  sentAt: Date
}

/**
 * Records a request for a password reset of an e-mail address. A job checks later whether a user has the address, so
 * that neither the response nor its time reveals it.
 */
export async function requestPasswordReset(tx: Tx, { email }: { email: string }): Promise<void> {
  tx.emit('account.password_reset_requested', { email: email.trim().toLowerCase(), at: tx.now.getTime() })
}

const MAIL_KEY_PREFIX = 'password-forgotten'

// A mail that was enqueued before is not recorded again: its link may have been used meanwhile. Users whose accounts are
// disabled or suspended get one, too: they log in to read the strikes against them and to appeal.
const recordResetMail = statement<{
  params: { email: string; sentAt: Date; timestamp: string }
  row: { id: string; email: string; username: string; locale: string }
}>(
  `update users u set password_reset_sent_at = $sentAt from accounts a
   where a.id = u.account_id and lower(u.email) = lower($email) and not a.memorial
     and (u.password_reset_sent_at is null or u.password_reset_sent_at < $sentAt)
     and not exists (select from mails m where m.key = '${MAIL_KEY_PREFIX}:' || u.id || ':' || $timestamp)
   returning u.id, u.email, a.username, u.locale`,
)

/**
 * Records that a password reset mail is sent to the user with an address; from then on only the link of this mail
 * works. `key`: the unique key of the mail. Returns null if no user has the address, the user may not log in, or nobody
 * logs in with a password, and if this mail or a newer one was recorded already.
 */
export async function recordPasswordResetMail(
  tx: Tx,
  { email, sentAt }: { email: string; sentAt: Date },
): Promise<{ userId: string; email: string; username: string; locale: string; key: string } | null> {
  if (tx.config.singleSignOn.only) return null
  const timestamp = String(sentAt.getTime())
  const [user] = await recordResetMail(tx.db, { email, sentAt, timestamp })
  if (!user) return null
  const { id: userId, email: recipient, username, locale } = user
  return { userId, email: recipient, username, locale, key: `${MAIL_KEY_PREFIX}:${userId}:${timestamp}` }
}

/** Returns the token of a link. It is signed and not stored: its holder must have received the mail. */
export function passwordResetToken(secrets: Secrets, reset: PasswordReset): string {
  return `${reset.userId}.${secrets.sign(PURPOSE, signedText(reset))}`
}

/** 422: the link has expired, was used, was replaced by a later one, or was not issued by this server. */
export class InvalidPasswordResetError extends UnprocessableError {
  constructor() {
    super('This link does not work any more')
  }
}

const find = statement<{
  params: { userId: string }
  row: { account_id: string; password_reset_sent_at: Date | null }
}>(`select account_id, password_reset_sent_at from users where id = $userId`)
const lock = statement<{
  params: { userId: string }
  row: { account_id: string; password_reset_sent_at: Date | null }
}>(`select account_id, password_reset_sent_at from users where id = $userId for no key update`)

/** Checks the token of a link without using it. @throws InvalidPasswordResetError */
export async function verifyPasswordResetToken(ctx: Ctx, { token }: { token: string }): Promise<void> {
  await verifyToken(ctx, { token, now: ctx.now(), findUser: async (userId) => find(ctx.db, { userId }) })
}

/**
 * Sets a new password by a link, which works once, for six hours, and only until another mail is sent. Ends all
 * sessions and tokens of the user, who gets a mail about the change.
 * @throws InvalidPasswordResetError; ValidationError (of `password`); TooManyRequestsError
 */
export async function resetPassword(ctx: Ctx, { token, password }: { token: string; password: string }): Promise<void> {
  await verifyPasswordResetToken(ctx, { token })
  const passwordHash = await hashNewPassword(password)
  await ctx.write(async (tx) => {
    const verified = await verifyToken(ctx, { token, now: tx.now, findUser: async (userId) => lock(tx.db, { userId }) })
    await replacePassword(tx, { ...verified, passwordHash })
  })
}

async function verifyToken(
  { secrets }: Pick<Ctx, 'secrets'>,
  { token, now, findUser }: { token: string; now: Date; findUser: (userId: string) => ReturnType<typeof find> },
): Promise<{ userId: string; accountId: string }> {
  const [userId = '', signature = ''] = token.split('.')
  const [user] = isId(userId) ? await findUser(userId) : []
  const sentAt = user?.password_reset_sent_at
  if (!user || !sentAt || !secrets.verify(PURPOSE, signedText({ userId, sentAt }), signature)) {
    throw new InvalidPasswordResetError()
  }
  if (now.getTime() - sentAt.getTime() > PASSWORD_RESET_HOURS * HOUR_MS) throw new InvalidPasswordResetError()
  return { userId, accountId: user.account_id }
}

function signedText({ userId, sentAt }: PasswordReset): string {
  return JSON.stringify([userId, sentAt.getTime()])
}
