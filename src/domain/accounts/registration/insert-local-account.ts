import { ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { recordRegistration } from '../../core/record-weekly-activity.ts'
import { takenProblem } from './check-credentials.ts'

/** The ids of the roles, by the names that the CLI uses. */
export const ROLE_IDS = { user: '-99', moderator: '1', admin: '2', owner: '3' } as const

export interface NewLocalAccount {
  username: string
  email: string
  /** null = the user cannot log in with a password. */
  passwordHash: string | null
  roleId?: string
  locale?: string
  timeZone?: string | null
  /** Plain text. */
  displayName?: string
  /** Why the user wants to join. */
  reason?: string | null
  /** The application that the user signed up with. */
  applicationId?: string | null
  /** The IP address from which the user signed up. */
  ip?: string | null
  confirmed: boolean
  approved: boolean
}

// The id is part of the actor's URI. Other servers still know the URIs of accounts that this server has lost, because
// an older backup was restored, or it was installed again. So the sequence is advanced to the time in milliseconds, and
// the id is one that no account ever had. The lock keeps concurrent transactions from setting the sequence back.
const lockSequence = statement(`select pg_advisory_xact_lock(hashtextextended('ids of accounts', 0))`)
const advanceSequence = statement(
  `select setval('accounts_id_seq', clock.ms)
   from accounts_id_seq, (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms) clock
   where last_value < clock.ms`,
)
const insertAccount = statement<{
  params: { username: string; displayName: string; origin: string; now: Date }
  row: { id: string }
}>(
  `insert into accounts (id, username, display_name, uri, url, created_at, updated_at)
   overriding system value
   select id, $username, $displayName, $origin || '/ap/users/' || id, $origin || '/@' || $username, $now, $now
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
    ip: string | null
    confirmedAt: Date | null
    confirmationSentAt: Date | null
    approved: boolean
    now: Date
  }
  row: { id: string }
}>(
  `insert into users (account_id, email, password_hash, role_id, locale, time_zone, sign_up_reason,
     sign_up_application_id, sign_up_ip, confirmed_at, confirmation_sent_at, approved, created_at, last_seen_at)
   values ($accountId, $email, $passwordHash, $roleId, $locale, $timeZone, $reason, $applicationId, $ip, $confirmedAt,
     $confirmationSentAt, $approved, $now, $now)
   on conflict do nothing returning id`,
)

/**
 * Inserts the rows of a new local account. All local accounts are created by this function.
 * @throws ValidationError (ERR_TAKEN) if another user has the username, in any case, or the address, or a deleted user
 *   had the username
 */
export async function insertLocalAccount(
  tx: Tx,
  account: NewLocalAccount,
): Promise<{ accountId: string; userId: string }> {
  await lockSequence(tx.db)
  await advanceSequence(tx.db)
  const [row] = await insertAccount(tx.db, {
    username: account.username,
    displayName: account.displayName ?? '',
    origin: tx.config.origin,
    now: tx.now,
  })
  if (!row) throw new ValidationError([takenProblem('username')], { details: true })
  await insertStats(tx.db, { accountId: row.id })
  const [user] = await insertUser(tx.db, {
    accountId: row.id,
    email: account.email,
    passwordHash: account.passwordHash,
    roleId: account.roleId ?? ROLE_IDS.user,
    locale: account.locale ?? 'en',
    timeZone: account.timeZone ?? null,
    reason: account.reason ?? null,
    applicationId: account.applicationId ?? null,
    ip: account.ip ?? null,
    confirmedAt: account.confirmed ? tx.now : null,
    confirmationSentAt: account.confirmed ? null : tx.now,
    approved: account.approved,
    now: tx.now,
  })
  if (!user) throw new ValidationError([takenProblem('email')], { details: true })
  await recordRegistration(tx, { userId: user.id })
  tx.emit('account.signed_up', { accountId: row.id })
  if (!account.confirmed) tx.emit('account.confirmation_requested', { accountId: row.id })
  return { accountId: row.id, userId: user.id }
}
