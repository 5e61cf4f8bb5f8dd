import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkContexts, checkFilterLimits, checkTitle, filterExpiry } from './check-filter.ts'
import { findFilter } from './find-filter.ts'
import type { FilterRow } from './find-filter.ts'
import { changeKeywords } from './change-keywords.ts'
import type { KeywordChange } from './change-keywords.ts'
import { recordFilterChange } from './record-filter-change.ts'

/**
 * The attributes of a filter in a request. Undefined attributes do not change, or have their default in a new filter.
 */
export interface FilterAttributes {
  title?: string | undefined
  /** The contexts in which the filter applies. */
  contexts?: readonly string[] | undefined
  action?: FilterRow['action'] | undefined
  /** In seconds from now; 0 = never, below 0 = it has expired. */
  expiresInSeconds?: number | undefined
  keywords?: readonly KeywordChange[] | undefined
}

const insert = statement<{
  params: {
    accountId: string
    title: string
    contexts: readonly string[]
    action: string
    expiresAt: Date | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into filters (account_id, title, contexts, action, expires_at, created_at)
   values ($accountId, $title, $contexts, $action, $expiresAt, $now) returning id`,
)
const update = statement<{
  params: { id: string; title: string; contexts: readonly string[]; action: string; expiresAt: Date | null }
}>(`update filters set title = $title, contexts = $contexts, action = $action, expires_at = $expiresAt where id = $id`)
const remove = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `delete from filters where id = $id and account_id = $accountId returning id`,
)

/**
 * Creates a filter. Returns its id. Mastodon: POST /api/v2/filters
 * @throws ValidationError; UnprocessableError as `checkFilterLimits`
 */
export async function createFilter(
  tx: Tx,
  { accountId, attributes }: { accountId: string; attributes: FilterAttributes },
): Promise<string> {
  const { title = '', contexts = [], action = 'warn', expiresInSeconds = 0, keywords = [] } = attributes
  checkTitle(title)
  checkContexts(contexts)
  await recordFilterChange(tx, { accountId })
  const expiresAt = filterExpiry({ now: tx.now, seconds: expiresInSeconds })
  const [row] = await insert(tx.db, {
    accountId,
    title,
    contexts: [...new Set(contexts)],
    action,
    expiresAt,
    now: tx.now,
  })
  const { id } = row!
  await changeKeywords(tx, { filterId: id, changes: keywords })
  await checkFilterLimits(tx, { accountId })
  return id
}

/**
 * Changes a filter of the account. Mastodon: PUT /api/v2/filters/:id
 * @throws NotFoundError also for another account's filter and for a keyword of another filter; ValidationError;
 *   UnprocessableError as `checkFilterLimits`
 */
export async function updateFilter(
  tx: Tx,
  { accountId, id, attributes }: { accountId: string; id: string; attributes: FilterAttributes },
): Promise<void> {
  await recordFilterChange(tx, { accountId })
  await changeFilter(tx, { accountId, before: await findFilter(tx, { id, accountId }), attributes })
}

/** Changes a filter after the caller has called `recordFilterChange`. @throws the errors of `updateFilter` */
export async function changeFilter(
  tx: Tx,
  { accountId, before, attributes }: { accountId: string; before: FilterRow; attributes: FilterAttributes },
): Promise<void> {
  const { title = before.title, contexts = before.contexts, action = before.action, keywords = [] } = attributes
  checkTitle(title)
  checkContexts(contexts)
  const { expiresInSeconds: seconds } = attributes
  const expiresAt = seconds === undefined ? before.expires_at : filterExpiry({ now: tx.now, seconds })
  await update(tx.db, { id: before.id, title, contexts: [...new Set(contexts)], action, expiresAt })
  await changeKeywords(tx, { filterId: before.id, changes: keywords })
  await checkFilterLimits(tx, { accountId })
}

/**
 * Deletes a filter with its keywords and statuses. Mastodon: DELETE /api/v2/filters/:id
 * @throws NotFoundError also for another account's filter
 */
export async function removeFilter(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await recordFilterChange(tx, { accountId })
  const removed = await remove(tx.db, { id, accountId })
  if (removed.length === 0) throw new NotFoundError()
}
