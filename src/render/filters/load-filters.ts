import type { Read } from '../../domain/context.ts'
import type { Filter } from '../../entities/accounts/filter.ts'
import { statement } from '../../platform/db/statement.ts'

export interface FilterRow {
  id: string
  title: string
  contexts: Filter['context']
  action: Filter['filter_action']
  /** ISO 8601. */
  expires_at: string | null
  keywords: KeywordRow[] | null
  statuses: { id: string; status_id: string }[] | null
}

export interface KeywordRow {
  id: string
  keyword: string
  whole_word: boolean
}

const KEYWORD_JSON = `jsonb_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word)`

/** Returns an SQL expression with the filters of the account in `owner` as JSON, the oldest first. */
const filtersOf = (owner: string, where = 'true') => `(
  select jsonb_agg(jsonb_build_object('id', f.id::text, 'title', f.title, 'contexts', f.contexts, 'action', f.action,
    'expires_at', f.expires_at,
    'keywords', (select jsonb_agg(${KEYWORD_JSON} order by k.id) from filter_keywords k where k.filter_id = f.id),
    'statuses', (select jsonb_agg(jsonb_build_object('id', fs.id::text, 'status_id', fs.status_id::text) order by fs.id)
      from filter_statuses fs where fs.filter_id = f.id)) order by f.id)
  from filters f where f.account_id = ${owner} and ${where})`

const select = statement<{ params: { accountId: string; id: string | null }; row: { filters: FilterRow[] | null } }>(
  `select ${filtersOf('$accountId', '($id::bigint is null or f.id = $id)')} as filters`,
)
const selectOfMany = statement<{
  params: { accountIds: readonly string[] }
  row: { account_id: string; version: number; filters: FilterRow[] | null }
}>(
  `select u.account_id, u.filters_version as version, ${filtersOf('u.account_id')} as filters
   from users u where u.account_id = any($accountIds::bigint[])`,
)

/** Returns the filters of an account, or one of them. */
export async function loadFilters(
  read: Read,
  { accountId, id = null }: { accountId: string; id?: string | null },
): Promise<FilterRow[]> {
  const [row] = await select(read.db, { accountId, id })
  return row?.filters ?? []
}

/** Returns all filters of some accounts, with their versions. */
export async function loadFiltersOfAccounts(
  read: Read,
  { accountIds }: { accountIds: readonly string[] },
): Promise<{ accountId: string; version: number; filters: FilterRow[] }[]> {
  if (accountIds.length === 0) return []
  const rows = await selectOfMany(read.db, { accountIds })
  return rows.map((row) => ({ accountId: row.account_id, version: row.version, filters: row.filters ?? [] }))
}
