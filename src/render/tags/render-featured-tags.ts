import type { Read } from '../../domain/context.ts'
import type { FeaturedTag } from '../../entities/statuses/tag.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { statement } from '../../platform/db/statement.ts'

interface FeaturedTagRow {
  id: string
  name: string
  tag: string
  username: string
  domain: string | null
  statuses: string
  newest: Date | null
}

// Only public and unlisted statuses count, because the numbers are equal for all viewers. The offsets make the planner
// start at the statuses of the account, not at those with the tags.
const select = statement<{ params: { accountId: string }; row: FeaturedTagRow }>(
  `with used as (
     select st.tag_id, count(*) as statuses, max(s.created_at) as newest
     from (select id, created_at from statuses
         where account_id = $accountId and deleted_at is null and visibility in ('public', 'unlisted') offset 0) s
       cross join lateral (select tag_id from status_tags where status_id = s.id offset 0) st
     where st.tag_id = any(array(select tag_id from featured_tags where account_id = $accountId))
     group by st.tag_id
   )
   select f.id, f.name, t.name as tag, a.username, a.domain, coalesce(used.statuses, 0) as statuses, used.newest
   from featured_tags f join tags t on t.id = f.tag_id join accounts a on a.id = f.account_id
     left join used on used.tag_id = f.tag_id
   where f.account_id = $accountId
   order by coalesce(used.statuses, 0) desc, f.id`,
)

/** Returns the hashtags that an account features, the most used first. */
export async function renderFeaturedTags(read: Read, { accountId }: { accountId: string }): Promise<FeaturedTag[]> {
  const rows = await select(read.db, { accountId })
  return rows.map(({ id, name, tag, username, domain, statuses, newest }) =>
    entity<FeaturedTag>({
      id,
      name,
      url: `${read.config.origin}/@${domain === null ? username : `${username}@${domain}`}/tagged/${encodeURIComponent(tag)}`,
      statuses_count: statuses,
      last_status_at: newest?.toISOString().slice(0, 10) ?? null,
    }),
  )
}
