import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface FilterRow {
  id: string
  title: string
  contexts: string[]
  action: 'warn' | 'hide' | 'blur'
  expires_at: Date | null
}

export interface KeywordRow {
  id: string
  filter_id: string
  keyword: string
  whole_word: boolean
}

export interface FilteredStatusRow {
  id: string
  filter_id: string
  status_id: string
}

const byId = statement<{ params: { id: string; accountId: string }; row: FilterRow }>(
  `select id, title, contexts, action, expires_at from filters where id = $id and account_id = $accountId`,
)
const byKeyword = statement<{ params: { id: string; accountId: string }; row: KeywordRow }>(
  `select k.id, k.filter_id, k.keyword, k.whole_word
   from filter_keywords k join filters f on f.id = k.filter_id where k.id = $id and f.account_id = $accountId`,
)
const byStatus = statement<{ params: { id: string; accountId: string }; row: FilteredStatusRow }>(
  `select s.id, s.filter_id, s.status_id
   from filter_statuses s join filters f on f.id = s.filter_id where s.id = $id and f.account_id = $accountId`,
)

interface Owned {
  id: string
  accountId: string
}

/** Returns a filter of the account. @throws NotFoundError also for another account's filter */
export async function findFilter(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<FilterRow> {
  return first(await byId(read.db, { id, accountId }))
}

/** Returns a keyword of the account's filters. @throws NotFoundError also for another account's keyword */
export async function findKeyword(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<KeywordRow> {
  return first(await byKeyword(read.db, { id, accountId }))
}

/**
 * Returns the entry of a status in one of the account's filters, by the id of the entry.
 * @throws NotFoundError also for another account's entry
 */
export async function findFilteredStatus(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<FilteredStatusRow> {
  return first(await byStatus(read.db, { id, accountId }))
}

function first<Row>([row]: Row[]): Row {
  if (!row) throw new NotFoundError()
  return row
}
