import { TooManyRequestsError } from '../../../lib/errors.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import type { SignUpSettings } from './read-sign-up-settings.ts'

const DAYS_KEPT = 2

// Ordered, so that concurrent sign-ups cannot deadlock.
const increment = statement<{
  params: { kinds: readonly string[]; subjects: readonly string[]; now: Date }
  row: { kind: string; count: number }
}>(
  `insert into sign_up_counts as c (day, kind, subject, count)
   select ($now::timestamptz at time zone 'UTC')::date, x.kind, x.subject, 1
   from unnest($kinds::text[], $subjects::text[]) x (kind, subject) order by x.kind, x.subject
   on conflict (day, kind, subject) do update set count = c.count + 1 returning kind, count`,
)
const prune = statement<{ params: { before: Date } }>(
  `delete from sign_up_counts where day < ($before::timestamptz at time zone 'UTC')::date`,
)

/** 429: as many users as the settings permit have signed up today. */
export class SignUpLimitError extends TooManyRequestsError {
  constructor() {
    super('Too many accounts were created today, please try again tomorrow')
  }
}

/**
 * Counts a valid sign-up. One that is refused is not counted.
 * @throws SignUpLimitError if it exceeds a limit of the day: of all sign-ups, of those from the IP address, or of those
 *   with addresses of the e-mail domain
 */
export async function countSignUp(
  tx: Tx,
  { email, ip, settings }: { email: string; ip: string | null; settings: SignUpSettings },
): Promise<void> {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const counters = [
    { kind: 'all', subject: '', limit: settings.perDay },
    { kind: 'ip', subject: ip === null ? null : networkPrefixOf(ip), limit: settings.perIp },
    { kind: 'email_domain', subject: canonicalDomain(domain) ?? domain.toLowerCase(), limit: settings.perEmailDomain },
  ].flatMap(({ subject, ...counter }) => (subject === null || counter.limit === 0 ? [] : [{ subject, ...counter }]))
  if (counters.length === 0) return
  const counts = await increment(tx.db, {
    kinds: counters.map(({ kind }) => kind),
    subjects: counters.map(({ subject }) => subject),
    now: tx.now,
  })
  const limits = new Map<string, number>(counters.map(({ kind, limit }) => [kind, limit]))
  if (counts.some(({ kind, count }) => count > limits.get(kind)!)) throw new SignUpLimitError()
}

/** Effect: deletes the counts of former days. */
export async function pruneSignUpCounts(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { before: new Date(tx.now.getTime() - DAYS_KEPT * 86_400_000) }))
}
