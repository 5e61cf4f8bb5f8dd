import { NotFoundError, UnprocessableError, ValidationError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { CaptchaUnavailableError, verifyHcaptcha } from '../../../platform/captcha/verify-hcaptcha.ts'
import { isUniqueViolation } from '../../../platform/db/connection.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Ctx, Tx } from '../../context.ts'
import { recordRegistration } from '../../core/record-weekly-activity.ts'
import { takenProblem } from '../registration/check-credentials.ts'
import { readSignUpSettings } from '../registration/read-sign-up-settings.ts'
import { scheduleWelcome } from '../registration/schedule-welcome.ts'
import { pendingEmail } from './pending-email.ts'

/** Days for which the confirmation link of a sign-up works. The account stays longer (`expire-sign-ups.ts`). */
export const CONFIRMATION_DAYS = 2

const PURPOSE = 'confirm an e-mail address'

/** What a confirmation link is signed for: a user, the address to confirm, and the time at which its mail was sent. */
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
// A pending password reset ends too: its mail went to the former address, whose mailbox another person may be reading.
// The time of the mail stays, by which a used link is recognised.
const confirm = statement<{ params: { userId: string; email: string; now: Date } }>(
  `update users set email = $email, unconfirmed_email = null, email_change_requested_at = null,
     confirmed_at = coalesce(confirmed_at, $now), password_reset_sent_at = null
   where id = $userId`,
)
const find = statement<{ params: { userId: string }; row: ConfirmingUser }>(
  `select account_id, email, unconfirmed_email, email_change_requested_at, confirmed_at, confirmation_sent_at, approved,
     sign_up_application_id
   from users where id = $userId`,
)
const findOther = statement<{ params: { userId: string; email: string }; row: { id: string } }>(
  `select id from users where lower(email) = $email and id <> $userId`,
)

/** Returns the token of a confirmation link. It is signed and not stored: its holder must have received the mail. */
export function confirmationToken(secrets: Secrets, confirmation: Confirmation): string {
  return `${confirmation.userId}.${secrets.sign(PURPOSE, signedText(confirmation))}`
}

/** 422: the link has expired, was used, was replaced by a later one, or was not issued by this server. */
export class InvalidConfirmationError extends UnprocessableError {
  constructor() {
    super('This confirmation link does not work any more')
  }
}

/**
 * 422: the link was used, and the user still has the address. A program that checks the links in mails may have used
 * it.
 */
export class UsedConfirmationError extends InvalidConfirmationError {
  readonly user: ConfirmedUser

  constructor(user: ConfirmedUser) {
    super()
    this.user = user
  }
}

/** The confirmation of a sign-up requires a solved captcha. */
export class CaptchaRequiredError extends Error {
  /** The public key for the widget of hCaptcha. */
  readonly siteKey: string
  /** `wrong`: the captcha was not solved; `unavailable`: hCaptcha could not check it. Null: no response was given. */
  readonly problem: 'wrong' | 'unavailable' | null
  /** The application of the sign-up. */
  readonly applicationId: string | null

  constructor({
    siteKey,
    problem,
    applicationId,
  }: Pick<CaptchaRequiredError, 'siteKey' | 'problem' | 'applicationId'>) {
    super('A captcha is required')
    this.name = 'CaptchaRequiredError'
    this.siteKey = siteKey
    this.problem = problem
    this.applicationId = applicationId
  }
}

/** A user whose address is confirmed. `applicationId`: the application of the sign-up. */
interface ConfirmedUser {
  readonly userId: string
  readonly accountId: string
  readonly approved: boolean
  readonly applicationId: string | null
}

/**
 * Confirms the address that a link was sent to. A link works once, and only until another one is sent: that of a
 * sign-up for two days, that to a new address until seven days after the change was requested. The former address gets
 * a mail. Confirming does not approve a sign-up. If the setting `captcha-enabled` is on, the first confirmation of a
 * user requires a captcha; `captcha`: the response of its widget.
 * @throws InvalidConfirmationError; UsedConfirmationError; CaptchaRequiredError
 */
export async function confirmEmail(
  ctx: Ctx,
  { token, captcha = null }: { token: string; captcha?: string | null },
): Promise<ConfirmedUser> {
  const [userId = '', signature = ''] = token.split('.')
  if (!isId(userId)) throw new InvalidConfirmationError()
  await requireCaptcha(ctx, { userId, signature, captcha })
  const useLink = () => ctx.write((tx) => confirmByLink(ctx, tx, { userId, signature }))
  return useLink().catch((err: unknown) => {
    // A concurrent request has assigned the address to another user, so the second attempt is rejected.
    if (!isUniqueViolation(err)) throw err
    return useLink()
  })
}

async function confirmByLink(
  { secrets }: Pick<Ctx, 'secrets'>,
  tx: Tx,
  { userId, signature }: { userId: string; signature: string },
): Promise<ConfirmedUser> {
  const [user] = await lock(tx.db, { userId })
  if (!user) throw new InvalidConfirmationError()
  const newEmail = verifyLink({ secrets }, { userId, user, signature, now: tx.now })
  const { account_id: accountId, approved, sign_up_application_id: applicationId } = user
  const confirmed = { userId, accountId, approved, applicationId }
  if (newEmail === null && user.confirmed_at !== null) throw new UsedConfirmationError(confirmed)
  if (newEmail !== null && (await findOther(tx.db, { email: newEmail.toLowerCase(), userId })).length > 0)
    throw new InvalidConfirmationError()
  await completeConfirmation(tx, { userId, user, newEmail })
  return confirmed
}

/** Checks the captcha, if one is required, before the transaction. @throws as `confirmEmail` */
async function requireCaptcha(
  ctx: Ctx,
  { userId, signature, captcha }: { userId: string; signature: string; captcha: string | null },
): Promise<void> {
  const { captcha: keys } = await readSignUpSettings({ db: ctx.db, config: ctx.config })
  if (keys === null) return
  const [user] = await find(ctx.db, { userId })
  if (!user) throw new InvalidConfirmationError()
  // Only holders of a valid link see the captcha, so that nobody can make this server send requests to hCaptcha.
  verifyLink(ctx, { userId, user, signature, now: ctx.now() })
  if (user.confirmed_at !== null) return
  const input = { siteKey: keys.siteKey, applicationId: user.sign_up_application_id }
  if (captcha === null) throw new CaptchaRequiredError({ ...input, problem: null })
  const isSolved = await verifyHcaptcha(ctx.fetcher, { keys, response: captcha }).catch((err: unknown) => {
    if (!(err instanceof CaptchaUnavailableError)) throw err
    ctx.log.warn({ err }, 'A captcha could not be checked')
    throw new CaptchaRequiredError({ ...input, problem: 'unavailable' })
  })
  if (!isSolved) throw new CaptchaRequiredError({ ...input, problem: 'wrong' })
}

/** Returns the new address that a link confirms; null for that of the sign-up. @throws InvalidConfirmationError */
function verifyLink(
  { secrets }: Pick<Ctx, 'secrets'>,
  { userId, user, signature, now }: { userId: string; user: ConfirmingUser; signature: string; now: Date },
): string | null {
  const sentAt = user.confirmation_sent_at
  if (!sentAt) throw new InvalidConfirmationError()
  const newEmail = pendingEmail(user, { now })
  const text = signedText({ userId, email: newEmail ?? user.email, sentAt })
  const isExpired = newEmail === null && now.getTime() - sentAt.getTime() > CONFIRMATION_DAYS * 86_400_000
  if (isExpired || !secrets.verify(PURPOSE, text, signature)) throw new InvalidConfirmationError()
  return newEmail
}

/**
 * Confirms the requested or else the present address of a user without a link, on behalf of an administrator. Returns
 * false if it is confirmed already.
 * @throws NotFoundError; ValidationError if another user has the address
 */
export async function confirmEmailAsStaff(tx: Tx, { userId }: { userId: string }): Promise<boolean> {
  const [user] = await lock(tx.db, { userId })
  if (!user) throw new NotFoundError()
  const newEmail = pendingEmail(user, { now: tx.now })
  if (newEmail === null && user.confirmed_at !== null) return false
  if (newEmail !== null && (await findOther(tx.db, { email: newEmail.toLowerCase(), userId })).length > 0)
    throw new ValidationError([takenProblem('email')])
  await completeConfirmation(tx, { userId, user, newEmail })
  return true
}

async function completeConfirmation(
  tx: Tx,
  { userId, user, newEmail }: { userId: string; user: ConfirmingUser; newEmail: string | null },
): Promise<void> {
  await confirm(tx.db, { userId, email: newEmail ?? user.email, now: tx.now })
  if (user.confirmed_at === null) {
    await recordRegistration(tx, { userId })
    tx.emit('account.confirmed', { accountId: user.account_id })
    if (user.approved) scheduleWelcome(tx, { accountId: user.account_id })
  }
  if (newEmail !== null) {
    const change = { formerEmail: user.email, newEmail, at: tx.now.getTime() }
    tx.emit('account.email_changed', { accountId: user.account_id, ...change })
  }
}

function signedText({ userId, email, sentAt }: Confirmation): string {
  return JSON.stringify([userId, email, sentAt.getTime()])
}
