import { extractMentions } from '../../lib/text/entities/extract-entities.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import type { Read } from '../context.ts'

const findUnknown = statement<{
  params: { usernames: readonly string[]; domains: readonly string[]; limit: number }
  row: { username: string; domain: string }
}>(
  `select handle.username, handle.domain
   from unnest($usernames::text[], $domains::text[]) with ordinality as handle (username, domain, place)
   where not exists (select from accounts a where lower(a.username) = lower(handle.username)
     and coalesce(a.domain, '') = handle.domain)
   order by handle.place limit $limit`,
)

/** Returns the remote handles in a text that belong to no known account, each once, in the order of the text. */
export async function findUnknownMentions(
  read: Pick<Read, 'db' | 'config'>,
  { text, limit }: { text: string; limit: number },
): Promise<{ username: string; domain: string }[]> {
  const handles = new Map<string, { username: string; domain: string }>()
  for (const { username, domain: typed } of extractMentions(text)) {
    const domain = typed === null ? null : canonicalDomain(typed, { keepPort: true })
    if (domain === null || toStoredDomain(read, domain) === '') continue
    handles.set(`${username.toLowerCase()}@${domain}`, { username, domain })
  }
  if (handles.size === 0) return []
  const all = [...handles.values()]
  return findUnknown(read.db, {
    usernames: all.map((one) => one.username),
    domains: all.map((one) => one.domain),
    limit,
  })
}
