import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

const MAX_IDENTIFIER_CHARACTERS = 320

export interface LoginUser {
  readonly userId: string
  /** null: the user cannot log in with a password. */
  readonly passwordHash: string | null
}

/** A log-in attempt: the submitted identifier and the user that it belongs to. */
export interface Login {
  /** Normalised: in lower case, without surrounding white space and a leading `@`. */
  readonly identifier: string
  /** null: no user has the identifier. */
  readonly user: LoginUser | null
}

const USER = `select u.id as "userId", u.password_hash as "passwordHash"
   from users u join accounts a on a.id = u.account_id`
const findByEmail = statement<{ params: { identifier: string }; row: LoginUser }>(
  `${USER} where lower(u.email) = $identifier`,
)
const findByUsername = statement<{ params: { identifier: string }; row: LoginUser }>(
  `${USER} where lower(a.username) = $identifier and a.domain is null`,
)

/** Finds the local user whose e-mail address or username was entered in a log-in form. */
export async function findLogin(read: Pick<Read, 'db'>, { login }: { login: string }): Promise<Login> {
  const identifier = login.trim().replace(/^@/, '').toLowerCase()
  if (identifier === '' || identifier.length > MAX_IDENTIFIER_CHARACTERS) return { identifier, user: null }
  const find = identifier.includes('@') ? findByEmail : findByUsername
  const [user] = await find(read.db, { identifier })
  return { identifier, user: user ?? null }
}
