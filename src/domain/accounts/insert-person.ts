import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { noteRegistration } from '../instance/weekly-people.ts'
import { takenProblem } from './check-person.ts'

/** Roles by the names that commands use. */
export const ROLE_IDS = { user: '-99', moderator: '1', admin: '2', owner: '3' } as const

export interface NewPerson {
  username: string
  email: string
  /** null = nobody can log in by password. */
  passwordHash: string | null
  roleId?: string
  locale?: string
  timeZone?: string | null
  /** Why they want to join. */
  reason?: string | null
  /** The application that they signed up with. */
  applicationId?: string | null
  confirmed: boolean
  approved: boolean
}

const insertAccount = statement<{ id: string }>(
  `insert into accounts (id, username, uri, url, created_at, updated_at)
   overriding system value
   select id, $1, $2 || '/ap/users/' || id, $2 || '/@' || $1, $3, $3
   from nextval(pg_get_serial_sequence('accounts', 'id')) id
   where not exists (select from deleted_usernames d where d.username = lower($1))
   on conflict do nothing returning id`,
)
const insertStats = statement(`insert into account_stats (account_id) values ($1)`)
const insertUser = statement<{ id: string }>(
  `insert into users (account_id, email, password_hash, role_id, locale, time_zone, sign_up_reason,
     sign_up_application_id, confirmed_at, confirmation_sent_at, approved, created_at, last_seen_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
   on conflict do nothing returning id`,
)

/**
 * Writes the rows of a new local person: the only way in which one comes to be.
 * @throws ValidationFailed (ERR_TAKEN) when the name, in any case, or the address is somebody else's, or the name was that
 *   of somebody who was deleted
 */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<{ accountId: string; userId: string }> {
  const [account] = await insertAccount(tx.db, [person.username, tx.config.origin, tx.now])
  if (!account) throw new ValidationFailed([takenProblem('username')], { details: true })
  await insertStats(tx.db, [account.id])
  const [user] = await insertUser(tx.db, [
    account.id,
    person.email,
    person.passwordHash,
    person.roleId ?? ROLE_IDS.user,
    person.locale ?? 'en',
    person.timeZone ?? null,
    person.reason ?? null,
    person.applicationId ?? null,
    person.confirmed ? tx.now : null,
    person.confirmed ? null : tx.now,
    person.approved,
    tx.now,
  ])
  if (!user) throw new ValidationFailed([takenProblem('email')], { details: true })
  await noteRegistration(tx, { userId: user.id })
  tx.emit('account.signed_up', { accountId: account.id })
  if (!person.confirmed) tx.emit('account.confirmation_asked', { accountId: account.id })
  return { accountId: account.id, userId: user.id }
}
