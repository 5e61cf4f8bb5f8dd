import { ValidationError } from '../../../lib/errors.ts'
import { findTotpStep, generateTotpSecret } from '../../../lib/totp.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import type { OwnSession } from './recent-authentication.ts'
import { addMissingRecoveryCodes } from './recovery-codes.ts'
import { changeSecondFactors } from './second-factors.ts'

/** The secret of an authenticator app that the user has not confirmed by a code yet. */
export interface TotpSetup {
  readonly secret: Buffer
  /** The encrypted secret, which the form sends back: nothing is stored before the confirmation. */
  readonly sealed: string
}

const upsert = statement<{ params: { userId: string; secret: Buffer; step: number; now: Date } }>(
  `insert into totp_authenticators (user_id, secret, last_step, created_at) values ($userId, $secret, $step, $now)
   on conflict (user_id) do update
     set secret = excluded.secret, last_step = excluded.last_step, created_at = excluded.created_at`,
)
const find = statement<{ params: { userId: string }; row: { secret: Buffer } }>(
  `select secret from totp_authenticators where user_id = $userId`,
)
// The comparison of the secret excludes that the app was replaced meanwhile.
const use = statement<{ params: { userId: string; secret: Buffer; step: number }; row: { user_id: string } }>(
  `update totp_authenticators set last_step = $step
   where user_id = $userId and secret = $secret and last_step < $step::bigint returning user_id`,
)
const remove = statement<{ params: { userId: string } }>(`delete from totp_authenticators where user_id = $userId`)

/** Begins the set-up of an authenticator app with a new secret. */
export function beginTotpSetup({ secrets }: Pick<Ctx, 'secrets'>, { userId }: { userId: string }): TotpSetup {
  const secret = generateTotpSecret()
  return { secret, sealed: secrets.encrypt(setupPurpose(userId), secret).toString('base64url') }
}

/** Returns the set-up that a form sent back; null if this server did not begin it for this user. */
export function openTotpSetup(
  { secrets }: Pick<Ctx, 'secrets'>,
  { userId, sealed }: { userId: string; sealed: string },
): TotpSetup | null {
  try {
    return { secret: secrets.decrypt(setupPurpose(userId), Buffer.from(sealed, 'base64url')), sealed }
  } catch {
    return null
  }
}

/**
 * Enables the authenticator app of a set-up, which replaces the former app. Returns the recovery codes if the user had
 * none before.
 * @throws ValidationError (of `code`); ForbiddenError if the session has ended meanwhile
 */
export async function enableTotp(
  ctx: Ctx,
  { userId, sessionId, setup: { secret }, code }: OwnSession & { setup: TotpSetup; code: string },
): Promise<string[] | null> {
  const step = findTotpStep(secret, { code, now: ctx.now() })
  if (step === null) throw wrongCodeError()
  const encrypted = ctx.secrets.encrypt(purpose(userId), secret)
  return ctx.write(async (tx) =>
    changeSecondFactors(tx, {
      userId,
      sessionId,
      change: 'totp_enabled',
      work: async () => {
        await upsert(tx.db, { userId, secret: encrypted, step, now: tx.now })
        return addMissingRecoveryCodes(tx, { userId })
      },
    }),
  )
}

/** Removes the authenticator app of a user. @throws ForbiddenError if the session has ended meanwhile */
export async function removeTotp(tx: Tx, { userId, sessionId }: OwnSession): Promise<void> {
  await changeSecondFactors(tx, { userId, sessionId, change: 'totp_removed', work: () => remove(tx.db, { userId }) })
}

/** A code of a user's authenticator app that is right, but may have been used. */
export interface TotpMatch {
  /** As stored: encrypted. */
  readonly secret: Buffer
  readonly step: number
}

/**
 * Checks a code against the user's authenticator app; null if it is wrong, or the user has no app. Also null if the
 * app's secret was encrypted with lost secrets, so that recovery codes still work.
 */
export async function matchTotp(
  ctx: Ctx,
  { userId, code }: { userId: string; code: string },
): Promise<TotpMatch | null> {
  const [row] = await find(ctx.db, { userId })
  if (!row) return null
  if (!ctx.secrets.canDecrypt(row.secret)) {
    ctx.log.warn(
      { userId },
      'The secret of an authenticator app was encrypted with other secrets than secrets.json has',
    )
    return null
  }
  const secret = ctx.secrets.decrypt(purpose(userId), row.secret)
  const step = findTotpStep(secret, { code, now: ctx.now() })
  return step === null ? null : { secret: row.secret, step }
}

/** Uses a code. Returns false if a code of its time step or of a later one was used before. */
export async function useTotp(tx: Tx, { userId, match }: { userId: string; match: TotpMatch }): Promise<boolean> {
  return (await use(tx.db, { userId, ...match })).length > 0
}

export function wrongCodeError(): ValidationError {
  return new ValidationError([{ attribute: 'code', code: 'ERR_WRONG_CODE', text: 'is wrong' }])
}

const purpose = (userId: string) => `TOTP secret of user ${userId}`
const setupPurpose = (userId: string) => `set-up of TOTP of user ${userId}`
