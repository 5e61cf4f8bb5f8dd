import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
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

const insertAccount = statement<{ params: { username: string; origin: string; now: Date }; row: { id: string } }>(
  `insert into accounts (id, username, uri, url, created_at, updated_at)
   overriding system value
   select id, $username, $origin || '/ap/users/' || id, $origin || '/@' || $username, $now, $now
   from nextval(pg_get_serial_sequence('accounts', 'id')) id
   where not exists (select from deleted_usernames d where d.username = lower($username))
   on conflict do nothing returning id`,
)
const insertStats = statement<{ params: { accountId: string } }>(
  `insert into account_stats (account_id) values ($accountId)`,
)
const insertUser = statement<{
  params: {
    accountId: string
    email: string
    passwordHash: string | null
    roleId: string
    locale: string
    timeZone: string | null
    reason: string | null
    applicationId: string | null
    confirmedAt: Date | null
    confirmationSentAt: Date | null
    approved: boolean
    now: Date
  }
  row: { id: string }
}>(
  `insert into users (account_id, email, password_hash, role_id, locale, time_zone, sign_up_reason,
     sign_up_application_id, confirmed_at, confirmation_sent_at, approved, created_at, last_seen_at)
   values ($accountId, $email, $passwordHash, $roleId, $locale, $timeZone, $reason, $applicationId, $confirmedAt,
     $confirmationSentAt, $approved, $now, $now)
   on conflict do nothing returning id`,
)

/**
 * Writes the rows of a new local person: the only way in which one comes to be.
 * @throws ValidationFailed (ERR_TAKEN) when the name, in any case, or the address is somebody else's, or the name was that
 *   of somebody who was deleted
 */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<{ accountId: string; userId: string }> {
  const [account] = await insertAccount(tx.db, { username: person.username, origin: tx.config.origin, now: tx.now })
  if (!account) throw new ValidationFailed([takenProblem('username')], { details: true })
  await insertStats(tx.db, { accountId: account.id })
  const [user] = await insertUser(tx.db, {
    accountId: account.id,
    email: person.email,
    passwordHash: person.passwordHash,
    roleId: person.roleId ?? ROLE_IDS.user,
    locale: person.locale ?? 'en',
    timeZone: person.timeZone ?? null,
    reason: person.reason ?? null,
    applicationId: person.applicationId ?? null,
    confirmedAt: person.confirmed ? tx.now : null,
    confirmationSentAt: person.confirmed ? null : tx.now,
    approved: person.approved,
    now: tx.now,
  })
  if (!user) throw new ValidationFailed([takenProblem('email')], { details: true })
  await noteRegistration(tx, { userId: user.id })
  tx.emit('account.signed_up', { accountId: account.id })
  if (!person.confirmed) tx.emit('account.confirmation_asked', { accountId: account.id })
  return { accountId: account.id, userId: user.id }
}
