import type { StaffMember } from '../domain/access/permissions.ts'
import type { CachedRead, Ctx } from '../domain/context.ts'
import { enqueueWebhookDeliveries } from '../domain/webhooks/enqueue-deliveries.ts'
import type { NewWebhookDelivery } from '../domain/webhooks/enqueue-deliveries.ts'
import { findSubscribedWebhooks } from '../domain/webhooks/find-webhooks.ts'
import type { WebhookEvent } from '../domain/webhooks/webhook-events.ts'
import type { AdminAccount } from '../entities/admin/admin-account.ts'
import type { AdminReport } from '../entities/admin/admin-report.ts'
import type { Status } from '../entities/statuses/status.ts'
import { entityJson } from '../lib/json/entity-json.ts'
import { jsonText } from '../lib/json/json-content.ts'
import type { EntityJson } from '../lib/json/json-content.ts'
import { statement } from '../platform/db/statement.ts'
import { renderAdminAccountMap } from '../render/admin/render-admin-accounts.ts'
import { renderAdminReports } from '../render/admin/render-admin-reports.ts'
import { renderStatusMap } from '../render/statuses/render-statuses.ts'

/** The request body of a webhook (Mastodon: WebhookEvent). */
interface WebhookPayload {
  event: WebhookEvent
  created_at: string
  object: AdminAccount | AdminReport | Status
}

interface Input {
  id: string
  staff: StaffMember
}

type Render = (read: CachedRead, input: Input) => Promise<EntityJson<WebhookPayload['object']> | undefined>

/** What happens to an object. `version` differs for each change, null for what happens once. */
interface Occurrence {
  event: WebhookEvent
  id: string
  version: string | null
}

type FindVersion = (db: Ctx['db'], params: { id: string }) => Promise<{ version: string }[]>

const findLocalAccount: FindVersion = statement<{ params: { id: string }; row: { version: string } }>(
  `select a.version::text as version from accounts a join users u on u.account_id = a.id
   where a.id = $id and a.domain is null`,
)
const findApprovedAccount: FindVersion = statement<{ params: { id: string }; row: { version: string } }>(
  `select a.version::text as version from accounts a join users u on u.account_id = a.id
   where a.id = $id and a.domain is null and u.confirmed_at is not null and u.approved`,
)
// `xmin` differs for each transaction that changed the row, also for two changes in the same millisecond.
const findReport: FindVersion = statement<{ params: { id: string }; row: { version: string } }>(
  `select xmin::text as version from reports where id = $id`,
)
const findLocalStatus: FindVersion = statement<{ params: { id: string }; row: { version: string } }>(
  `select version::text as version from statuses where id = $id and local and deleted_at is null`,
)

const renderAccount: Render = async (read, { id, staff }) =>
  (await renderAdminAccountMap(read, { ids: [id], staff })).get(id)
const renderReport: Render = async (read, { id, staff }) => (await renderAdminReports(read, { ids: [id], staff }))[0]
const renderStatus: Render = async (read, { id }) =>
  (await renderStatusMap(read, { ids: [id], viewerId: null })).get(id)

/** Effect: sends `account.created` after a sign-up. */
export async function triggerAccountCreated(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findLocalAccount(ctx.db, { id: accountId })
  if (account) await trigger(ctx, { event: 'account.created', id: accountId, version: null }, renderAccount)
}

/** Effect: sends `account.approved` as soon as a local user is both confirmed and approved. */
export async function triggerAccountApproved(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findApprovedAccount(ctx.db, { id: accountId })
  if (account) await trigger(ctx, { event: 'account.approved', id: accountId, version: null }, renderAccount)
}

/** Effect: sends `account.updated` after a change of a local account, by its user or by the staff. */
export async function triggerAccountUpdated(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findLocalAccount(ctx.db, { id: accountId })
  if (account) await trigger(ctx, { event: 'account.updated', id: accountId, ...account }, renderAccount)
}

/** Effect: sends `report.created`. */
export async function triggerReportCreated(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  await trigger(ctx, { event: 'report.created', id: reportId, version: null }, renderReport)
}

/** Effect: sends `report.updated`. */
export async function triggerReportUpdated(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  const [report] = await findReport(ctx.db, { id: reportId })
  if (report) await trigger(ctx, { event: 'report.updated', id: reportId, ...report }, renderReport)
}

/** Effect: sends `status.created` for a local status. */
export async function triggerStatusCreated(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  const [status] = await findLocalStatus(ctx.db, { id: statusId })
  if (status) await trigger(ctx, { event: 'status.created', id: statusId, version: null }, renderStatus)
}

/** Effect: sends `status.created` for a local reblog, which is a status, too. */
export async function triggerReblogCreated(ctx: Ctx, { reblogId }: { reblogId: string }): Promise<void> {
  await triggerStatusCreated(ctx, { statusId: reblogId })
}

/** Effect: sends `status.updated` after an edit of a local status. */
export async function triggerStatusUpdated(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  const [status] = await findLocalStatus(ctx.db, { id: statusId })
  if (status) await trigger(ctx, { event: 'status.updated', id: statusId, ...status }, renderStatus)
}

/**
 * Adds a delivery for each webhook that receives the event. The body is rendered now, and every attempt sends the same;
 * it contains what the role of the webhook's member of the staff may see.
 */
async function trigger(ctx: Ctx, { event, id, version }: Occurrence, render: Render): Promise<void> {
  const webhooks = await findSubscribedWebhooks(ctx, { event })
  if (webhooks.length === 0) return
  const occurrence = [event, id, version].filter((part) => part !== null).join(' ')
  const createdAt = ctx.now().toISOString()
  const deliveries: NewWebhookDelivery[] = []
  for (const { id: webhookId, staff } of webhooks) {
    const object = await ctx.read(render, { id, staff })
    if (object === undefined) return
    const body = jsonText(entityJson<WebhookPayload>({ event, created_at: createdAt, object }))
    deliveries.push({ webhookId, event, occurrence, body })
  }
  await ctx.write((tx) => enqueueWebhookDeliveries(tx, { deliveries }))
}
