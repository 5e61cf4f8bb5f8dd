import { ForbiddenError, ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read } from '../../context.ts'
import { verifyCurrentPassword } from '../current-password.ts'
import { wrongCodeError } from './authenticator-app.ts'
import { recordAuthentication } from './recent-authentication.ts'
import type { OwnSession } from './recent-authentication.ts'
import { checkCode, useCode } from './second-factor-codes.ts'
import { findSecondFactors } from './second-factors.ts'
import { usePasskey, verifyPasskey } from './verify-passkey.ts'

/** How a user can prove their identity in a session, beside passkeys. */
export interface ConfirmationMethods {
  readonly password: boolean
  /** An authenticator app. */
  readonly totp: boolean
  /** Codes of the app, or recovery codes. */
  readonly codes: boolean
}

const findPassword = statement<{
  params: { userId: string }
  row: { present: boolean }
  notNull: 'present'
}>(`select password_hash is not null as present from users where id = $userId`)

/** Returns how a user can prove their identity. With log-ins by providers only, no password is accepted. */
export async function findConfirmationMethods(
  read: Pick<Read, 'db' | 'config'>,
  { userId }: { userId: string },
): Promise<ConfirmationMethods> {
  const [user] = await findPassword(read.db, { userId })
  const { totp, recoveryCodes } = await findSecondFactors(read, { userId })
  const password = !read.config.singleSignOn.only && (user?.present ?? false)
  return { password, totp, codes: totp || recoveryCodes > 0 }
}

/**
 * Proves the user's identity by the password.
 * @throws ValidationError (of `current_password`); TooManyRequestsError; ForbiddenError if the server accepts no
 *   passwords
 */
export async function confirmWithPassword(
  ctx: Ctx,
  { password, ...session }: OwnSession & { password: string },
): Promise<void> {
  if (ctx.config.singleSignOn.only) throw new ForbiddenError()
  await verifyCurrentPassword(ctx, { userId: session.userId, password })
  await ctx.write((tx) => recordAuthentication(tx, session))
}

/** Proves the user's identity by a code of the app or a recovery code. @throws ValidationError (of `code`) */
export async function confirmWithCode(ctx: Ctx, { code, ...session }: OwnSession & { code: string }): Promise<void> {
  const entered = await checkCode(ctx, { userId: session.userId, code })
  await ctx.write(async (tx) => {
    if (!(await useCode(tx, entered))) throw wrongCodeError()
    await recordAuthentication(tx, session)
  })
}

/** Proves the user's identity by a passkey. @throws ValidationError (of `credential`) */
export async function confirmWithPasskey(
  ctx: Ctx,
  { credential, csrf, ...session }: OwnSession & { credential: string; csrf: string },
): Promise<void> {
  const use = { purpose: 'confirm', userId: session.userId, csrf } as const
  const verified = await verifyPasskey(ctx, { credential, use })
  await ctx.write(async (tx) => {
    if (!verified || !(await usePasskey(tx, verified))) {
      const text = 'could not be verified'
      throw new ValidationError([{ attribute: 'credential', code: 'ERR_UNVERIFIED_PASSKEY', text }])
    }
    await recordAuthentication(tx, session)
  })
}
