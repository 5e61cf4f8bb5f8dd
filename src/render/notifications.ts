import type { Read } from '../domain/context.ts'
import { KINDS } from '../domain/notifications/kinds.ts'
import type { NotificationKind } from '../domain/notifications/kinds.ts'
import type { Notification } from '../entities/notification.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'
import { renderCollectionMap } from './collections.ts'
import { renderReportMap } from './reports.ts'
import { renderStatusMap } from './statuses.ts'

/** Notifications that belong together are one group for so long. */
const GROUP_HOURS = 12
const HOUR_MS = 3_600_000

interface NotificationFacts {
  id: string
  from_account_id: string
  type: string
  status_id: string | null
  collection_id: string | null
  report_id: string | null
  created_at: Date
}

const load = statement<NotificationFacts>(
  `select n.id, n.from_account_id, n.type, n.status_id, n.collection_id, n.report_id, n.created_at
   from unnest($1::bigint[]) with ordinality as wanted (id, place) join notifications n on n.id = wanted.id
   where n.account_id = $2 order by wanted.place`,
)

/**
 * Notifications of the viewer in the order of the ids; those of others, and those that went meanwhile, are left out.
 * Whether what they tell of may be seen has been decided before.
 */
export async function renderNotifications(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): Promise<Json<Notification>[]> {
  if (ids.length === 0) return []
  const rows = (await load(read.db, [ids, viewerId])).filter(isKnown)
  const statusIds = rows.map((row) => row.status_id).filter((id) => id !== null)
  const collectionIds = rows.map((row) => row.collection_id).filter((id) => id !== null)
  const reportIds = rows.map((row) => row.report_id).filter((id) => id !== null)
  const [accounts, statuses, collections, reports] = await Promise.all([
    renderAccountMap(read, { ids: rows.map((row) => row.from_account_id) }),
    renderStatusMap(read, { ids: [...new Set(statusIds)], viewerId }),
    renderCollectionMap(read, { ids: [...new Set(collectionIds)], viewerId }),
    renderReportMap(read, { ids: reportIds }),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const status = row.status_id === null ? undefined : statuses.get(row.status_id)
    const collection = row.collection_id === null ? undefined : collections.get(row.collection_id)
    const report = row.report_id === null ? undefined : reports.get(row.report_id)
    const { attaches } = KINDS[row.type]
    const isWhole = attaches === 'nothing' || { status, collection, report }[attaches] !== undefined
    if (account === undefined || !isWhole) return []
    return jsonObject<Notification>({
      id: toJson(row.id),
      type: toJson(row.type),
      group_key: toJson(groupKey(row)),
      created_at: toJson(row.created_at.toISOString()),
      account,
      ...(attaches === 'status' && status !== undefined ? { status } : {}),
      ...(attaches === 'collection' && collection !== undefined ? { collection } : {}),
      ...(attaches === 'report' && report !== undefined ? { report } : {}),
    })
  })
}

type KnownFacts = NotificationFacts & { type: NotificationKind }

/** A kind that a newer version wrote is not shown by an older one. */
function isKnown(row: NotificationFacts): row is KnownFacts {
  return Object.hasOwn(KINDS, row.type)
}

/** The same for all of one kind, about one status if any, in one window of time. */
function groupKey({ id, type, status_id, created_at }: KnownFacts): string {
  if (!KINDS[type].groups) return `ungrouped-${id}`
  const hours = Math.floor(created_at.getTime() / HOUR_MS)
  return [type, status_id, hours - (hours % GROUP_HOURS)].filter((part) => part !== null).join('-')
}
