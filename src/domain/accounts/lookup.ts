import { NotFound } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

// Of who was deleted here the account may still stand, without its user.
const find = statement<{ params: { username: string; domain: string }; row: { id: string } }>(
  `select a.id from accounts a
   where lower(a.username) = lower($username) and coalesce(a.domain, '') = $domain
     and (a.domain is not null or exists (select from users u where u.account_id = a.id))`,
)

/**
 * The account that a handle names, in any case, with or without the domain of this server. It also finds people who are
 * not confirmed or approved yet, so that a client can tell whether a name is free; nobody is asked on other servers.
 * @throws NotFound also for what is no handle
 */
export async function lookupAccount(read: Read, { handle }: { handle: string }): Promise<string> {
  const parsed = parseHandle(handle)
  if (!parsed) throw new NotFound()
  const [row] = await find(read.db, { username: parsed.username, domain: foreignDomain(read, parsed.domain) })
  if (!row) throw new NotFound()
  return row.id
}

/** The domain under which an account is stored; empty for this server, under whichever of its names. */
export function foreignDomain(read: Pick<Read, 'config'>, domain: string | null): string {
  const { localDomain, webDomain } = read.config
  return domain === null || domain === localDomain || domain === webDomain ? '' : domain
}
