import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import { permits } from '../accounts/staff.ts'
import type { Read } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'
import { visibleTo } from '../statuses/visibility.ts'

/**
 * $1 is whose it is. What it tells of may have been hidden since: by a block, by the end of a follow, by the staff; and
 * reports are for those who are of the staff now.
 */
const SHOWN = `n.account_id = $1
  and not exists (select from accounts a where a.id = n.from_account_id and a.suspended_at is not null)
  and (n.status_id is null or exists (select from statuses s where s.id = n.status_id and ${visibleTo('$1')}))
  and (n.report_id is null or exists (
    select from users u join roles r on r.id = u.role_id where u.account_id = $1 and ${permits('manageReports')}))`

const page = pageClause('n.id', 2)

// $2–$5 page, $6 kinds wanted or null, $7 kinds not wanted, $8 sender or null
const select = (order: string) =>
  statement<{ id: string }>(
    `select n.id from notifications n
     where ${SHOWN} and ${page.where}
       and ($6::text[] is null or n.type = any($6)) and not n.type = any($7::text[])
       and ($8::bigint is null or n.from_account_id = $8)
     ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of somebody's notifications: ids, latest first. A kind that there is not is the kind of none. */
export async function readNotifications(
  read: Read,
  {
    accountId,
    page: asked,
    kinds = null,
    exceptKinds = [],
    fromAccountId = null,
  }: {
    accountId: string
    page: Page
    /** Only these; null = all. */
    kinds?: readonly string[] | null
    exceptKinds?: readonly string[]
    fromAccountId?: string | null
  },
): Promise<string[]> {
  const values = [accountId, ...pageValues(asked), kinds, exceptKinds, fromAccountId]
  const rows = await readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}

const findOne = statement<{ id: string }>(`select n.id from notifications n where n.id = $2 and ${SHOWN}`)

/** One of somebody's notifications, if it is theirs and may still be shown. @throws NotFound */
export async function findNotification(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<string> {
  const [row] = await findOne(read.db, [accountId, id])
  if (!row) throw new NotFound()
  return row.id
}
