import type { FieldError } from '../../../lib/errors.ts'
import { isReservedUsername, isValidUsername, MAX_USERNAME_LENGTH } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import { passwordProblem } from '../../auth/passwords.ts'
import type { Read } from '../../context.ts'

const MAX_EMAIL_CHARACTERS = 320
const MAX_LOCAL_PART_CHARACTERS = 64

export const RESERVED_USERNAME: FieldError = { attribute: 'username', code: 'ERR_RESERVED', text: 'is reserved' }

/** The credentials of a new local user. */
export interface Credentials {
  username: string
  email: string
  password: string
}

const findTakenCredentials = statement<{
  params: { username: string | null; email: string | null }
  row: { username: boolean; email: boolean }
}>(
  `select exists (select from accounts where lower(username) = lower($username::text) and coalesce(domain, '') = '')
       or exists (select from deleted_usernames where username = lower($username::text)) as username,
     exists (select from users where lower(email) = lower($email::text)) as email`,
)

/**
 * Lists the problems of credentials, at most one for each field, including usernames and addresses that another user
 * has, and usernames that a deleted user had. `reservedAllowed`: accepts reserved usernames, for accounts that staff
 * create. `password: null`: the user has none.
 */
export async function listCredentialProblems(
  read: Read,
  {
    reservedAllowed = false,
    username,
    email,
    password,
  }: Omit<Credentials, 'password'> & { password: string | null; reservedAllowed?: boolean },
): Promise<FieldError[]> {
  const invalid = { username: usernameProblem(username, reservedAllowed), email: emailProblem(email) }
  // An invalid value cannot be taken, so it is not queried.
  const [taken] = await findTakenCredentials(read.db, {
    username: invalid.username ? null : username,
    email: invalid.email ? null : email,
  })
  return [
    taken?.username ? takenProblem('username') : invalid.username,
    taken?.email ? takenProblem('email') : invalid.email,
    password === null ? null : passwordProblem(password),
  ].filter((problem) => problem !== null)
}

export function takenProblem(attribute: 'username' | 'email'): FieldError {
  return { attribute, code: 'ERR_TAKEN', text: 'has already been taken' }
}

/** Returns whether this is the one problem that must not be disclosed to an anonymous client. */
export function isTakenEmail({ attribute, code }: FieldError): boolean {
  return attribute === 'email' && code === 'ERR_TAKEN'
}

function usernameProblem(username: string, reservedAllowed: boolean): FieldError | null {
  const attribute = 'username'
  if (username === '') return { attribute, code: 'ERR_BLANK', text: "can't be blank" }
  if (username.length > MAX_USERNAME_LENGTH) {
    return { attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${MAX_USERNAME_LENGTH} characters)` }
  }
  if (!isValidUsername(username)) {
    return { attribute, code: 'ERR_INVALID', text: 'must contain only letters, numbers and underscores' }
  }
  return !reservedAllowed && isReservedUsername(username) ? RESERVED_USERNAME : null
}

/**
 * Returns the problem of an e-mail address's syntax, or null. Whether mail arrives there is checked by a confirmation
 * mail.
 */
export function emailProblem(email: string): FieldError | null {
  const attribute = 'email'
  if (email === '') return { attribute, code: 'ERR_BLANK', text: "can't be blank" }
  if (email.length > MAX_EMAIL_CHARACTERS) {
    return { attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${MAX_EMAIL_CHARACTERS} characters)` }
  }
  return isPlainAddress(email) ? null : { attribute, code: 'ERR_INVALID', text: 'is invalid' }
}

/**
 * Returns whether an address has the subset of RFC 5321's syntax that all mail software parses alike: plain ASCII, dots
 * only between other characters. Rejects quoted local parts and comments, which software parses differently, and `%`
 * and `!`, by which some servers relay mail.
 */
function isPlainAddress(email: string): boolean {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split('.')
  return (
    at > 0 &&
    local.length <= MAX_LOCAL_PART_CHARACTERS &&
    /^[\w#$&'*+/=?^{}~-]+(?:\.[\w#$&'*+/=?^{}~-]+)*$/.test(local) &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    (labels.length > 1 || labels[0] === 'localhost')
  )
}
