import type { FieldError } from '../../lib/errors.ts'
import { isReservedUsername, isValidUsername, MAX_USERNAME_LENGTH } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { passwordProblem } from '../auth/passwords.ts'
import type { Read } from '../context.ts'

const MAX_EMAIL_CHARACTERS = 320
const MAX_LOCAL_PART_CHARACTERS = 64

/** What everybody who gets an account here needs. */
export interface Credentials {
  username: string
  email: string
  password: string
}

const findTaken = statement<{
  params: { username: string | null; email: string | null }
  row: { username: boolean; email: boolean }
}>(
  `select exists (select from accounts where lower(username) = lower($username::text) and coalesce(domain, '') = '')
       or exists (select from deleted_usernames where username = lower($username::text)) as username,
     exists (select from users where lower(email) = lower($email::text)) as email`,
)

/**
 * Lists everything that is wrong with credentials: at most one problem for each field, also what another user has or had.
 * `reservedAllowed`: the staff may take names that are kept for it.
 */
export async function listCredentialProblems(
  read: Read,
  { reservedAllowed = false, username, email, password }: Credentials & { reservedAllowed?: boolean },
): Promise<FieldError[]> {
  const wrong = { username: usernameProblem(username, reservedAllowed), email: emailProblem(email) }
  // What can't be stored can't be taken either, and the database is not asked for it.
  const [taken] = await findTaken(read.db, {
    username: wrong.username ? null : username,
    email: wrong.email ? null : email,
  })
  return [
    taken?.username ? takenProblem('username') : wrong.username,
    taken?.email ? takenProblem('email') : wrong.email,
    passwordProblem(password),
  ].filter((problem) => problem !== null)
}

export function takenProblem(attribute: 'username' | 'email'): FieldError {
  return { attribute, code: 'ERR_TAKEN', text: 'has already been taken' }
}

/** Whether this is the one problem that a stranger should not be told. */
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
  return !reservedAllowed && isReservedUsername(username)
    ? { attribute, code: 'ERR_RESERVED', text: 'is reserved' }
    : null
}

/** What is wrong with the form of an e-mail address, or null. Whether mail arrives there is asked by the mail itself. */
export function emailProblem(email: string): FieldError | null {
  const attribute = 'email'
  if (email === '') return { attribute, code: 'ERR_BLANK', text: "can't be blank" }
  if (email.length > MAX_EMAIL_CHARACTERS) {
    return { attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${MAX_EMAIL_CHARACTERS} characters)` }
  }
  return isPlainAddress(email) ? null : { attribute, code: 'ERR_INVALID', text: 'is invalid' }
}

/**
 * An address in the narrow form that every mail program reads alike: plain ASCII, dots only between other characters.
 * Left out, though the standard has them: quoted parts and comments, which programs read differently, and `%` and `!`,
 * which make some servers pass mail on.
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
