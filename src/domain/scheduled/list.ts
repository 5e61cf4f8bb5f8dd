import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'

const page = pageClause('p.id')

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: { id: string } }>(
    `select p.id from scheduled_statuses p where p.account_id = $accountId and ${page.where} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of what somebody has scheduled: ids, the latest written first. */
export async function readScheduled(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<string[]> {
  const values = { accountId, ...pageParameters(asked) }
  const rows = await readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}

const findOne = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `select id from scheduled_statuses where id = $id and account_id = $accountId`,
)

/** One of somebody's scheduled statuses. @throws NotFound also for somebody else's */
export async function findScheduled(read: Read, { id, accountId }: { id: string; accountId: string }): Promise<string> {
  const [row] = await findOne(read.db, { id, accountId })
  if (!row) throw new NotFound()
  return row.id
}
