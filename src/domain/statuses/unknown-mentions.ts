import { extractMentions } from '../../lib/text/extract.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { foreignDomain } from '../accounts/lookup.ts'
import type { Read } from '../context.ts'

const findUnknown = statement<{
  params: { usernames: readonly string[]; domains: readonly string[]; limit: number }
  row: { username: string; domain: string }
}>(
  `select wanted.username, wanted.domain
   from unnest($usernames::text[], $domains::text[]) with ordinality as wanted (username, domain, place)
   where not exists (select from accounts a where lower(a.username) = lower(wanted.username) and a.domain = wanted.domain)
   order by wanted.place limit $limit`,
)

/** The handles of other servers in a text that nobody here is known by, each once, in its order. */
export async function findUnknownMentions(
  read: Pick<Read, 'db' | 'config'>,
  { text, limit }: { text: string; limit: number },
): Promise<{ username: string; domain: string }[]> {
  const handles = new Map<string, { username: string; domain: string }>()
  for (const { username, domain: typed } of extractMentions(text)) {
    const domain = typed === null ? null : canonicalDomain(typed, { keepPort: true })
    if (domain === null || foreignDomain(read, domain) === '') continue
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
