import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** The name of a host, reversed, without its port: those of its subdomains begin with it. An indexed expression. */
const reversed = (host: string) => `(reverse(rtrim(split_part(${host}, ':', 1), '.')) || '.') collate "C"`

// '/' is the next character after '.'.
const isWithin = (host: string) =>
  `${reversed(host)} >= reverse($domain::text) || '.' and ${reversed(host)} < reverse($domain::text) || '/'`
const URI_HOST = `split_part(lower(uri), '/', 3)`
const find = statement<{ params: { domain: string; limit: number }; row: { id: string } }>(
  `select distinct id from (
     select id from accounts where domain is not null and ${isWithin('domain')}
     union all
     select id from accounts where domain is not null and domain <> ${URI_HOST} and ${isWithin(URI_HOST)}
     limit $limit::int
   ) of_domain`,
)

/**
 * Returns the ids of the accounts of a domain and its subdomains (`isOfDomain`), or null if there are more than `max`.
 * Most blocked domains have few accounts here, for which an effect need not examine all accounts.
 */
export async function findFewAccounts(
  read: Pick<Read, 'db'>,
  { domain, max }: { domain: string; max: number },
): Promise<string[] | null> {
  // An account may be found by both names.
  const rows = await find(read.db, { domain, limit: 2 * max + 1 })
  return rows.length > max ? null : rows.map(({ id }) => id)
}
