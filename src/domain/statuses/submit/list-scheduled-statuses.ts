import { NotFoundError } from '../../../lib/errors.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'

const keyset = keysetClause('p.id')

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: { id: string } }>(
    `select p.id from scheduled_statuses p where p.account_id = $accountId and ${keyset.where} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/** Returns a page of ids of the account's scheduled statuses, latest first. Mastodon: GET /api/v1/scheduled_statuses */
export async function listScheduledStatuses(
  read: Read,
  { accountId, page: requested }: { accountId: string; page: Page },
): Promise<string[]> {
  const values = { accountId, ...pageParameters(requested) }
  const rows = await readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
  return rows.map((row) => row.id)
}

const findOne = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `select id from scheduled_statuses where id = $id and account_id = $accountId`,
)

/** Returns the id of a scheduled status of the account. @throws NotFoundError also for another account's status */
export async function findScheduledStatus(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<string> {
  const [row] = await findOne(read.db, { id, accountId })
  if (!row) throw new NotFoundError()
  return row.id
}
