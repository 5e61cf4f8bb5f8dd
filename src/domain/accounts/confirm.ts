import { Unprocessable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Ctx } from '../context.ts'
import { noteRegistration } from '../instance/weekly-people.ts'
import { pendingEmail } from './pending-email.ts'

/** An account that is not confirmed by then is removed, see `expire-sign-ups.ts`. */
export const CONFIRMATION_DAYS = 7

const PURPOSE = 'confirm an e-mail address'

/** What a confirmation link stands for: a person, the address to confirm, and the letter that asks. */
export interface Confirmation {
  userId: string
  email: string
  sentAt: Date
}

interface ConfirmingUser {
  account_id: string
  email: string
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmed_at: Date | null
  confirmation_sent_at: Date | null
  approved: boolean
  sign_up_application_id: string | null
}

const lock = statement<{ params: { userId: string }; row: ConfirmingUser }>(
  `select account_id, email, unconfirmed_email, email_change_requested_at, confirmed_at, confirmation_sent_at, approved,
     sign_up_application_id
   from users where id = $userId for update`,
)
// A user who can read the mails of the former address must not get a new password by them.
const confirm = statement<{ params: { userId: string; email: string; now: Date } }>(
  `update users set email = $email, unconfirmed_email = null, email_change_requested_at = null,
     confirmed_at = coalesce(confirmed_at, $now), confirmation_sent_at = null, password_reset_sent_at = null
   where id = $userId`,
)
const findOther = statement<{ params: { userId: string; email: string }; row: { id: string } }>(
  `select id from users where lower(email) = $email and id <> $userId`,
)

/** The token of a confirmation link. Nothing of it is stored: whoever holds it got the letter. */
export function confirmationToken(secrets: Secrets, confirmation: Confirmation): string {
  return `${confirmation.userId}.${secrets.seal(PURPOSE, sealedText(confirmation))}`
}

/** The link did not work: it is old, used, or was never ours. */
export class ConfirmationRefused extends Unprocessable {
  constructor() {
    super('This confirmation link does not work any more')
  }
}

/**
 * Confirms the address that a link was sent to. A link works once, for seven days, and only until another one is sent.
 * A link to a new address also stops working seven days after the change was requested. The former address gets a mail.
 * Approval, where it is asked for, is not touched.
 * @throws ConfirmationRefused
 */
export async function confirmAddress(
  ctx: Ctx,
  { token }: { token: string },
): Promise<{ userId: string; accountId: string; approved: boolean; applicationId: string | null }> {
  const [userId = '', seal = ''] = token.split('.')
  if (!isId(userId)) throw new ConfirmationRefused()
  return ctx.write(async (tx) => {
    const [user] = await lock(tx.db, { userId })
    if (!user?.confirmation_sent_at) throw new ConfirmationRefused()
    const newEmail = pendingEmail(user, { now: tx.now })
    const email = newEmail ?? user.email
    const confirmation = { userId, email, sentAt: user.confirmation_sent_at }
    if (!ctx.secrets.isSealed(PURPOSE, sealedText(confirmation), seal)) throw new ConfirmationRefused()
    if (tx.now.getTime() - confirmation.sentAt.getTime() > CONFIRMATION_DAYS * 86_400_000)
      throw new ConfirmationRefused()
    if (newEmail !== null && (await findOther(tx.db, { email: email.toLowerCase(), userId })).length > 0)
      throw new ConfirmationRefused()
    await confirm(tx.db, { userId, email, now: tx.now })
    if (user.confirmed_at === null) {
      await noteRegistration(tx, { userId })
      tx.emit('account.confirmed', { accountId: user.account_id })
    }
    if (newEmail !== null) {
      const change = { formerEmail: user.email, newEmail, at: tx.now.getTime() }
      tx.emit('account.email_changed', { accountId: user.account_id, ...change })
    }
    return {
      userId,
      accountId: user.account_id,
      approved: user.approved,
      applicationId: user.sign_up_application_id,
    }
  })
}

function sealedText({ userId, email, sentAt }: Confirmation): string {
  return JSON.stringify([userId, email, sentAt.getTime()])
}
