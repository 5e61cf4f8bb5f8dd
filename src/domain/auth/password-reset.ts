import { Unprocessable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { hashNew, replacePassword } from './own-password.ts'

/** How long a link works. */
export const PASSWORD_RESET_HOURS = 6
const HOUR_MS = 3_600_000

const PURPOSE = 'replace a forgotten password'

/** What a link stands for: a person, and the letter that it stood in. */
interface PasswordReset {
  userId: string
  sentAt: Date
}

/**
 * Takes in that the owner of an address has forgotten their password. Whether there is one is found out later, so
 * nothing in the answer or in its time tells.
 */
export async function askForPassword(tx: Tx, { email }: { email: string }): Promise<void> {
  tx.emit('account.password_forgotten', { email: email.trim().toLowerCase(), at: tx.now.getTime() })
}

const LETTER = 'password-forgotten'

// What was written once is not noted again: its link may have been used meanwhile.
const note = statement<{
  params: { email: string; sentAt: Date; moment: string }
  row: { id: string; email: string; username: string; locale: string }
}>(
  `update users u set password_reset_sent_at = $sentAt from accounts a
   where a.id = u.account_id and lower(u.email) = lower($email) and u.disabled_at is null and a.suspended_at is null
     and not a.memorial and (u.password_reset_sent_at is null or u.password_reset_sent_at < $sentAt)
     and not exists (select from mails m where m.key = '${LETTER}:' || u.id || ':' || $moment)
   returning u.id, u.email, a.username, u.locale`,
)

/**
 * Notes that a letter is written to the owner of an address; from then on only its link works. `key`: of the letter.
 * null: nobody here has that address, or may log in, or it was written already, or a newer one was.
 */
export async function notePasswordLetter(
  tx: Tx,
  { email, sentAt }: { email: string; sentAt: Date },
): Promise<{ userId: string; email: string; username: string; locale: string; key: string } | null> {
  const moment = String(sentAt.getTime())
  const [user] = await note(tx.db, { email, sentAt, moment })
  if (!user) return null
  const { id: userId, email: recipient, username, locale } = user
  return { userId, email: recipient, username, locale, key: `${LETTER}:${userId}:${moment}` }
}

/** The token of a link. Nothing of it is stored: whoever holds it got the letter. */
export function passwordToken(secrets: Secrets, reset: PasswordReset): string {
  return `${reset.userId}.${secrets.seal(PURPOSE, sealedText(reset))}`
}

/** The link did not work: it is old, used, or was never ours. */
export class PasswordLinkRefused extends Unprocessable {
  constructor() {
    super('This link does not work any more')
  }
}

const find = statement<{
  params: { userId: string }
  row: { account_id: string; password_reset_sent_at: Date | null }
}>(`select account_id, password_reset_sent_at from users where id = $userId and disabled_at is null`)
const lock = statement<{
  params: { userId: string }
  row: { account_id: string; password_reset_sent_at: Date | null }
}>(`select account_id, password_reset_sent_at from users where id = $userId and disabled_at is null for no key update`)

/** @throws PasswordLinkRefused for the token of a link that does not work, or not any more */
export async function checkPasswordToken(ctx: Ctx, { token }: { token: string }): Promise<void> {
  await findAsked(ctx, { token, now: ctx.now(), read: async (userId) => find(ctx.db, { userId }) })
}

/**
 * Gives somebody another password, by a link that works once, for six hours, and only until another letter is written.
 * Everything that was logged in is not any more, and a letter tells of it.
 * @throws PasswordLinkRefused · ValidationFailed (of `password`) · TooManyRequests
 */
export async function resetPassword(ctx: Ctx, { token, password }: { token: string; password: string }): Promise<void> {
  await checkPasswordToken(ctx, { token })
  const passwordHash = await hashNew(password)
  await ctx.write(async (tx) => {
    const asked = await findAsked(ctx, { token, now: tx.now, read: async (userId) => lock(tx.db, { userId }) })
    await replacePassword(tx, { ...asked, passwordHash })
  })
}

async function findAsked(
  { secrets }: Pick<Ctx, 'secrets'>,
  { token, now, read }: { token: string; now: Date; read: (userId: string) => ReturnType<typeof find> },
): Promise<{ userId: string; accountId: string }> {
  const [userId = '', seal = ''] = token.split('.')
  const [user] = isId(userId) ? await read(userId) : []
  const sentAt = user?.password_reset_sent_at
  if (!user || !sentAt || !secrets.isSealed(PURPOSE, sealedText({ userId, sentAt }), seal)) {
    throw new PasswordLinkRefused()
  }
  if (now.getTime() - sentAt.getTime() > PASSWORD_RESET_HOURS * HOUR_MS) throw new PasswordLinkRefused()
  return { userId, accountId: user.account_id }
}

function sealedText({ userId, sentAt }: PasswordReset): string {
  return JSON.stringify([userId, sentAt.getTime()])
}
