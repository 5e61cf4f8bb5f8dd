import { extractMentions } from '../../lib/text/extract.ts'
import { canonicalDomain, displayDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { foreignDomain } from '../accounts/lookup.ts'
import type { Tx } from '../context.ts'

export interface MentionedAccount {
  id: string
  username: string
  domain: string | null
  acct: string
  url: string
}

// People who are not confirmed or approved yet can't be mentioned: their handle stays text, and nothing tells why.
const find = statement<{
  params: { usernames: readonly string[]; domains: readonly string[] }
  row: Omit<MentionedAccount, 'acct'>
}>(
  `select a.id, a.username, a.domain, a.url
   from unnest($usernames::text[], $domains::text[]) with ordinality as wanted (username, domain, place)
     join accounts a on lower(a.username) = wanted.username and coalesce(a.domain, '') = wanted.domain
     left join users u on u.account_id = a.id
   where a.suspended_at is null
     and (a.domain is not null or (u.confirmed_at is not null and u.approved))
   group by a.id order by min(wanted.place)`,
)

/** The accounts that a text mentions, each once, in its order. Handles of nobody are left out. */
export async function findMentions(tx: Tx, { text }: { text: string }): Promise<MentionedAccount[]> {
  const handles = extractMentions(text).map(({ username, domain }) => ({
    username: username.toLowerCase(),
    domain: foreignDomain(tx, domain && (canonicalDomain(domain, { keepPort: true }) ?? domain)),
  }))
  if (handles.length === 0) return []
  const rows = await find(tx.db, {
    usernames: handles.map((one) => one.username),
    domains: handles.map((one) => one.domain),
  })
  return rows.map((row) => ({
    ...row,
    acct: row.domain === null ? row.username : `${row.username}@${displayDomain(row.domain)}`,
  }))
}
