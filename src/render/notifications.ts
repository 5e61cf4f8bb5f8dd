import type { Read } from '../domain/context.ts'
import type { NotificationRow } from '../domain/notifications/list.ts'
import type { Notification } from '../entities/notification.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { textOfParts, writeArray } from '../lib/json-parts.ts'
import type { JsonPart } from '../lib/json-parts.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { findAccountPieces } from './account-pieces.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'

/** Who is shown what. */
interface Asked {
  rows: readonly NotificationRow[]
  viewerId: string
  /** Kinds that the client knows: others come with words to show instead. null = it does not say. */
  supported?: readonly string[] | null
  /** When the viewer's request looked for changes. */
  asOf?: Moment | undefined
}

/**
 * The viewer's notifications in the order of the rows, as a whole answer: an array, in parts. Those of which something
 * went meanwhile are left out. Whether what they tell of may be seen has been decided before.
 */
export async function renderNotificationPage(read: Read, asked: Asked): Promise<JsonPart[]> {
  return writeArray(asked.rows, await writerFor(read, asked))
}

/** One of them as text; undefined when what it tells of went meanwhile. */
export async function renderNotification(
  read: Read,
  { row, ...rest }: { row: NotificationRow } & Omit<Asked, 'rows'>,
): Promise<Json<Notification> | undefined> {
  const parts: JsonPart[] = []
  const write = await writerFor(read, { rows: [row], ...rest })
  return write(parts, row) ? (textOfParts(parts) as Json<Notification>) : undefined
}

/** What writes these notifications behind other parts; where one is not there, nothing, and false. */
async function writerFor(
  read: Read,
  { rows, viewerId, supported = null, asOf }: Asked,
): Promise<(parts: JsonPart[], row: NotificationRow) => boolean> {
  const known = rows.filter(isKnown)
  const changes = await lookForChanges(read.db, { asOf })
  const [accounts, attachments] = await Promise.all([
    findAccountPieces(read, { ids: new Set(known.map((row) => row.from_account_id)), changes }),
    renderAttachments(read, { rows: known, viewerId, supported, asOf: changes.moment }),
  ])
  return (parts, row) => {
    const account = accounts.get(row.from_account_id)
    const attached = isKnown(row) ? attachments.of(row) : null
    if (!isKnown(row) || account === undefined || attached === null) return false
    const groupKey = toJson(row.group_key ?? `ungrouped-${row.id}`)
    const { id, type, created_at: at } = row
    parts.push(`{"id":"${id}","type":"${type}","group_key":${groupKey},"created_at":"${at}","account":`)
    parts.push(account.bytes)
    if (attached.key !== null) parts.push(`,"${attached.key}":`, ...attached.thing)
    const fallback = attachments.fallback(row)
    const words = fallback === null ? '' : `,"fallback":${fallback}`
    parts.push(`${row.filtered ? ',"filtered":true' : ''}${words}}`)
    return true
  }
}
