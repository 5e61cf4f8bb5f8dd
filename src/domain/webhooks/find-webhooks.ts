import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { effectivePermissions, EVERYONE_ROLE_ID, hasPermission } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import { usableUser } from '../access/usable-account.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { permissionForEvent } from './webhook-events.ts'
import type { TEST_EVENT, WebhookEvent } from './webhook-events.ts'

export interface Webhook {
  id: string
  url: string
  events: WebhookEvent[]
  enabled: boolean
  /** The member of the staff who saved the webhook last, if they can still use the server. */
  staff: StaffMember | null
  createdAt: Date
  updatedAt: Date
}

interface WebhookRow extends Omit<Webhook, 'staff'> {
  account_id: string | null
  user_id: string | null
  role_id: string | null
  position: number | null
  permissions: string | null
}

const COLUMNS = `w.id, w.url, w.events, w.enabled, w.created_at as "createdAt", w.updated_at as "updatedAt",
  w.account_id, u.id as user_id, u.role_id, r.position, (r.permissions | everyone.permissions)::text as permissions`
const FROM = `webhooks w
  left join (accounts a join users u on u.account_id = a.id and ${usableUser()})
    on a.id = w.account_id
  left join roles r on r.id = u.role_id
  left join roles everyone on everyone.id = ${EVERYONE_ROLE_ID}`
const KEYSET = keysetClause('w.id')

const find = statement<{ params: { id: string }; row: WebhookRow }>(`select ${COLUMNS} from ${FROM} where w.id = $id`)
const listDescending = statement<{ params: PageParameters; row: WebhookRow }>(
  `select ${COLUMNS} from ${FROM} where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: WebhookRow }>(
  `select ${COLUMNS} from ${FROM} where ${KEYSET.where} ${KEYSET.ascending}`,
)
const findSubscribed = statement<{ params: { event: string }; row: WebhookRow }>(
  `select ${COLUMNS} from ${FROM} where w.enabled and $event = any(w.events) order by w.id`,
)

/** Returns a page of webhooks, newest first. */
export async function listWebhooks(read: Read, { page }: { page: Page }): Promise<Webhook[]> {
  const params = pageParameters(page)
  const rows = await readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
  return rows.map(webhookOf)
}

/** Returns one webhook. @throws NotFoundError */
export async function findWebhook(read: Read, { id }: { id: string }): Promise<Webhook> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return webhookOf(row)
}

/** Returns the enabled webhooks that receive an event, with the members of the staff whose roles permit it. */
export async function findSubscribedWebhooks(
  read: Read,
  { event }: { event: WebhookEvent },
): Promise<{ id: string; staff: StaffMember }[]> {
  const webhooks = (await findSubscribed(read.db, { event })).map(webhookOf)
  return webhooks.flatMap(({ id, staff }) => (staff && mayReceive(staff, event) ? [{ id, staff }] : []))
}

/** Returns whether the role of a member of the staff permits an event. */
export function mayReceive(staff: StaffMember | null, event: WebhookEvent | typeof TEST_EVENT): boolean {
  const permission = permissionForEvent(event)
  return staff !== null && (permission === null || hasPermission(staff.permissions, permission))
}

function webhookOf({ account_id, user_id, role_id, position, permissions, ...webhook }: WebhookRow): Webhook {
  if (account_id === null || user_id === null || role_id === null) return { ...webhook, staff: null }
  const effective = effectivePermissions(BigInt(permissions ?? '0'))
  return {
    ...webhook,
    staff: { accountId: account_id, userId: user_id, roleId: role_id, position: position ?? 0, permissions: effective },
  }
}
