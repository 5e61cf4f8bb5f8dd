import type { StaffMember } from '../domain/access/permissions.ts'
import type { CachedRead, Ctx } from '../domain/context.ts'
import { enqueueWebhookDeliveries } from '../domain/webhooks/enqueue-deliveries.ts'
import type { NewWebhookDelivery } from '../domain/webhooks/enqueue-deliveries.ts'
import { findSubscribedWebhooks } from '../domain/webhooks/find-webhooks.ts'
import type { WebhookEvent } from '../domain/webhooks/webhook-events.ts'
import type { AdminAccount } from '../entities/admin/accounts/admin-account.ts'
import type { AdminReport } from '../entities/admin/content/admin-report.ts'
import type { Status } from '../entities/statuses/status.ts'
import { entityJson } from '../lib/json/entity-json.ts'
import { jsonText } from '../lib/json/json-content.ts'
import type { EntityJson } from '../lib/json/json-content.ts'
import { statement } from '../platform/db/statement.ts'
import { renderAdminAccountMap } from '../render/admin/accounts/render-admin-accounts.ts'
import { renderAdminReports } from '../render/admin/content/render-admin-reports.ts'
import { renderStatusMap } from '../render/statuses/render-statuses.ts'

/** The request body of a webhook (Mastodon: WebhookEvent). */
interface WebhookPayload {
  event: WebhookEvent
  created_at: string
  object: AdminAccount | AdminReport | Status
}

interface Input {
  ids: readonly string[]
  staff: StaffMember
}

/** Returns the objects that exist, by their ids. */
type Render = (read: CachedRead, input: Input) => Promise<Map<string, EntityJson<WebhookPayload['object']>>>

/** Finds those of the objects whose event is due. `version` differs for each change of an object. */
type Find = (db: Ctx['db'], params: { ids: readonly string[] }) => Promise<{ id: string; version: string }[]>

const findLocalAccounts: Find = statement<{ params: { ids: readonly string[] }; row: { id: string; version: string } }>(
  `select a.id, a.version::text as version from accounts a join users u on u.account_id = a.id
   where a.id = any($ids::bigint[]) and a.domain is null`,
)
const findApprovedAccounts: Find = statement<{
  params: { ids: readonly string[] }
  row: { id: string; version: string }
}>(
  `select a.id, a.version::text as version from accounts a join users u on u.account_id = a.id
   where a.id = any($ids::bigint[]) and a.domain is null and u.confirmed_at is not null and u.approved`,
)
// `xmin` differs for each transaction that changed the row, also for two changes in the same millisecond.
const findReports: Find = statement<{ params: { ids: readonly string[] }; row: { id: string; version: string } }>(
  `select id, xmin::text as version from reports where id = any($ids::bigint[])`,
)
const findLocalStatuses: Find = statement<{ params: { ids: readonly string[] }; row: { id: string; version: string } }>(
  `select id, version::text as version from statuses
   where id = any($ids::bigint[]) and local and deleted_at is null order by id`,
)

/** The objects of some events. `once`: the event happens once in the life of an object, rather than at each change. */
interface Kind {
  find: Find
  render: Render
  once: boolean
}

const renderAccounts: Render = async (read, { ids, staff }) => renderAdminAccountMap(read, { ids, staff })
const renderReports: Render = async (read, { ids, staff }) => {
  const reports = await Promise.all(ids.map(async (id) => renderAdminReports(read, { ids: [id], staff })))
  return new Map(reports.flatMap(([report], n) => (report ? [[ids[n]!, report] as const] : [])))
}
const renderStatuses: Render = async (read, { ids }) => renderStatusMap(read, { ids, viewerId: null })

/** How each event finds and renders its objects. */
const KINDS: Record<WebhookEvent, Kind> = {
  'account.created': { find: findLocalAccounts, render: renderAccounts, once: true },
  'account.approved': { find: findApprovedAccounts, render: renderAccounts, once: true },
  'account.updated': { find: findLocalAccounts, render: renderAccounts, once: false },
  'report.created': { find: findReports, render: renderReports, once: true },
  'report.updated': { find: findReports, render: renderReports, once: false },
  'status.created': { find: findLocalStatuses, render: renderStatuses, once: true },
  'status.updated': { find: findLocalStatuses, render: renderStatuses, once: false },
}

/** Effect: sends `account.created` after a sign-up. */
export async function triggerAccountCreated(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await trigger(ctx, { event: 'account.created', ids: [accountId] })
}

/** Effect: sends `account.approved` as soon as a local user is both confirmed and approved. */
export async function triggerAccountApproved(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await trigger(ctx, { event: 'account.approved', ids: [accountId] })
}

/** Effect: sends `account.updated` after a change of a local account, by its user or by the staff. */
export async function triggerAccountUpdated(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await trigger(ctx, { event: 'account.updated', ids: [accountId] })
}

/** Effect: sends `report.created`. */
export async function triggerReportCreated(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  await trigger(ctx, { event: 'report.created', ids: [reportId] })
}

/** Effect: sends `report.updated`. */
export async function triggerReportUpdated(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  await trigger(ctx, { event: 'report.updated', ids: [reportId] })
}

/** Effect: sends `status.created` for local statuses. */
export async function triggerStatusesCreated(ctx: Ctx, payloads: readonly { statusId: string }[]): Promise<void> {
  await trigger(ctx, { event: 'status.created', ids: payloads.map(({ statusId }) => statusId) })
}

/** Effect: sends `status.created` for local reblogs, which are statuses, too. */
export async function triggerReblogsCreated(ctx: Ctx, payloads: readonly { reblogId: string }[]): Promise<void> {
  await trigger(ctx, { event: 'status.created', ids: payloads.map(({ reblogId }) => reblogId) })
}

/** Effect: sends `status.updated` after edits of local statuses. */
export async function triggerStatusesUpdated(ctx: Ctx, payloads: readonly { statusId: string }[]): Promise<void> {
  await trigger(ctx, { event: 'status.updated', ids: payloads.map(({ statusId }) => statusId) })
}

/**
 * Adds a delivery about each object for each webhook that receives the event. The bodies are rendered now, and every
 * attempt sends the same; they contain what the role of the webhook's member of the staff may see.
 */
async function trigger(ctx: Ctx, { event, ids }: { event: WebhookEvent; ids: readonly string[] }): Promise<void> {
  const webhooks = await findSubscribedWebhooks(ctx, { event })
  if (webhooks.length === 0) return
  const { find, render, once } = KINDS[event]
  const due = await find(ctx.db, { ids })
  const createdAt = ctx.now().toISOString()
  const deliveries: NewWebhookDelivery[] = []
  for (const { id: webhookId, staff } of webhooks) {
    const objects = await ctx.read(render, { ids: due.map(({ id }) => id), staff })
    for (const { id, version } of due) {
      const object = objects.get(id)
      if (object === undefined) continue
      const body = jsonText(entityJson<WebhookPayload>({ event, created_at: createdAt, object }))
      deliveries.push({ webhookId, event, occurrence: once ? `${event} ${id}` : `${event} ${id} ${version}`, body })
    }
  }
  if (deliveries.length > 0) await ctx.write((tx) => enqueueWebhookDeliveries(tx, { deliveries }))
}
