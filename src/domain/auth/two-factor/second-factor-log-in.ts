import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { recordLoginActivity } from '../login-activities.ts'
import type { Browser, LoginFailure, LoginMethod } from '../login-activities.ts'
import { openLogin } from '../sessions.ts'
import type { LoginResult } from '../sessions.ts'
import { endPendingLogin, findPendingLogin } from './pending-logins.ts'
import type { PendingLogin } from './pending-logins.ts'
import { checkCode, useCode } from './second-factor-codes.ts'
import { usePasskey, verifyPasskey } from './verify-passkey.ts'

const FAILURE_MAIL_MINUTES = 60

/** `failed`: the second factor is wrong · `expired`: the first factor must be proved again. */
export type SecondFactorResult = Exclude<LoginResult, { pendingId: string }> | 'failed' | 'expired'

interface Attempt {
  browser: Browser
  previousSessionId: string | null
}

const lock = statement<{ params: { userId: string }; row: { id: string } }>(
  `select id from users where id = $userId for no key update`,
)
const recordFailureMail = statement<{
  params: { userId: string; now: Date; before: Date }
  row: { account_id: string }
}>(
  `update users set second_factor_failure_mailed_at = $now
   where id = $userId and (second_factor_failure_mailed_at is null or second_factor_failure_mailed_at <= $before)
   returning account_id`,
)

/** Completes a log-in that waits for the second factor, by a code of the authenticator app or a recovery code. */
export async function logInWithCode(
  ctx: Ctx,
  { pendingId, code, ...attempt }: Attempt & { pendingId: string; code: string },
): Promise<SecondFactorResult> {
  const pending = await findPendingLogin(ctx, { pendingId, now: ctx.now() })
  if (!pending) return 'expired'
  const entered = await checkCode(ctx, { userId: pending.userId, code })
  return completePendingLogin(ctx, {
    ...attempt,
    pendingId,
    pending,
    method: 'otp',
    failure: 'invalid_otp_token',
    prove: (tx) => useCode(tx, entered),
  })
}

/** Completes a log-in that waits for the second factor, by a passkey. `credential`: the response of the browser. */
export async function logInWithSecondPasskey(
  ctx: Ctx,
  { pendingId, credential, csrf, ...attempt }: Attempt & { pendingId: string; credential: string; csrf: string },
): Promise<SecondFactorResult> {
  const pending = await findPendingLogin(ctx, { pendingId, now: ctx.now() })
  if (!pending) return 'expired'
  const use = { purpose: 'second factor', userId: pending.userId, csrf } as const
  const verified = await verifyPasskey(ctx, { credential, use })
  return completePendingLogin(ctx, {
    ...attempt,
    pendingId,
    pending,
    method: 'webauthn',
    failure: 'invalid_credential',
    prove: async (tx) => verified !== null && usePasskey(tx, verified),
  })
}

/** Logs in by a passkey alone, which has verified the user. `credential`: the response of the browser. */
export async function logInWithPasskey(
  ctx: Ctx,
  { credential, csrf, ...attempt }: Attempt & { credential: string; csrf: string },
): Promise<SecondFactorResult> {
  const use = { purpose: 'log in', userId: null, csrf } as const
  const verified = await verifyPasskey(ctx, { credential, use })
  if (!verified) return 'failed'
  const { userId } = verified
  return ctx.write(async (tx) => {
    await lock(tx.db, { userId })
    if (!(await usePasskey(tx, verified))) return 'failed'
    return openLogin(tx, { ...attempt, userId, by: { method: 'webauthn' } })
  })
}

async function completePendingLogin(
  ctx: Ctx,
  {
    pendingId,
    pending,
    method,
    failure,
    prove,
    ...attempt
  }: Attempt & {
    pendingId: string
    pending: PendingLogin
    method: 'otp' | 'webauthn'
    failure: LoginFailure
    prove: (tx: Tx) => Promise<boolean>
  },
): Promise<SecondFactorResult> {
  const { userId } = pending
  const by: LoginMethod = { method }
  return ctx.write(async (tx) => {
    // Before the pending log-in, as in changes of the credentials, which end it.
    await lock(tx.db, { userId })
    if (!(await findPendingLogin(tx, { pendingId, now: tx.now }))) return 'expired'
    if (!(await prove(tx))) {
      await recordLoginActivity(tx, { userId, by, browser: attempt.browser, failure })
      await requestFailureMail(tx, pending)
      return 'failed'
    }
    await endPendingLogin(tx, { pendingId })
    return openLogin(tx, { ...attempt, userId, by })
  })
}

/** Requests the mail about a refused second factor, unless one was sent during the last hour. */
async function requestFailureMail(tx: Tx, { userId, method }: PendingLogin): Promise<void> {
  const before = new Date(tx.now.getTime() - FAILURE_MAIL_MINUTES * 60_000)
  const [user] = await recordFailureMail(tx.db, { userId, now: tx.now, before })
  if (!user) return
  const firstFactor = method === 'password' ? 'password' : 'external'
  tx.emit('account.second_factor_failed', { accountId: user.account_id, firstFactor, at: tx.now.getTime() })
}
