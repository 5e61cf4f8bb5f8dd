import type { Read } from '../domain/context.ts'
import type { NotificationGroupRow } from '../domain/notifications/groups.ts'
import type { Account, PartialAccountWithAvatar } from '../entities/account.ts'
import type { GroupedNotificationsResults, NotificationGroup } from '../entities/notification.ts'
import { jsonArray, jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'
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
 * Groups of the viewer's notifications, in their order, beside everybody and everything they name, each once. `isPage`:
 * where each begins and ends on it is told. `partial`: of all but the first who caused a group, only a face is told.
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
): Promise<Json<GroupedNotificationsResults>> {
  const rows = groups.length === 0 ? [] : await load(read.db, [groups.map(({ newestId }) => newestId), viewerId])
  const newest = new Map(rows.filter(isKnown).map((row) => [row.id, row]))
  const [accounts, attachments] = await Promise.all([
    renderAccountMap(read, { ids: [...new Set(groups.flatMap(({ sampleAccountIds }) => sampleAccountIds))], asOf }),
    renderAttachments(read, { rows, viewerId, supported, asOf }),
  ])
  const statuses = new Map<string, Json<unknown>>()
  const whole = new Set<string>()
  const faces = new Set<string>()
  const rendered = groups.flatMap((group) => {
    const row = newest.get(group.newestId)
    const attached = row && attachments.of(row)
    const samples = group.sampleAccountIds.filter((id) => accounts.has(id))
    if (!row || !attached || samples.length === 0) return []
    const { status, ...thing } = attached.thing
    if (status !== undefined && row.status_id !== null) statuses.set(row.status_id, status)
    for (const id of partial ? samples.slice(0, 1) : samples) whole.add(id)
    if (partial) for (const id of samples.slice(1)) faces.add(id)
    return jsonObject<NotificationGroup>({
      group_key: toJson(group.key),
      notifications_count: toJson(group.count),
      type: toJson(row.type),
      // The one id that clients take for a number. It is written as it stands, and never read into one here.
      most_recent_notification_id: group.newestId as Json<number>,
      ...(isPage
        ? {
            page_min_id: toJson(group.pageMinId),
            page_max_id: toJson(group.pageMaxId),
            latest_page_notification_at: toJson(group.latestAt.toISOString()),
          }
        : {}),
      sample_account_ids: toJson(samples),
      ...(status === undefined ? {} : { status_id: toJson(row.status_id) }),
      ...thing,
      ...attached.fallback,
    })
  })
  return jsonObject<GroupedNotificationsResults>({
    accounts: jsonArray([...whole].map((id) => accounts.get(id)!)),
    ...(partial
      ? {
          partial_accounts: jsonArray(
            [...faces].filter((id) => !whole.has(id)).map((id) => presentFace(accounts.get(id)!)),
          ),
        }
      : {}),
    statuses: jsonArray([...statuses.values()]) as Json<GroupedNotificationsResults['statuses']>,
    notification_groups: jsonArray(rendered),
  })
}

function presentFace(account: Json<Account>): Json<PartialAccountWithAvatar> {
  const { id, acct, locked, bot, url, avatar, avatar_static, avatar_description } = JSON.parse(account) as Account
  return toJson({ id, acct, locked, bot, url, avatar, avatar_static, avatar_description })
}
