import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../access/usable-account.ts'
import type { Read } from '../context.ts'

const select = statement<{
  params: { localIds: readonly string[]; remoteUrls: readonly string[] }
  row: { id: string; remote_url: string | null }
}>(
  `select c.id, case when not c.local then c.url end as remote_url
   from collections c join accounts o on o.id = c.account_id left join users ou on ou.account_id = o.id
   where (c.id = any($localIds::bigint[]) and c.local or c.url = any($remoteUrls::text[]) and not c.local)
     and ${usableAccount('o', 'ou')}
   order by c.id`,
)

/** Returns the ids of the known collections whose pages have these URLs, by URL. Omits those of suspended owners. */
export async function findCollectionsByUrl(
  read: Pick<Read, 'db' | 'config'>,
  { urls }: { urls: Iterable<string> },
): Promise<Map<string, string>> {
  const local = `${read.config.origin}/`
  const localIds = new Map<string, string>()
  const remoteUrls: string[] = []
  for (const url of urls) {
    if (!url.startsWith(local)) remoteUrls.push(url)
    const id = /^collections\/(\d+)$/.exec(url.slice(local.length))?.[1]
    if (url.startsWith(local) && isId(id)) localIds.set(id, url)
  }
  if (localIds.size === 0 && remoteUrls.length === 0) return new Map()
  const rows = await select(read.db, { localIds: [...localIds.keys()], remoteUrls })
  // Of two collections with the same URL, the one that was known first keeps it.
  return new Map(rows.toReversed().map(({ id, remote_url: remoteUrl }) => [remoteUrl ?? localIds.get(id)!, id]))
}
