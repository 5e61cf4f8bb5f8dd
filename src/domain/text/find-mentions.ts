import { extractMentions } from '../../lib/text/entities/extract-entities.ts'
import { canonicalDomain, displayDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import type { Tx } from '../context.ts'

export interface MentionedAccount {
  id: string
  username: string
  domain: string | null
  acct: string
  url: string
}

// Users who are not confirmed or approved yet cannot be mentioned: their handle remains plain text, like that of an
// unknown account.
const selectMentioned = statement<{
  params: { usernames: readonly string[]; domains: readonly string[] }
  row: Omit<MentionedAccount, 'acct'>
}>(
  `select a.id, a.username, a.domain, a.url
   from unnest($usernames::text[], $domains::text[]) with ordinality as handle (username, domain, place)
     join accounts a on lower(a.username) = handle.username and coalesce(a.domain, '') = handle.domain
     left join users u on u.account_id = a.id
   where a.suspended_at is null
     and (a.domain is not null or (u.confirmed_at is not null and u.approved))
   group by a.id order by min(handle.place)`,
)

/** Returns the accounts that a text mentions, each once, in the order of the text. Ignores unknown handles. */
export async function findMentions(tx: Tx, { text }: { text: string }): Promise<MentionedAccount[]> {
  const handles = extractMentions(text).map(({ username, domain }) => ({
    username: username.toLowerCase(),
    domain: toStoredDomain(tx, domain && (canonicalDomain(domain, { keepPort: true }) ?? domain)),
  }))
  if (handles.length === 0) return []
  const rows = await selectMentioned(tx.db, {
    usernames: handles.map((one) => one.username),
    domains: handles.map((one) => one.domain),
  })
  return rows.map((row) => ({
    ...row,
    acct: row.domain === null ? row.username : `${row.username}@${displayDomain(row.domain)}`,
  }))
}
