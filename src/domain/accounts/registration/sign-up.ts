import { ForbiddenError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Ctx, Tx } from '../../context.ts'
import { checkUsername } from '../../username-blocks/check-username.ts'
import { ageProblem } from './check-age.ts'
import { countSignUp } from './count-sign-up.ts'
import { isTakenEmail, listCredentialProblems, RESERVED_USERNAME } from './check-credentials.ts'
import type { Credentials } from './check-credentials.ts'
import { isBlockedCanonically } from '../../email-blocks/canonical-email-blocks.ts'
import { BLOCKED_EMAIL, checkEmailDomain, isRefusedByLists } from '../../email-blocks/check-email-domain.ts'
import { isEmailUnreachable, UNREACHABLE_EMAIL } from '../../email-blocks/is-email-unreachable.ts'
import { findInvite, recordInviteUse } from '../../invites/find-invite.ts'
import type { ValidInvite } from '../../invites/find-invite.ts'
import { insertLocalAccount } from './insert-local-account.ts'
import type { NewLocalAccount } from './insert-local-account.ts'
import { readRegistrationsModeFor } from './read-registrations-mode.ts'
import { readSignUpSettings } from './read-sign-up-settings.ts'

const MAX_REASON_CHARACTERS = 420

export interface SignUp extends Credentials {
  /** Whether the user agreed to the rules. */
  agreement: boolean
  /** The language of the interface (BCP 47). */
  locale: string
  timeZone?: string | undefined
  reason?: string | undefined
  /** `YYYY-MM-DD`. It is checked if the server has a minimum age, and never stored. */
  dateOfBirth?: string | undefined
  /** The code of an invite. An invalid one counts as none. */
  inviteCode?: string | undefined
  applicationId: string | null
  /** The IP address of the user; null: unknown. */
  ip: string | null
}

/** A valid sign-up. Its password is hashed already, so that the transaction is short. */
export interface CheckedSignUp {
  readonly account: NewLocalAccount
  /** `isRequired`: without the invite, the sign-up would be refused, or would need approval. */
  readonly invite: { id: string; isRequired: boolean } | null
}

/**
 * Checks a sign-up against all rules and hashes the password.
 * If the only problem is a taken address, the refusal follows after the hash was computed, so that it takes as long as
 * for a free address.
 * @throws ForbiddenError if registrations are closed, or an IP block refuses sign-ups from the address; ValidationError
 *   with `details`; SignUpLimitError; TooManyRequestsError
 */
export async function checkSignUp(ctx: Ctx, input: SignUp): Promise<CheckedSignUp> {
  const invite = await findSignUpInvite(ctx, input)
  const [mode, modeWithout, settings] = await Promise.all([
    readRegistrationsModeFor(ctx, { ip: input.ip, invite }),
    readRegistrationsModeFor(ctx, { ip: input.ip }),
    readSignUpSettings(ctx),
  ])
  if (mode === 'none') throw new ForbiddenError()
  const signUp = { ...input, email: input.email.trim() }
  const { minAge } = settings
  const age = minAge > 0 ? ageProblem({ dateOfBirth: input.dateOfBirth?.trim() ?? '', minAge, now: ctx.now() }) : null
  const lacksReason = settings.reasonRequired && mode === 'approved' && isBlank(input.reason)
  const problems = [
    ...(await listCredentialProblems(ctx, signUp)),
    ...listOtherProblems({ ...signUp, lacksReason: lacksReason && !invite }),
    ...(age ? [age] : []),
  ]
  const hasUsername = problems.every(({ attribute }) => attribute !== 'username')
  const username = hasUsername ? await checkUsername(ctx, signUp) : 'allowed'
  if (username === 'blocked') problems.unshift(RESERVED_USERNAME)
  const hasEmail = problems.every((problem) => problem.attribute !== 'email' || isTakenEmail(problem))
  // A taken address is checked, too, so that it takes as long and gets the same response as a free one.
  const emailDomain = hasEmail ? await checkEmailDomain(ctx, { email: signUp.email, attemptIp: input.ip }) : 'allowed'
  // An invite also admits users whose address the lists refuse or is blocked canonically, as in Mastodon.
  const needsInvite =
    hasEmail && (isRefusedByLists(ctx, signUp) || (await isBlockedCanonically(ctx, { email: signUp.email })))
  const isBlocked = emailDomain === 'blocked' || (needsInvite && !invite)
  const isUnreachable = hasEmail && (await isEmailUnreachable(ctx, signUp))
  if (isBlocked || isUnreachable) {
    const refusal = isBlocked ? BLOCKED_EMAIL : UNREACHABLE_EMAIL
    const others = problems.filter(({ attribute }) => attribute !== 'email')
    throw new ValidationError([refusal, ...others], { details: true })
  }
  if (problems.some((problem) => !isTakenEmail(problem))) throw new ValidationError(problems, { details: true })
  // A taken address counts, too, so that the limits do not reveal it.
  await ctx.write((tx) => countSignUp(tx, { email: signUp.email, ip: signUp.ip, settings }))
  const passwordHash = await hashPassword(signUp.password)
  if (problems.length > 0) throw new ValidationError(problems, { details: true })
  return {
    account: {
      username: signUp.username,
      email: signUp.email,
      passwordHash,
      locale: canonicalLocale(signUp.locale)!,
      timeZone: signUp.timeZone && isTimeZone(signUp.timeZone) ? signUp.timeZone : null,
      reason: cleanText(signUp.reason ?? '').trim() || null,
      applicationId: signUp.applicationId,
      ip: signUp.ip,
      confirmed: false,
      approved: mode === 'open' && username === 'allowed' && emailDomain === 'allowed',
    },
    invite: invite && { id: invite.id, isRequired: mode !== modeWithout || needsInvite || lacksReason },
  }
}

/**
 * Creates the account of a checked sign-up (Mastodon: POST /api/v1/accounts). The account is not usable until its
 * address is confirmed and, if registrations require approval, staff approve it.
 * @throws ValidationError (ERR_TAKEN) if a concurrent sign-up took the username or address; ForbiddenError if the
 *   required invite was used up or expired meanwhile
 */
export async function signUp(
  tx: Tx,
  { account, invite }: CheckedSignUp,
): Promise<{ accountId: string; userId: string }> {
  const created = await insertLocalAccount(tx, account)
  if (invite) {
    const isUsed = await recordInviteUse(tx, { id: invite.id, userId: created.userId })
    if (!isUsed && invite.isRequired) throw new ForbiddenError()
  }
  return created
}

async function findSignUpInvite(ctx: Ctx, { inviteCode }: SignUp): Promise<ValidInvite | null> {
  const invite = inviteCode ? await findInvite(ctx, { code: inviteCode, now: ctx.now() }) : null
  return invite === 'invalid' || invite === 'unknown' ? null : invite
}

/** Returns the canonical form of a language tag (BCP 47), or null if it is invalid. */
function canonicalLocale(locale: string): string | null {
  try {
    return locale.length <= 35 ? (Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? null) : null
  } catch {
    return null
  }
}

function listOtherProblems({
  agreement,
  locale,
  reason,
  lacksReason,
}: SignUp & { lacksReason: boolean }): FieldError[] {
  const problems: FieldError[] = []
  if (!agreement) problems.push({ attribute: 'agreement', code: 'ERR_ACCEPTED', text: 'must be accepted' })
  if (locale === '') problems.push({ attribute: 'locale', code: 'ERR_BLANK', text: "can't be blank" })
  else if (canonicalLocale(locale) === null) {
    problems.push({ attribute: 'locale', code: 'ERR_INCLUSION', text: 'is not included in the list' })
  }
  const length = reason?.length ?? 0
  if (length > 2 * MAX_REASON_CHARACTERS || Array.from(reason ?? '').length > MAX_REASON_CHARACTERS) {
    const text = `is too long (maximum is ${MAX_REASON_CHARACTERS} characters)`
    problems.push({ attribute: 'reason', code: 'ERR_TOO_LONG', text })
  }
  if (lacksReason) problems.push({ attribute: 'reason', code: 'ERR_BLANK', text: "can't be blank" })
  return problems
}

function isBlank(reason: string | undefined): boolean {
  return cleanText(reason ?? '').trim() === ''
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
