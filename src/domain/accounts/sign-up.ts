import { Forbidden, ValidationFailed } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Read, Tx } from '../context.ts'
import { isTakenEmail, listCredentialProblems } from './check-person.ts'
import type { Credentials } from './check-person.ts'
import { insertPerson } from './insert-person.ts'
import type { NewPerson } from './insert-person.ts'
import { readRegistrationsMode } from './registrations.ts'

const MAX_REASON_CHARACTERS = 420

export interface SignUp extends Credentials {
  /** Whether the rules were agreed to. */
  agreement: boolean
  /** The language of the interface (BCP 47). */
  locale: string
  timeZone?: string | undefined
  reason?: string | undefined
  applicationId: string | null
}

/** A sign-up that was checked, with the password hashed already, so that the transaction is short. */
export interface CheckedSignUp {
  readonly person: NewPerson
}

/**
 * Checks a sign-up against every rule and hashes the password.
 * A taken address alone is refused after the hash was computed, so that it takes as long as an address that is free.
 * @throws Forbidden when nobody may sign up · ValidationFailed with `details` · TooManyRequests
 */
export async function checkSignUp(read: Read, input: SignUp): Promise<CheckedSignUp> {
  const mode = await readRegistrationsMode(read)
  if (mode === 'none') throw new Forbidden()
  const signUp = { ...input, email: input.email.trim() }
  const problems = [...(await listCredentialProblems(read, signUp)), ...otherProblems(signUp)]
  if (problems.some((problem) => !isTakenEmail(problem))) throw new ValidationFailed(problems, { details: true })
  const passwordHash = await hashPassword(signUp.password)
  if (problems.length > 0) throw new ValidationFailed(problems, { details: true })
  return {
    person: {
      username: signUp.username,
      email: signUp.email,
      passwordHash,
      locale: canonicalLocale(signUp.locale)!,
      timeZone: signUp.timeZone && isTimeZone(signUp.timeZone) ? signUp.timeZone : null,
      reason: cleanText(signUp.reason ?? '').trim() || null,
      applicationId: signUp.applicationId,
      confirmed: false,
      approved: mode === 'open',
    },
  }
}

/**
 * Makes the account of a checked sign-up. It can do nothing until its address is confirmed, and where approval is
 * asked for, until the staff approves it.
 * @throws ValidationFailed (ERR_TAKEN) when somebody was faster
 */
export async function signUp(tx: Tx, { person }: CheckedSignUp): Promise<{ accountId: string; userId: string }> {
  return insertPerson(tx, person)
}

/** The first spelling of a language tag, or null for what is none. */
function canonicalLocale(locale: string): string | null {
  try {
    return locale.length <= 35 ? (Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? null) : null
  } catch {
    return null
  }
}

function otherProblems({ agreement, locale, reason }: SignUp): FieldError[] {
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
  return problems
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
