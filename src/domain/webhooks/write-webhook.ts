import { randomBytes } from 'node:crypto'
import { ForbiddenError, NotFoundError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { hasPermission } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import type { Ctx, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { mayReceive } from './find-webhooks.ts'
import { WEBHOOK_EVENTS, webhookSecretPurpose } from './webhook-events.ts'
import type { WebhookEvent } from './webhook-events.ts'

/** The prefix of secrets in the specification Standard Webhooks, after which the key follows in Base64. */
const SECRET_PREFIX = 'whsec_'

/** The parameters of the API. Undefined: unchanged, or the default of a new webhook. */
export interface WebhookInput {
  url?: string | undefined
  events?: readonly string[] | undefined
  enabled?: boolean | undefined
}

interface WebhookValues {
  url: string
  events: readonly WebhookEvent[]
  enabled: boolean
}

interface StoredWebhook extends WebhookValues {
  events: WebhookEvent[]
  /** The member of the staff who saved it last. */
  accountId: string | null
}

const insert = statement<{ params: WebhookValues & { accountId: string; now: Date }; row: { id: string } }>(
  `insert into webhooks (url, events, enabled, encrypted_secret, account_id, created_at, updated_at)
   values ($url, $events, $enabled, '', $accountId, $now, $now) returning id`,
)
const setSecret = statement<{ params: { id: string; encryptedSecret: Buffer; now: Date } }>(
  `update webhooks set encrypted_secret = $encryptedSecret, updated_at = $now where id = $id`,
)
const lock = statement<{ params: { id: string }; row: StoredWebhook }>(
  `select url, events, enabled, account_id as "accountId" from webhooks where id = $id for update`,
)
const update = statement<{ params: WebhookValues & { id: string; accountId: string; now: Date } }>(
  `update webhooks set url = $url, events = $events, enabled = $enabled, account_id = $accountId, updated_at = $now
   where id = $id`,
)
const setEnabled = statement<{ params: { id: string; enabled: boolean; now: Date } }>(
  `update webhooks set enabled = $enabled, updated_at = $now where id = $id`,
)
const remove = statement<{ params: { id: string } }>(`delete from webhooks where id = $id`)
const removeReports = statement<{ params: { id: string } }>(
  `delete from webhook_deliveries where webhook_id = $id and event in ('report.created', 'report.updated')`,
)

/** Creates a webhook with a new secret, which is returned only here. @throws ValidationError */
export async function createWebhook(
  ctx: Ctx,
  { by, ...input }: WebhookInput & { by: StaffMember },
): Promise<{ id: string; secret: string }> {
  const values = checkWebhook(ctx, { by, input, before: null })
  return ctx.write(async (tx) => {
    const [row] = await insert(tx.db, { ...values, accountId: by.accountId, now: tx.now })
    const { id } = row!
    const secret = await replaceSecret(ctx, tx, id)
    await record(tx, { by, action: 'create', id, values })
    return { id, secret }
  })
}

/**
 * Changes a webhook. From now on, the role of the member of the staff who changed it must permit its events.
 * @throws NotFoundError; ValidationError; ForbiddenError if it receives events that the role does not permit
 */
export async function updateWebhook(
  ctx: Ctx,
  { id, by, ...input }: WebhookInput & { id: string; by: StaffMember },
): Promise<void> {
  await ctx.write(async (tx) => {
    const before = await lockPermitted(tx, { id, by })
    const values = checkWebhook(ctx, { by, input, before })
    await update(tx.db, { id, ...values, accountId: by.accountId, now: tx.now })
    // Reports that were rendered for another member of the staff may contain e-mail and IP addresses.
    const isSame = before.accountId === by.accountId
    if (!isSame && !hasPermission(by.permissions, 'manageUsers')) await removeReports(tx.db, { id })
    await record(tx, { by, action: 'update', id, values })
  })
}

/** Enables or disables a webhook. @throws NotFoundError */
export async function enableWebhook(
  tx: Tx,
  { id, by, enabled }: { id: string; by: StaffMember; enabled: boolean },
): Promise<void> {
  const values = await lockWebhook(tx, id)
  if (values.enabled === enabled) return
  await setEnabled(tx.db, { id, enabled, now: tx.now })
  await record(tx, { by, action: enabled ? 'enable' : 'disable', id, values })
}

/**
 * Replaces the secret of a webhook, and returns the new one.
 * @throws NotFoundError; ForbiddenError if it receives events that the role of the member of the staff does not permit
 */
export async function rotateWebhookSecret(
  ctx: Ctx,
  { id, by }: { id: string; by: StaffMember },
): Promise<{ secret: string }> {
  return ctx.write(async (tx) => {
    const values = await lockPermitted(tx, { id, by })
    const secret = await replaceSecret(ctx, tx, id)
    await record(tx, { by, action: 'rotate_secret', id, values })
    return { secret }
  })
}

/**
 * Deletes a webhook with its deliveries.
 * @throws NotFoundError; ForbiddenError if it receives events that the role of the member of the staff does not permit
 */
export async function deleteWebhook(tx: Tx, { id, by }: { id: string; by: StaffMember }): Promise<void> {
  const values = await lockPermitted(tx, { id, by })
  await remove(tx.db, { id })
  await record(tx, { by, action: 'delete', id, values })
}

async function replaceSecret({ secrets }: Ctx, tx: Tx, id: string): Promise<string> {
  const secret = SECRET_PREFIX + randomBytes(32).toString('base64')
  const encryptedSecret = secrets.encrypt(webhookSecretPurpose(id), Buffer.from(secret))
  await setSecret(tx.db, { id, encryptedSecret, now: tx.now })
  return secret
}

async function lockWebhook(tx: Tx, id: string): Promise<StoredWebhook> {
  const [values] = isId(id) ? await lock(tx.db, { id }) : []
  if (!values) throw new NotFoundError()
  return values
}

async function lockPermitted(tx: Tx, { id, by }: { id: string; by: StaffMember }): Promise<StoredWebhook> {
  const values = await lockWebhook(tx, id)
  if (!values.events.every((event) => mayReceive(by, event))) throw new ForbiddenError()
  return values
}

/** Returns the complete webhook after a change; `before` null: a new one. @throws ValidationError */
function checkWebhook(
  { fetcher }: Pick<Ctx, 'fetcher'>,
  { by, input, before }: { by: StaffMember; input: WebhookInput; before: WebhookValues | null },
): WebhookValues {
  const url = (input.url ?? before?.url ?? '').trim()
  const requested = input.events ?? before?.events ?? []
  const events = WEBHOOK_EVENTS.filter((event) => requested.includes(event))
  const problems: FieldError[] = []
  if (url === '') problems.push({ attribute: 'url', code: 'ERR_BLANK', text: "can't be blank" })
  else if (!isAllowedUrl(fetcher, url)) {
    problems.push({ attribute: 'url', code: 'ERR_INVALID', text: 'is not a public https address' })
  }
  if (requested.length === 0) problems.push({ attribute: 'events', code: 'ERR_BLANK', text: "can't be blank" })
  else if (events.length < new Set(requested).size) {
    problems.push({ attribute: 'events', code: 'ERR_INVALID', text: 'is invalid' })
  }
  if (!events.every((event) => mayReceive(by, event))) {
    problems.push({
      attribute: 'events',
      code: 'ERR_INVALID',
      text: 'contains an event that your role does not permit',
    })
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return { url, events, enabled: input.enabled ?? before?.enabled ?? true }
}

/** Host names are resolved only when a request connects, which checks the addresses. */
function isAllowedUrl(fetcher: Fetcher, url: string): boolean {
  try {
    fetcher.checkUrl(url)
    return true
  } catch (err) {
    if (err instanceof FetchRefusedError) return false
    throw err
  }
}

/** Records an action. The path of the URL is left out, because it may contain a secret. */
async function record(
  tx: Tx,
  {
    by,
    action,
    id,
    values: { url, events, enabled },
  }: {
    by: StaffMember
    action: Parameters<typeof recordAuditEntry<'webhook'>>[1]['action']
    id: string
    values: WebhookValues
  },
): Promise<void> {
  const details = action === 'create' || action === 'update' ? { events, enabled } : {}
  await recordAuditEntry(tx, { by, action, targetType: 'webhook', targetId: id, label: new URL(url).host, details })
}
