import { statement } from '../../../platform/db/statement.ts'
import { visibleInExport } from '../../access/visible-in-export.ts'
import type { Read } from '../../context.ts'

/** A filter in a file of filters. */
export interface ExportedFilter {
  title: string
  expires_at: string | null
  context: string[]
  action: string
  keywords_attributes: { keyword: string; whole_word: boolean }[]
  /** The URIs of the filtered statuses. */
  statuses: string[]
}

const select = statement<{
  params: { accountId: string }
  row: {
    title: string
    expires_at: Date | null
    contexts: string[]
    action: string
    keywords: { keyword: string; whole_word: boolean }[]
    statuses: string[]
  }
  notNull: 'keywords' | 'statuses'
}>(
  `select f.title, f.expires_at, f.contexts, f.action,
     (select coalesce(jsonb_agg(jsonb_build_object('keyword', k.keyword, 'whole_word', k.whole_word) order by k.id), '[]')
      from filter_keywords k where k.filter_id = f.id) as keywords,
     array(select s.uri from filter_statuses fs join statuses s on s.id = fs.status_id
       where fs.filter_id = f.id and ${visibleInExport('$accountId')} order by fs.id) as statuses
   from filters f where f.account_id = $accountId order by f.id`,
)

/**
 * Returns all filters of an account in Mastodon's format (Mastodon: GET /settings/exports/custom_filters.json). The
 * limits of filters bound its size.
 */
export async function exportFilters(
  read: Read,
  { accountId }: { accountId: string },
): Promise<{ custom_filters: ExportedFilter[] }> {
  const rows = await select(read.db, { accountId })
  return {
    custom_filters: rows.map(({ title, expires_at: expiresAt, contexts, action, keywords, statuses }) => ({
      title,
      expires_at: expiresAt?.toISOString() ?? null,
      context: contexts,
      action,
      keywords_attributes: keywords,
      statuses,
    })),
  }
}
