import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** The number of latest statuses in which hashtags are counted. */
const LATEST_STATUSES = 1_000
const MAX_SUGGESTIONS = 10

const find = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select st.tag_id as id from status_tags st join (
     select id from statuses where account_id = $accountId and deleted_at is null
       order by id desc limit ${LATEST_STATUSES}
   ) latest on latest.id = st.status_id
   where not st.tag_id = any(array(select tag_id from featured_tags where account_id = $accountId))
   group by st.tag_id having count(*) > 1
   order by count(*) desc, max(st.status_id) desc limit ${MAX_SUGGESTIONS}`,
)

/**
 * Returns the ids of the hashtags that an account recently used more than once and does not feature, most used first
 * (Mastodon: GET /api/v1/featured_tags/suggestions).
 */
export async function suggestTags(read: Read, { accountId }: { accountId: string }): Promise<string[]> {
  const rows = await find(read.db, { accountId })
  return rows.map((row) => row.id)
}
