import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** The latest of somebody's statuses, among which their habits are looked for. */
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

/** Hashtags that somebody used more than once lately and does not feature yet, as ids, those most used first. */
export async function suggestTags(read: Read, { accountId }: { accountId: string }): Promise<string[]> {
  const rows = await find(read.db, { accountId })
  return rows.map((row) => row.id)
}
