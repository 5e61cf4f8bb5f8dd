import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

const MAX_EXPIRED_ROWS = 10_000

/** The origin of a log-in, which users see in the lists of their sessions and log-ins. */
export interface Browser {
  ip: string | null
  /** Well-formed, at most 500 characters. */
  userAgent: string
}

/**
 * How a user proved their identity (Mastodon: LoginActivity). `omniauth`: by the external log-in `provider`
 * (`openid_connect`, `saml`, `cas` or `ldap`).
 */
export type LoginMethod =
  | { readonly method: 'password' | 'otp' | 'webauthn' }
  | { readonly method: 'omniauth'; readonly provider: string }

export type LoginFailure = 'invalid_otp_token' | 'invalid_credential'

const insert = statement<{
  params: {
    userId: string
    method: string
    provider: string | null
    failureReason: LoginFailure | null
    ip: string | null
    userAgent: string
    now: Date
  }
  row: { id: string }
}>(
  `insert into login_activities (user_id, method, provider, success, failure_reason, ip, user_agent, created_at)
   values ($userId, $method, $provider, $failureReason::text is null, $failureReason, $ip, $userAgent, $now)
   returning id`,
)

/** A provider gives a customer addresses out of the same /16 (IPv4), and one network has the same /64 (IPv6). */
const networkOf = (ip: string) => `network(set_masklen(${ip}, case family(${ip}) when 4 then 16 else 64 end))`

// A user without any log-in before has nothing to compare with: an account that was just created.
const findIsNewAddress = statement<{ params: { userId: string; ip: string }; row: { new: boolean }; notNull: 'new' }>(
  `with known as (
     select ip from login_activities where user_id = $userId and success
     union all select ip from sessions where user_id = $userId
   )
   select exists (select from known) and not exists (
     select from (select ip from known union all select sign_up_ip from users where id = $userId) address
     where ip is not null and ${networkOf('ip')} = ${networkOf('$ip::inet')}) as new`,
)

const removeExpired = statement<{ params: { before: Date; limit: number }; row: { id: string } }>(
  `delete from login_activities where id = any(array(
     select id from login_activities where created_at < $before order by created_at limit $limit for update skip locked))
   returning id`,
)

/**
 * Records a log-in, or one that was refused after the first factor (`failure`). Wrong passwords are not recorded:
 * anybody could fill the list of another user with them.
 */
export async function recordLoginActivity(
  tx: Tx,
  {
    userId,
    by,
    browser,
    failure = null,
  }: { userId: string; by: LoginMethod; browser: Browser; failure?: LoginFailure | null },
): Promise<{ id: string }> {
  const [row] = await insert(tx.db, {
    userId,
    method: by.method,
    provider: by.method === 'omniauth' ? by.provider : null,
    failureReason: failure,
    ip: browser.ip,
    userAgent: browser.userAgent,
    now: tx.now,
  })
  return row!
}

/**
 * Whether a user logs in from a network that is in none of the log-ins before: not from the /16 of an IPv4 address or
 * the /64 of an IPv6 address. False for the first log-in.
 */
export async function isNewAddress(
  { db }: Pick<Read, 'db'>,
  { userId, ip }: { userId: string; ip: string },
): Promise<boolean> {
  const [row] = await findIsNewAddress(db, { userId, ip })
  return row!.new
}

/** Deletes log-ins that are older than `IP_RETENTION_PERIOD`. */
export async function expireLoginActivities(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - ctx.config.retention.ipSeconds * 1_000)
  let deleted: number
  do {
    deleted = (await ctx.write(({ db }) => removeExpired(db, { before, limit: MAX_EXPIRED_ROWS }))).length
  } while (deleted === MAX_EXPIRED_ROWS)
}

/** A log-in as its user sees it. */
export interface LoginActivity {
  id: string
  method: LoginMethod['method']
  /** Of external log-ins (`omniauth`), otherwise null. */
  provider: string | null
  success: boolean
  ip: string | null
  userAgent: string
  createdAt: Date
}

const KEYSET = keysetClause('l.id')
const WHERE = `l.user_id = $userId and ${KEYSET.where}`
const COLUMNS = `l.id, l.method, l.provider, l.success, host(l.ip) as ip, l.user_agent as "userAgent",
  l.created_at as "createdAt"`

interface ActivityQuery {
  params: { userId: string } & PageParameters
  row: LoginActivity
}

const listDescending = statement<ActivityQuery>(
  `select ${COLUMNS} from login_activities l where ${WHERE} ${KEYSET.descending}`,
)
const listAscending = statement<ActivityQuery>(
  `select ${COLUMNS} from login_activities l where ${WHERE} ${KEYSET.ascending}`,
)

/** Returns a page of the log-ins of a user, newest first. */
export async function listLoginActivities(
  read: Pick<Read, 'db'>,
  { userId, page }: { userId: string; page: Page },
): Promise<LoginActivity[]> {
  const params = { userId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}
