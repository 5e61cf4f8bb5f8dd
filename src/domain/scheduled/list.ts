import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'

const page = pageClause('p.id', 2)

const select = (order: string) =>
  statement<{ id: string }>(`select p.id from scheduled_statuses p where p.account_id = $1 and ${page.where} ${order}`)
const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of what somebody has scheduled: ids, the latest written first. */
export async function readScheduled(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<string[]> {
  const values = [accountId, ...pageValues(asked)]
  const rows = await readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}

const findOne = statement<{ id: string }>(`select id from scheduled_statuses where id = $1 and account_id = $2`)

/** One of somebody's scheduled statuses. @throws NotFound also for somebody else's */
export async function findScheduled(read: Read, { id, accountId }: { id: string; accountId: string }): Promise<string> {
  const [row] = await findOne(read.db, [id, accountId])
  if (!row) throw new NotFound()
  return row.id
}
