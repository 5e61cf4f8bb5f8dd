import { NotFound, ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { confirmPassword } from '../auth/own-password.ts'
import type { Ctx, Read } from '../context.ts'
import { emailProblem } from './check-person.ts'
import { noteTriedAddress } from './note-tried-address.ts'

const lock = statement<{ params: { userId: string }; row: { account_id: string; email: string } }>(
  `select account_id, email from users where id = $userId for no key update`,
)
const write = statement<{
  params: { userId: string; unconfirmedEmail: string | null; emailChangeRequestedAt: Date | null }
}>(
  `update users set unconfirmed_email = $unconfirmedEmail, email_change_requested_at = $emailChangeRequestedAt, confirmation_sent_at = $emailChangeRequestedAt where id = $userId`,
)

/**
 * Moves somebody to another address as soon as they follow the link that is sent there; the present one is told.
 * Naming the current address cancels a pending change. An address of another user gets the same answer and the same mail
 * to the current address, but changes nothing; that user is notified.
 * @throws ValidationFailed (of `current_password` or `email`) · TooManyRequests
 */
export async function changeEmail(
  ctx: Ctx,
  { userId, currentPassword, email }: { userId: string; currentPassword: string; email: string },
): Promise<void> {
  const wanted = email.trim()
  const problem = emailProblem(wanted)
  if (problem) throw new ValidationFailed([problem])
  await confirmPassword(ctx, { userId, password: currentPassword })
  await ctx.write(async (tx) => {
    const [user] = await lock(tx.db, { userId })
    if (!user) return
    if (user.email.toLowerCase() === wanted.toLowerCase()) {
      await write(tx.db, { userId, unconfirmedEmail: null, emailChangeRequestedAt: null })
      return
    }
    const change = { email: user.email, newEmail: wanted, at: tx.now.getTime() }
    tx.emit('account.email_change_asked', { accountId: user.account_id, ...change })
    if (await noteTriedAddress(tx, { email: wanted, triedBy: userId })) return
    await write(tx.db, { userId, unconfirmedEmail: wanted, emailChangeRequestedAt: tx.now })
    tx.emit('account.confirmation_asked', { accountId: user.account_id })
  })
}

const find = statement<{ params: { userId: string }; row: { email: string } }>(
  `select email from users where id = $userId`,
)

/** The address to which somebody's letters go. @throws NotFound when they are gone */
export async function findEmail(read: Pick<Read, 'db'>, { userId }: { userId: string }): Promise<string> {
  const [user] = await find(read.db, { userId })
  if (!user) throw new NotFound()
  return user.email
}
