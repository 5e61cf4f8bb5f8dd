import type { Read } from '../domain/context.ts'
import type { Notification } from '../entities/notification.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'
import type { AttachmentFacts } from './notification-attachments.ts'

interface NotificationFacts extends AttachmentFacts {
  id: string
  group_key: string | null
  filtered: boolean
  created_at: Date
}

const load = statement<NotificationFacts>(
  `select n.id, n.from_account_id, n.type, n.status_id, n.collection_id, n.report_id, n.severance_id, n.warning_id,
     n.annual_report_id, n.group_key, n.filtered, n.created_at
   from unnest($1::bigint[]) with ordinality as wanted (id, place) join notifications n on n.id = wanted.id
   where n.account_id = $2 order by wanted.place`,
)

/**
 * Notifications of the viewer in the order of the ids; those of others, and those that went meanwhile, are left out.
 * Whether what they tell of may be seen has been decided before. `supported`: kinds that the client knows; unless it is
 * null, others come with words to show instead. `asOf`: when the viewer's request looked for changes.
 */
export async function renderNotifications(
  read: Read,
  {
    ids,
    viewerId,
    supported = null,
    asOf,
  }: { ids: readonly string[]; viewerId: string; supported?: readonly string[] | null; asOf?: Moment | undefined },
): Promise<Json<Notification>[]> {
  if (ids.length === 0) return []
  const rows = (await load(read.db, [ids, viewerId])).filter(isKnown)
  const [accounts, attachments] = await Promise.all([
    renderAccountMap(read, { ids: rows.map((row) => row.from_account_id), asOf }),
    renderAttachments(read, { rows, viewerId, supported, asOf }),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const attached = attachments.of(row)
    if (account === undefined || attached === null) return []
    return jsonObject<Notification>({
      id: toJson(row.id),
      type: toJson(row.type),
      group_key: toJson(row.group_key ?? `ungrouped-${row.id}`),
      created_at: toJson(row.created_at.toISOString()),
      account,
      ...attached.thing,
      ...(row.filtered ? { filtered: toJson(true as const) } : {}),
      ...attached.fallback,
    })
  })
}
