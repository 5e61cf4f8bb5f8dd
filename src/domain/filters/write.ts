import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkContexts, checkRoom, checkTitle, expiryOf } from './check-filter.ts'
import { findFilter } from './find.ts'
import type { FilterRow } from './find.ts'
import { changeKeywords } from './keywords.ts'
import type { KeywordChange } from './keywords.ts'
import { noteFilterChange } from './note-change.ts'

/** What of a filter is set; what is undefined stays, or is as it is by default. */
export interface FilterTraits {
  title?: string | undefined
  /** Where it counts. */
  contexts?: readonly string[] | undefined
  action?: FilterRow['action'] | undefined
  /** From now; 0 = for good, below 0 = it has ended. */
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
  params: { beforeId: string; title: string; contexts: readonly string[]; action: string; expiresAt: Date | null }
}>(
  `update filters set title = $title, contexts = $contexts, action = $action, expires_at = $expiresAt where id = $beforeId`,
)
const remove = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `delete from filters where id = $id and account_id = $accountId returning id`,
)

/** Makes a filter. Returns its id. @throws ValidationFailed · Unprocessable when there are too many */
export async function createFilter(
  tx: Tx,
  { accountId, traits }: { accountId: string; traits: FilterTraits },
): Promise<string> {
  const { title = '', contexts = [], action = 'warn', expiresInSeconds = 0, keywords = [] } = traits
  checkTitle(title)
  checkContexts(contexts)
  await noteFilterChange(tx, { accountId })
  const expiresAt = expiryOf({ now: tx.now, seconds: expiresInSeconds })
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
  await checkRoom(tx, { accountId })
  return id
}

/** Changes a filter. @throws NotFound also for somebody else's, or a keyword of another filter · ValidationFailed */
export async function updateFilter(
  tx: Tx,
  { accountId, id, traits }: { accountId: string; id: string; traits: FilterTraits },
): Promise<void> {
  await noteFilterChange(tx, { accountId })
  await changeFilter(tx, { accountId, before: await findFilter(tx, { id, accountId }), traits })
}

/** Changes a filter as part of a change that has been noted. @throws NotFound · ValidationFailed */
export async function changeFilter(
  tx: Tx,
  { accountId, before, traits }: { accountId: string; before: FilterRow; traits: FilterTraits },
): Promise<void> {
  const { title = before.title, contexts = before.contexts, action = before.action, keywords = [] } = traits
  checkTitle(title)
  checkContexts(contexts)
  const { expiresInSeconds: seconds } = traits
  const expiresAt = seconds === undefined ? before.expires_at : expiryOf({ now: tx.now, seconds })
  await update(tx.db, { beforeId: before.id, title, contexts: [...new Set(contexts)], action, expiresAt })
  await changeKeywords(tx, { filterId: before.id, changes: keywords })
  await checkRoom(tx, { accountId })
}

/** Removes a filter with all that it looks for. @throws NotFound also for somebody else's */
export async function removeFilter(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await noteFilterChange(tx, { accountId })
  const removed = await remove(tx.db, { id, accountId })
  if (removed.length === 0) throw new NotFound()
}
