import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { DEFAULT_POLICY } from './judge.ts'
import type { NotificationCategory, Verdict } from './judge.ts'
import { countPending } from './requests.ts'

export type Policy = Record<NotificationCategory, Verdict>

const CATEGORIES = Object.keys(DEFAULT_POLICY) as NotificationCategory[]
const columns = CATEGORIES.join(', ')

const find = statement<{ params: { accountId: string }; row: Policy }>(
  `select ${columns} from notification_policies where account_id = $accountId`,
)
type PolicyChanges = { [Category in NotificationCategory]: Verdict | null }

const upsert = statement<{ params: PolicyChanges & { accountId: string } }>(
  `insert into notification_policies (account_id, ${columns})
   values ($accountId, ${CATEGORIES.map((category) => `coalesce($${category}::text, '${DEFAULT_POLICY[category]}')`).join(', ')})
   on conflict (account_id) do update set
     ${CATEGORIES.map((category) => `${category} = coalesce($${category}::text, notification_policies.${category})`).join(', ')}`,
)

/** Whose notifications somebody wants to see, to decide about, or not at all; and how much waits for a decision. */
export async function readPolicy(
  read: Read,
  { accountId }: { accountId: string },
): Promise<Policy & { summary: { pending_requests_count: number; pending_notifications_count: number } }> {
  const [[policy], pending] = await Promise.all([find(read.db, { accountId }), countPending(read, { accountId })])
  const { requests, notifications } = pending
  return {
    ...(policy ?? DEFAULT_POLICY),
    summary: { pending_requests_count: requests, pending_notifications_count: notifications },
  }
}

/** Changes what is said of; it holds for what happens from now on. */
export async function changePolicy(
  tx: Tx,
  {
    accountId,
    changes,
  }: { accountId: string; changes: { readonly [Category in NotificationCategory]?: Verdict | undefined } },
): Promise<void> {
  const all = Object.fromEntries(CATEGORIES.map((category) => [category, changes[category] ?? null])) as PolicyChanges
  await upsert(tx.db, { accountId, ...all })
}
