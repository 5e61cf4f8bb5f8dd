import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'
import { choiceValues, isChosen, isShown } from './shown.ts'
import type { NotificationChoice } from './shown.ts'

const page = pageClause('n.id', 2)

// $1 whose they are, $2–$5 page, $6–$9 which
const select = (order: string) =>
  statement<{ id: string }>(
    `select n.id from notifications n where ${isShown('n')} and ${page.where} and ${isChosen('n', 6)} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of somebody's notifications: ids, latest first. */
export async function readNotifications(
  read: Read,
  { accountId, page: asked, ...choice }: { accountId: string; page: Page } & NotificationChoice,
): Promise<string[]> {
  const values = [accountId, ...pageValues(asked), ...choiceValues(choice)]
  const rows = await readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}

const findOne = statement<{ id: string }>(`select n.id from notifications n where n.id = $2 and ${isShown('n')}`)

/** One of somebody's notifications, if it is theirs and may still be shown, be it held back or not. @throws NotFound */
export async function findNotification(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<string> {
  const [row] = await findOne(read.db, [accountId, id])
  if (!row) throw new NotFound()
  return row.id
}
