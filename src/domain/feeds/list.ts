import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { notSilencedBy } from './home.ts'
import { pageClause, pageValues, readPaged } from './page.ts'

const page = pageClause('e.status_id', 3)

const select = (order: string) =>
  statement<{ id: string }>(
    `select e.status_id as id from list_entries e join statuses s on s.id = e.status_id
     where e.list_id = $2 and ${page.where} and ${visibleTo('$1')} and ${notSilencedBy('$1')} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of the timeline of one's own list: ids of statuses, newest first. */
export async function readListFeed(
  read: Read,
  { accountId, listId, page: asked }: { accountId: string; listId: string; page: Page },
): Promise<string[]> {
  const values = [accountId, listId, ...pageValues(asked)]
  const rows = await readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}
