import { ForbiddenError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { MAX_USERNAME_LENGTH } from '../../../lib/usernames.ts'
import type { ExternalIdentity } from '../../../platform/single-sign-on/external-provider.ts'
import { statement } from '../../../platform/db/statement.ts'
import { addIdentity } from '../../auth/external/identities.ts'
import type { IdentityProvider } from '../../auth/external/identities.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { isBlockedCanonically } from '../../email-blocks/canonical-email-blocks.ts'
import { BLOCKED_EMAIL, checkEmailDomain, isRefusedByLists } from '../../email-blocks/check-email-domain.ts'
import { findIpBlockSeverity } from '../../ip-blocks/find-ip-block.ts'
import { checkUsername } from '../../username-blocks/check-username.ts'
import { PROFILE_LIMITS } from '../profile/check-profile.ts'
import { ageProblem } from './check-age.ts'
import { emailProblem, isTakenEmail, listCredentialProblems, RESERVED_USERNAME } from './check-credentials.ts'
import { insertLocalAccount } from './insert-local-account.ts'
import type { NewLocalAccount } from './insert-local-account.ts'
import { readSignUpSettings } from './read-sign-up-settings.ts'
import { scheduleWelcome } from './schedule-welcome.ts'

/** How many suffixes are tried for a username that is taken. */
const MAX_SUFFIX = 20

const listTaken = statement<{ params: { names: readonly string[] }; row: { name: string }; notNull: 'name' }>(
  `select n.name from unnest($names::text[]) n (name)
   where exists (select from accounts a where lower(a.username) = lower(n.name) and a.domain is null)
      or exists (select from deleted_usernames d where d.username = lower(n.name))`,
)

/** What the user confirmed or entered in the form for a new account. */
export interface ExternalSignUp {
  username: string
  /** Ignored if the provider has verified an address (`verifiedEmailOf`). */
  email: string
  /** Whether the user agreed to the rules. */
  agreement: boolean
  /** `YYYY-MM-DD`. It is checked if the server has a minimum age, and never stored. */
  dateOfBirth: string
  /** The language of the interface (BCP 47). */
  locale: string
  ip: string | null
}

/**
 * Returns a free username for a new account, derived from what the provider calls the user: the part before the first
 * `@`, without characters that usernames cannot contain, with a number if it is taken. Empty if nothing remains. The
 * user may change it.
 */
export async function suggestUsername(read: Read, { nickname }: { nickname: string }): Promise<string> {
  const [name = ''] = nickname.normalize('NFKD').split('@')
  const base = name.replaceAll(/[^A-Za-z0-9_]/g, '').slice(0, MAX_USERNAME_LENGTH)
  if (base === '') return ''
  const suffixes = ['', ...Array.from({ length: MAX_SUFFIX }, (_, n) => `_${n + 1}`)]
  const names = suffixes.map((suffix) => base.slice(0, MAX_USERNAME_LENGTH - suffix.length) + suffix)
  const taken = new Set((await listTaken(read.db, { names })).map((row) => row.name))
  return names.find((candidate) => !taken.has(candidate)) ?? base
}

/**
 * Returns the address that the provider has verified. null: there is none, or no mail can be sent to it from here, such
 * as an address without a domain in a directory; the user enters another one.
 */
export function verifiedEmailOf({ email, emailVerified }: ExternalIdentity): string | null {
  return email !== null && emailVerified && emailProblem(email) === null ? email : null
}

/**
 * Checks the account that a user of an external provider creates at the first log-in. It has no password. The provider
 * decides who may join, so registrations may be closed, and no approval is needed unless a rule for IP addresses,
 * usernames or e-mail addresses demands it. An address that the provider has verified is not checked against blocks.
 * @throws ValidationError with `details`; ForbiddenError if an IP block refuses sign-ups, or the server has one user
 */
export async function checkExternalSignUp(
  ctx: Ctx,
  { identity, signUp }: { identity: ExternalIdentity; signUp: ExternalSignUp },
): Promise<NewLocalAccount> {
  const { username, ip, locale } = signUp
  const severity = ip === null ? null : await findIpBlockSeverity(ctx, { ip, now: ctx.now() })
  if (ctx.config.singleUserMode || (severity !== null && severity !== 'sign_up_requires_approval')) {
    throw new ForbiddenError()
  }
  const verifiedEmail = verifiedEmailOf(identity)
  const email = verifiedEmail ?? signUp.email.trim()
  const problems: FieldError[] = await listCredentialProblems(ctx, { username, email, password: null })
  if (!signUp.agreement) problems.push({ attribute: 'agreement', code: 'ERR_ACCEPTED', text: 'must be accepted' })
  const { minAge } = await readSignUpSettings(ctx)
  const age = minAge > 0 ? ageProblem({ dateOfBirth: signUp.dateOfBirth.trim(), minAge, now: ctx.now() }) : null
  if (age) problems.push(age)
  const isUsable = (attribute: string) => problems.every((problem) => problem.attribute !== attribute)
  const usernameRule = isUsable('username') ? await checkUsername(ctx, { username }) : 'allowed'
  if (usernameRule === 'blocked') problems.unshift(RESERVED_USERNAME)
  const hasEmail = problems.every((problem) => problem.attribute !== 'email' || isTakenEmail(problem))
  const emailRule = hasEmail ? await checkEmailDomain(ctx, { email, attemptIp: ip }) : 'allowed'
  const isBlocked =
    emailRule === 'blocked' ||
    (hasEmail && (isRefusedByLists(ctx, { email }) || (await isBlockedCanonically(ctx, { email }))))
  if (isBlocked && verifiedEmail === null) {
    throw new ValidationError([BLOCKED_EMAIL, ...problems.filter(({ attribute }) => attribute !== 'email')], {
      details: true,
    })
  }
  if (problems.length > 0) throw new ValidationError(problems, { details: true })
  return {
    username,
    email,
    passwordHash: null,
    displayName: Array.from(cleanText(identity.displayName)).slice(0, PROFILE_LIMITS.displayName).join('').trim(),
    locale,
    ip,
    confirmed: verifiedEmail !== null,
    approved: severity === null && usernameRule === 'allowed' && emailRule !== 'approval',
  }
}

/**
 * Creates the account of a checked sign-up with its external log-in. An address that the provider has verified needs no
 * confirmation, so what follows from one happens now.
 * @throws ValidationError (ERR_TAKEN) if a concurrent sign-up took the username or address; IdentityTakenError
 */
export async function signUpExternally(
  tx: Tx,
  { account, provider, identity }: { account: NewLocalAccount; provider: IdentityProvider; identity: ExternalIdentity },
): Promise<{ accountId: string; userId: string }> {
  const created = await insertLocalAccount(tx, account)
  await addIdentity(tx, { userId: created.userId, provider, uid: identity.uid })
  const { pictureUrl } = identity
  if (pictureUrl) tx.emit('account.picture_offered', { accountId: created.accountId, url: pictureUrl })
  if (account.confirmed) {
    tx.emit('account.confirmed', { accountId: created.accountId })
    if (account.approved) scheduleWelcome(tx, { accountId: created.accountId })
  }
  return created
}
