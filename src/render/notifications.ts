import type { Read } from '../domain/context.ts'
import type { NotificationRow } from '../domain/notifications/list.ts'
import type { Notification } from '../entities/notification.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { objectInParts, textOfParts } from '../lib/json-parts.ts'
import type { JsonPart } from '../lib/json-parts.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { findAccountPieces } from './account-pieces.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'

/**
 * The viewer's notifications in the order of the rows, each in parts; those of which something went meanwhile are left
 * out. Whether what they tell of may be seen has been decided before. `supported`: kinds that the client knows; unless it
 * is null, others come with words to show instead. `asOf`: when the viewer's request looked for changes.
 */
export async function renderNotifications(
  read: Read,
  {
    rows,
    viewerId,
    supported = null,
    asOf,
  }: {
    rows: readonly NotificationRow[]
    viewerId: string
    supported?: readonly string[] | null
    asOf?: Moment | undefined
  },
): Promise<JsonPart[][]> {
  const known = rows.filter(isKnown)
  if (known.length === 0) return []
  const changes = await lookForChanges(read.db, { asOf })
  const [accounts, attachments] = await Promise.all([
    findAccountPieces(read, { ids: new Set(known.map((row) => row.from_account_id)), changes }),
    renderAttachments(read, { rows: known, viewerId, supported, asOf: changes.moment }),
  ])
  return known.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const attached = attachments.of(row)
    if (account === undefined || attached === null) return []
    return [
      objectInParts({
        id: toJson(row.id),
        type: toJson(row.type),
        group_key: toJson(row.group_key ?? `ungrouped-${row.id}`),
        created_at: toJson(row.created_at.toISOString()),
        account: account.bytes,
        ...attached.thing,
        ...(row.filtered ? { filtered: 'true' } : {}),
        ...attached.fallback,
      }),
    ]
  })
}

/** One of the viewer's notifications as text; undefined when what it tells of went meanwhile. */
export async function renderNotification(
  read: Read,
  { row, ...rest }: { row: NotificationRow; viewerId: string; supported?: readonly string[] | null },
): Promise<Json<Notification> | undefined> {
  const [parts] = await renderNotifications(read, { rows: [row], ...rest })
  return parts && (textOfParts(parts) as Json<Notification>)
}
