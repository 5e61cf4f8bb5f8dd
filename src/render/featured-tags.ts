import type { Read } from '../domain/context.ts'
import type { FeaturedTag } from '../entities/tag.ts'
import { statement } from '../platform/db/connect.ts'

interface Row {
  id: string
  name: string
  tag: string
  username: string
  domain: string | null
  statuses: string
  newest: Date | null
}

// What only some people may see is not counted: the numbers are for everybody.
const load = statement<Row>(
  `select f.id, f.name, t.name as tag, a.username, a.domain, used.statuses, used.newest
   from featured_tags f join tags t on t.id = f.tag_id join accounts a on a.id = f.account_id
     cross join lateral (
       select count(*) as statuses, max(s.created_at) as newest
       from status_tags st join statuses s on s.id = st.status_id
       where st.tag_id = f.tag_id and s.account_id = f.account_id and s.deleted_at is null
         and s.visibility = any(array['public', 'unlisted'])) used
   where f.account_id = $1
   order by used.statuses desc, f.id`,
)

/** The hashtags that somebody puts on their profile, those most used first. */
export async function renderFeaturedTags(read: Read, { accountId }: { accountId: string }): Promise<FeaturedTag[]> {
  const rows = await load(read.db, [accountId])
  return rows.map(({ id, name, tag, username, domain, statuses, newest }) => ({
    id,
    name,
    url: `${read.config.origin}/@${domain === null ? username : `${username}@${domain}`}/tagged/${encodeURIComponent(tag)}`,
    statuses_count: statuses,
    last_status_at: newest?.toISOString().slice(0, 10) ?? null,
  }))
}
