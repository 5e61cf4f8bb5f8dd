import type { Read } from '../domain/context.ts'
import type { NotificationGroupRow } from '../domain/notifications/groups.ts'
import type { Account, PartialAccountWithAvatar } from '../entities/account.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { arrayInParts, objectInParts } from '../lib/json-parts.ts'
import type { JsonPart } from '../lib/json-parts.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { findAccountPieces } from './account-pieces.ts'
import { isKnown, renderAttachments } from './notification-attachments.ts'
import type { AttachmentFacts } from './notification-attachments.ts'

interface NewestFacts extends AttachmentFacts {
  id: string
}

const load = statement<NewestFacts>(
  `select id, from_account_id, type, status_id, collection_id, report_id, severance_id, warning_id,
     annual_report_id
   from notifications where id = any($1::bigint[]) and account_id = $2`,
)

/**
 * Groups of the viewer's notifications, in their order, beside everybody and everything they name, each once: a whole
 * answer (`GroupedNotificationsResults`) in parts. `isPage`: where each begins and ends on it is told. `partial`: of all
 * but the first who caused a group, only a face is told.
 */
export async function renderGroups(
  read: Read,
  {
    groups,
    viewerId,
    isPage,
    partial = false,
    supported = null,
    asOf,
  }: {
    groups: readonly NotificationGroupRow[]
    viewerId: string
    isPage: boolean
    partial?: boolean
    supported?: readonly string[] | null
    asOf?: Moment | undefined
  },
): Promise<JsonPart[]> {
  const rows = groups.length === 0 ? [] : await load(read.db, [groups.map(({ newestId }) => newestId), viewerId])
  const newest = new Map(rows.filter(isKnown).map((row) => [row.id, row]))
  const changes = await lookForChanges(read.db, { asOf })
  const [accounts, attachments] = await Promise.all([
    findAccountPieces(read, { ids: new Set(groups.flatMap(({ sampleAccountIds }) => sampleAccountIds)), changes }),
    renderAttachments(read, { rows, viewerId, supported, asOf: changes.moment }),
  ])
  const statuses = new Map<string, readonly JsonPart[]>()
  const whole = new Set<string>()
  const faces = new Set<string>()
  const rendered = groups.flatMap((group) => {
    const row = newest.get(group.newestId)
    const attached = row && attachments.of(row)
    const samples = group.sampleAccountIds.filter((id) => accounts.has(id))
    if (!row || !attached || samples.length === 0) return []
    const { key, thing } = attached
    if (key === 'status') statuses.set(row.status_id!, thing)
    const fallback = attachments.fallback(row)
    for (const id of partial ? samples.slice(0, 1) : samples) whole.add(id)
    if (partial) for (const id of samples.slice(1)) faces.add(id)
    return [
      objectInParts({
        group_key: toJson(group.key),
        notifications_count: toJson(group.count),
        type: toJson(row.type),
        // The one id that clients take for a number. It is written as it stands, and never read into one here.
        most_recent_notification_id: group.newestId,
        ...(isPage
          ? {
              page_min_id: toJson(group.pageMinId),
              page_max_id: toJson(group.pageMaxId),
              latest_page_notification_at: toJson(group.latestAt.toISOString()),
            }
          : {}),
        sample_account_ids: toJson(samples),
        ...(key === 'status' ? { status_id: toJson(row.status_id) } : key === null ? {} : { [key]: thing }),
        ...(fallback === null ? {} : { fallback }),
      }),
    ]
  })
  const wholeOf = (id: string) => [accounts.get(id)!.bytes]
  const faceOf = (id: string) => [presentFace(accounts.get(id)!.bytes)]
  const onlyFaces = [...faces].filter((id) => !whole.has(id))
  return objectInParts({
    accounts: arrayInParts([...whole].map(wholeOf)),
    ...(partial ? { partial_accounts: arrayInParts(onlyFaces.map(faceOf)) } : {}),
    statuses: arrayInParts([...statuses.values()]),
    notification_groups: arrayInParts(rendered),
  })
}

function presentFace(account: Buffer): Json<PartialAccountWithAvatar> {
  const { id, acct, locked, bot, url, avatar, avatar_static, avatar_description } = JSON.parse(
    account.toString(),
  ) as Account
  return toJson({ id, acct, locked, bot, url, avatar, avatar_static, avatar_description })
}
