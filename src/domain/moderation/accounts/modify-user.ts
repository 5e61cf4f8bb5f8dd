import { ForbiddenError, UnprocessableError } from '../../../lib/errors.ts'
import { changeEmailAsStaff } from '../../accounts/email/change-email.ts'
import { confirmEmailAsStaff } from '../../accounts/email/confirm-email.ts'
import { hashNewPassword, replacePassword } from '../../auth/current-password.ts'
import { disableTwoFactor } from '../../auth/two-factor/second-factors.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockTarget, recordAction } from '../lock-target.ts'
import type { ActionInput } from '../lock-target.ts'

/**
 * Changes the e-mail address of a local user. `confirm`: without the confirmation by a link; the former address gets a
 * mail in any case.
 * @throws NotFoundError; ForbiddenError for a remote account; ValidationError (of `email`)
 */
export async function changeEmailOfUser(
  tx: Tx,
  { accountId, by, email, confirm }: ActionInput & { email: string; confirm: boolean },
): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null) throw new ForbiddenError()
  await changeEmailAsStaff(tx, { userId: target.user_id, email })
  await recordAction(tx, { by, target, action: 'change_email' })
  if (confirm) await confirmEmailOfUser(tx, { accountId, by })
}

/**
 * Confirms the e-mail address of a local user, the requested one if there is one.
 * @throws NotFoundError; ForbiddenError for a remote account; ValidationError if another user has the address
 */
export async function confirmEmailOfUser(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null) throw new ForbiddenError()
  if (await confirmEmailAsStaff(tx, { userId: target.user_id }))
    await recordAction(tx, { by, target, action: 'confirm' })
}

/**
 * Sets a password of a local user. Sessions, tokens and push subscriptions end, and the user gets a mail.
 * @throws NotFoundError; ForbiddenError for a remote account; ValidationError (of `password`); TooManyRequestsError
 */
export async function resetPasswordOfUser(
  ctx: Ctx,
  { accountId, by, password }: ActionInput & { password: string },
): Promise<void> {
  const passwordHash = await hashNewPassword(password)
  await ctx.write(async (tx) => {
    const target = await lockTarget(tx, { accountId, by })
    if (target.user_id === null) throw new ForbiddenError()
    await replacePassword(tx, { userId: target.user_id, accountId, passwordHash })
    await recordAction(tx, { by, target, action: 'reset_password' })
  })
}

/**
 * Removes the second factors of a local user who has lost them: the authenticator app, passkeys and recovery codes. The
 * user gets a mail.
 * @throws NotFoundError; ForbiddenError for a remote account; UnprocessableError if the user has none
 */
export async function disableTwoFactorOfUser(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null) throw new ForbiddenError()
  if (!(await disableTwoFactor(tx, { userId: target.user_id, sessionId: null })))
    throw new UnprocessableError(`${target.handle} does not use two-factor authentication`)
  await recordAction(tx, { by, target, action: 'disable_2fa' })
}
