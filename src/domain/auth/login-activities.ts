import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'

/** Log-ins are deleted after this time (Mastodon: `IP_RETENTION_PERIOD`). */
const RETENTION_DAYS = 365

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
}>(
  `insert into login_activities (user_id, method, provider, success, failure_reason, ip, user_agent, created_at)
   values ($userId, $method, $provider, $failureReason::text is null, $failureReason, $ip, $userAgent, $now)`,
)

const removeExpired = statement<{ params: { before: Date; limit: number }; row: { id: string } }>(
  `delete from login_activities where id = any(array(
     select id from login_activities where created_at < $before order by created_at limit $limit for update skip locked))
   returning id`,
)

/**
 * Records a log-in, or one that was refused after the first factor (`failure`). Wrong passwords are not recorded: anybody
 * could fill the list of another user with them.
 */
export async function recordLoginActivity(
  tx: Tx,
  {
    userId,
    by,
    browser,
    failure = null,
  }: { userId: string; by: LoginMethod; browser: Browser; failure?: LoginFailure | null },
): Promise<void> {
  await insert(tx.db, {
    userId,
    method: by.method,
    provider: by.method === 'omniauth' ? by.provider : null,
    failureReason: failure,
    ip: browser.ip,
    userAgent: browser.userAgent,
    now: tx.now,
  })
}

/** Deletes log-ins that are older than a year. */
export async function expireLoginActivities(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETENTION_DAYS * 86_400_000)
  let deleted: number
  do {
    deleted = (await ctx.write(({ db }) => removeExpired(db, { before, limit: MAX_EXPIRED_ROWS }))).length
  } while (deleted === MAX_EXPIRED_ROWS)
}
