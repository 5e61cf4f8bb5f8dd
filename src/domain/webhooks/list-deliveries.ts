import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { findWebhook } from './find-webhooks.ts'

export interface WebhookDelivery {
  id: string
  event: string
  state: 'pending' | 'delivered' | 'rejected' | 'abandoned'
  attempts: number
  /** The HTTP status of the last response; null if there was none. */
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  attemptedAt: Date | null
  nextAttemptAt: Date | null
}

interface DeliveryQuery {
  params: PageParameters & { webhookId: string }
  row: WebhookDelivery
}

const COLUMNS = `d.id, d.event, d.state, d.attempts, d.last_status as "lastStatus", d.last_error as "lastError",
  d.created_at as "createdAt", d.attempted_at as "attemptedAt", d.next_attempt_at as "nextAttemptAt"`
const KEYSET = keysetClause('d.id')

const find = statement<{ params: { webhookId: string; id: string }; row: WebhookDelivery }>(
  `select ${COLUMNS} from webhook_deliveries d where d.id = $id and d.webhook_id = $webhookId`,
)
const listDescending = statement<DeliveryQuery>(
  `select ${COLUMNS} from webhook_deliveries d where d.webhook_id = $webhookId and ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<DeliveryQuery>(
  `select ${COLUMNS} from webhook_deliveries d where d.webhook_id = $webhookId and ${KEYSET.where} ${KEYSET.ascending}`,
)

/** Returns a page of the deliveries of a webhook, newest first. @throws NotFoundError if the webhook does not exist */
export async function listWebhookDeliveries(
  read: Read,
  { webhookId, page }: { webhookId: string; page: Page },
): Promise<WebhookDelivery[]> {
  await findWebhook(read, { id: webhookId })
  const params = { webhookId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one delivery of a webhook. @throws NotFoundError */
export async function findWebhookDelivery(
  read: Read,
  { webhookId, id }: { webhookId: string; id: string },
): Promise<WebhookDelivery> {
  const [delivery] = isId(webhookId) && isId(id) ? await find(read.db, { webhookId, id }) : []
  if (!delivery) throw new NotFoundError()
  return delivery
}
