import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'

/** How much data of an account there is to export. */
export interface ExportCounts {
  statuses: number
  followers: number
  follows: number
  mutes: number
  blocks: number
  domainBlocks: number
  bookmarks: number
  lists: number
  filters: number
  mediaBytes: number
}

const count = statement<{
  params: { accountId: string }
  row: ExportCounts
  notNull: Exclude<keyof ExportCounts, 'followers' | 'follows' | 'statuses'>
}>(
  `select st.statuses_count as statuses, st.followers_count as followers, st.following_count as follows,
     (select count(*)::int from mutes where account_id = $accountId) as mutes,
     (select count(*)::int from blocks where account_id = $accountId) as blocks,
     (select count(*)::int from account_domain_blocks where account_id = $accountId) as "domainBlocks",
     (select count(*)::int from bookmarks where account_id = $accountId) as bookmarks,
     (select count(*)::int from lists where account_id = $accountId) as lists,
     (select count(*)::int from filters where account_id = $accountId) as filters,
     (select coalesce(sum(m.byte_size), 0)::float8 from media_attachments m where m.account_id = $accountId) as "mediaBytes"
   from account_stats st where st.account_id = $accountId`,
)

/** Counts what a user can export (Mastodon: GET /settings/export). */
export async function countExports(read: Read, { accountId }: { accountId: string }): Promise<ExportCounts> {
  const [counts] = await count(read.db, { accountId })
  return counts!
}
