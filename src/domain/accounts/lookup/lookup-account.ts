import { NotFoundError } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'

// The account row of a deleted local user may still exist, without a row of `users`.
const find = statement<{ params: { username: string; domain: string }; row: { id: string } }>(
  `select a.id from accounts a
   where lower(a.username) = lower($username) and coalesce(a.domain, '') = $domain
     and (a.domain is not null or exists (select from users u where u.account_id = a.id))`,
)

/**
 * Returns the id of the account with a handle, in any case, with or without the domain of this server (Mastodon: GET
 * /api/v1/accounts/lookup). Also finds users who are not confirmed or approved yet, so that a client can tell whether a
 * username is free. Sends no request to other servers.
 * @throws NotFoundError, also for an invalid handle
 */
export async function lookupAccount(read: Read, { handle }: { handle: string }): Promise<string> {
  const parsed = parseHandle(handle)
  if (!parsed) throw new NotFoundError()
  const [row] = await find(read.db, { username: parsed.username, domain: toStoredDomain(read, parsed.domain) })
  if (!row) throw new NotFoundError()
  return row.id
}

/** Returns the domain under which accounts are stored; empty for this server, by either of its domains or none. */
export function toStoredDomain(read: Pick<Read, 'config'>, domain: string | null): string {
  const { localDomain, webDomain } = read.config
  return domain === null || domain === localDomain || domain === webDomain ? '' : domain
}
