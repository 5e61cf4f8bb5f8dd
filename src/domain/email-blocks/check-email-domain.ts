import type { FieldError } from '../../lib/errors.ts'
import { networkPrefixOf } from '../../lib/http/network-prefix-of.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { startOfHistory } from '../core/usage-history.ts'

/** How many mail servers of a domain are checked. Large providers have about five. */
const MAX_MAIL_HOSTS = 20

export const BLOCKED_EMAIL: FieldError = {
  attribute: 'email',
  code: 'ERR_BLOCKED',
  text: 'is of an e-mail provider that is not allowed',
}

const find = statement<{ params: { domains: readonly string[] }; row: { id: string; allow_with_approval: boolean } }>(
  `select id, allow_with_approval from email_domain_blocks where domain = any($domains::text[]) order by id`,
)
const findAny = statement<{ row: { id: string } }>(`select id from email_domain_blocks limit 1`)
// A block may have been deleted meanwhile.
const count = statement<{ params: { blockIds: readonly string[]; network: string; now: Date } }>(
  `insert into email_domain_block_attempts (block_id, day, network)
   select id, ($now::timestamptz at time zone 'UTC')::date, $network from email_domain_blocks
   where id = any($blockIds::bigint[]) order by id for key share
   on conflict (block_id, day, network) do update set attempts = email_domain_block_attempts.attempts + 1`,
)
const prune = statement<{ params: { before: Date } }>(
  `delete from email_domain_block_attempts where day < ($before::timestamptz at time zone 'UTC')::date`,
)

/**
 * Returns whether the lists of the configuration refuse the domain of an e-mail address. A domain on a list includes
 * its subdomains.
 */
export function isRefusedByLists({ config }: Pick<Ctx, 'config'>, { email }: { email: string }): boolean {
  const { allowed, denied } = config.emailDomains
  const domain = canonicalDomain(email.slice(email.lastIndexOf('@') + 1))
  const names = domain === null ? [] : withParents(domain)
  const isOn = (list: readonly string[]) => names.some((name) => list.includes(name))
  return (allowed.length > 0 && !isOn(allowed)) || isOn(denied)
}

/**
 * Returns whether new addresses of the domain of a valid e-mail address are refused, or need approval. A block matches
 * the domain, its subdomains, and domains whose mail servers it matches. `attemptIp`: counts a sign-up from this IP
 * address in the history of the matching blocks.
 */
export async function checkEmailDomain(
  ctx: Ctx,
  { email, attemptIp }: { email: string; attemptIp: string | null },
): Promise<'allowed' | 'approval' | 'blocked'> {
  if ((await findAny(ctx.db)).length === 0) return 'allowed'
  const domain = canonicalDomain(email.slice(email.lastIndexOf('@') + 1))
  if (domain === null) return 'allowed'
  const hosts = [domain, ...(await listMailHosts(ctx, { domain }))]
  const blocks = await find(ctx.db, { domains: [...new Set(hosts.flatMap(withParents))] })
  if (blocks.length === 0) return 'allowed'
  if (attemptIp !== null) {
    const attempt = { blockIds: blocks.map(({ id }) => id), network: networkPrefixOf(attemptIp) }
    await ctx.write((tx) => count(tx.db, { ...attempt, now: tx.now }))
  }
  return blocks.every((block) => block.allow_with_approval) ? 'approval' : 'blocked'
}

/** Returns the canonical names of the mail servers of a domain. */
export async function listMailHosts(
  ctx: Pick<Ctx, 'findMailHosts'>,
  { domain }: { domain: string },
): Promise<string[]> {
  const found = await ctx.findMailHosts(domain)
  const hosts = found === 'no mail' ? [] : found.slice(0, MAX_MAIL_HOSTS)
  return [...new Set(hosts.flatMap((host) => canonicalDomain(host) ?? []))]
}

/** Effect: deletes attempts older than the history that the API shows. */
export async function pruneEmailDomainAttempts(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { before: startOfHistory(tx.now) }))
}

/** Returns a domain with all domains above it. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_label, n) => labels.slice(n).join('.'))
}
