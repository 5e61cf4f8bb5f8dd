import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { pageClause, pageValues } from '../feeds/page.ts'
import { keepVisible } from '../statuses/keep-visible.ts'
import { choiceValues, isChosen, isShown, isShownBesides } from './shown.ts'
import type { NotificationChoice } from './shown.ts'

const page = pageClause('n.id', 2)

/** Each stretch that is read is so many times as long as the one before, up to a length. */
const STRETCH = 4
const MAX_STRETCH = 5_000

/** A notification as it was written. */
export interface NotificationRow {
  id: string
  /** Whose doing it tells of. */
  from_account_id: string
  /** One of `KINDS`, or what a newer version wrote. */
  type: string
  status_id: string | null
  collection_id: string | null
  report_id: string | null
  severance_id: string | null
  warning_id: string | null
  annual_report_id: string | null
  group_key: string | null
  filtered: boolean
  created_at: Date
}

const COLUMNS = `n.id, n.from_account_id, n.type, n.status_id, n.collection_id, n.report_id, n.severance_id,
  n.warning_id, n.annual_report_id, n.group_key, n.filtered, n.created_at`

// $1 whose they are, $2–$5 page, $6–$9 which
const select = (order: string) =>
  statement<NotificationRow>(
    `select ${COLUMNS} from notifications n
     where ${isShownBesides('n')} and ${page.where} and ${isChosen('n', 6)} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of somebody's notifications, latest first. `asOf`: when their request looked for changes. */
export async function readNotifications(
  read: Read,
  {
    accountId,
    page: asked,
    asOf,
    ...choice
  }: { accountId: string; page: Page; asOf?: Moment | undefined } & NotificationChoice,
): Promise<NotificationRow[]> {
  const isUpwards = asked.minId !== undefined
  const stretch = { ...asked }
  const found: NotificationRow[] = []
  while (found.length < asked.limit) {
    const rows = await (isUpwards ? upwards : newest)(read.db, [
      accountId,
      ...pageValues(stretch),
      ...choiceValues(choice),
    ])
    found.push(...(await keepTold(read, { rows, viewerId: accountId, asOf })))
    const last = rows.at(-1)
    if (last === undefined || rows.length < stretch.limit) break
    // Seldom: what is hidden is mostly taken away.
    stretch[isUpwards ? 'minId' : 'maxId'] = last.id
    stretch.limit = Math.min(stretch.limit * STRETCH, MAX_STRETCH)
  }
  const shown = found.slice(0, asked.limit)
  return isUpwards ? shown.toReversed() : shown
}

/** Those that tell of nothing that is hidden from the viewer. */
async function keepTold(
  read: Read,
  { rows, ...viewer }: { rows: readonly NotificationRow[]; viewerId: string; asOf: Moment | undefined },
): Promise<NotificationRow[]> {
  const ids = [...new Set(rows.flatMap((row) => row.status_id ?? []))]
  const visible = new Set(await keepVisible(read, { ids, ...viewer }))
  return rows.filter(({ status_id: id }) => id === null || visible.has(id))
}

const findOne = statement<NotificationRow>(`select ${COLUMNS} from notifications n where n.id = $2 and ${isShown('n')}`)

/** One of somebody's notifications, if it is theirs and may still be shown, be it held back or not. @throws NotFound */
export async function findNotification(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<NotificationRow> {
  const [row] = await findOne(read.db, [accountId, id])
  if (!row) throw new NotFound()
  return row
}
