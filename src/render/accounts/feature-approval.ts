import { featureApproval } from '../../domain/collections/feature-approval.ts'
import type { FeatureApproval as Outcome } from '../../domain/collections/feature-approval.ts'
import type { Read } from '../../domain/context.ts'
import type { Account } from '../../entities/account.ts'
import { statement } from '../../platform/db/statement.ts'

export type FeatureApproval = Account['feature_approval']

interface PolicyRow {
  domain: string | null
  discoverable: boolean | null
  suspended: boolean
  /** Of remote accounts; null if their server does not publish it. */
  feature_automatic: string[] | null
  feature_manual: string[] | null
}

const AUTOMATIC = ['public', 'followers', 'following', 'unsupported_policy', 'disabled'] as const
const MANUAL = ['public', 'followers', 'following', 'unsupported_policy'] as const

/** Returns who may add an account to a collection, and what a viewer without a relationship to it would achieve. */
export function featureApprovalOf(row: PolicyRow): FeatureApproval {
  if (row.suspended) return { automatic: [], manual: [], current_user: 'denied' }
  if (row.domain === null) {
    return row.discoverable
      ? { automatic: ['public'], manual: [], current_user: 'automatic' }
      : { automatic: [], manual: [], current_user: 'denied' }
  }
  const automatic = AUTOMATIC.filter((word) => row.feature_automatic?.includes(word))
  const manual = MANUAL.filter((word) => row.feature_manual?.includes(word))
  return { automatic, manual, current_user: outcomeOf(row, { automatic, manual }) }
}

function outcomeOf(
  { feature_automatic, feature_manual }: PolicyRow,
  { automatic, manual }: Pick<FeatureApproval, 'automatic' | 'manual'>,
): Outcome {
  if (feature_automatic === null && feature_manual === null) return 'missing'
  if (automatic.includes('public')) return 'automatic'
  if (manual.includes('public')) return 'manual'
  return [...automatic, ...manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}

const selectOutcomes = statement<{
  params: { wanted: readonly string[]; viewerId: string }
  row: { id: string; outcome: Outcome }
}>(
  `select a.id, ${featureApproval('$viewerId')} as outcome
   from accounts a left join users u on u.account_id = a.id where a.id = any($wanted::bigint[])`,
)

/** Returns what the viewer would achieve with each of these accounts; an anonymous viewer (null) has no entries. */
export async function findFeatureOutcomes(
  read: Pick<Read, 'db'>,
  { ids, viewerId }: { ids: Iterable<string>; viewerId: string | null },
): Promise<Map<string, Outcome>> {
  const wanted = [...ids]
  if (viewerId === null || wanted.length === 0) return new Map()
  const rows = await selectOutcomes(read.db, { wanted, viewerId })
  return new Map(rows.map(({ id, outcome }) => [id, outcome]))
}

/** Returns an approval for a viewer. Anonymous viewers have no outcome and cannot feature the account. */
export function approvalForViewer(approval: FeatureApproval, outcome: Outcome | undefined): FeatureApproval {
  const { current_user: general } = approval
  const denied = general === 'automatic' || general === 'manual' ? 'denied' : general
  return { ...approval, current_user: outcome ?? denied }
}
