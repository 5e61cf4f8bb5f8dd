import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { DEFAULT_POLICY } from '../create/policy-decisions.ts'
import type { PolicyCategory, PolicyAction } from '../create/policy-decisions.ts'
import { countPendingRequests } from './notification-requests.ts'

export type NotificationPolicy = Record<PolicyCategory, PolicyAction>

const CATEGORIES = Object.keys(DEFAULT_POLICY) as PolicyCategory[]
const columns = CATEGORIES.join(', ')

const find = statement<{ params: { accountId: string }; row: NotificationPolicy }>(
  `select ${columns} from notification_policies where account_id = $accountId`,
)
type PolicyChanges = { [Category in PolicyCategory]: PolicyAction | null }

const upsert = statement<{ params: PolicyChanges & { accountId: string } }>(
  `insert into notification_policies (account_id, ${columns})
   values ($accountId, ${CATEGORIES.map((category) => `coalesce($${category}::text, '${DEFAULT_POLICY[category]}')`).join(', ')})
   on conflict (account_id) do update set
     ${CATEGORIES.map((category) => `${category} = coalesce($${category}::text, notification_policies.${category})`).join(', ')}`,
)

/** Returns an account's policy, and the number of pending requests (Mastodon: GET /api/v2/notifications/policy). */
export async function readNotificationPolicy(
  read: Read,
  { accountId }: { accountId: string },
): Promise<NotificationPolicy & { summary: { pending_requests_count: number; pending_notifications_count: number } }> {
  const [[policy], pending] = await Promise.all([
    find(read.db, { accountId }),
    countPendingRequests(read, { accountId }),
  ])
  const { requests, notifications } = pending
  return {
    ...(policy ?? DEFAULT_POLICY),
    summary: { pending_requests_count: requests, pending_notifications_count: notifications },
  }
}

/** Changes the given categories of the policy, for future notifications. */
export async function changeNotificationPolicy(
  tx: Tx,
  {
    accountId,
    changes,
  }: { accountId: string; changes: { readonly [Category in PolicyCategory]?: PolicyAction | undefined } },
): Promise<void> {
  const all = Object.fromEntries(CATEGORIES.map((category) => [category, changes[category] ?? null])) as PolicyChanges
  await upsert(tx.db, { accountId, ...all })
}
