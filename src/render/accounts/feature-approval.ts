import { featureApproval } from '../../domain/collections/feature-approval.ts'
import type { FeatureApproval as Outcome } from '../../domain/collections/feature-approval.ts'
import type { CachedRead } from '../../domain/context.ts'
import type { Account } from '../../entities/accounts/account.ts'
import { statement } from '../../platform/db/statement.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'

export type FeatureApproval = Account['feature_approval']

interface PolicyRow {
  domain: string | null
  discoverable: boolean | null
  suspended: boolean
  /** The policy of a remote account; null if its server does not publish it. */
  feature_automatic: string[] | null
  feature_manual: string[] | null
}

const AUTOMATIC = ['public', 'followers', 'following', 'unsupported_policy', 'disabled'] as const
const MANUAL = ['public', 'followers', 'following', 'unsupported_policy'] as const

/** Returns who may add an account to a collection, and the result for a viewer without a relationship to it. */
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

interface OutcomeRow {
  id: string
  outcome: Outcome
}

const selectOutcomes = statement<{
  params: { accountIds: readonly string[]; viewerId: string }
  row: OutcomeRow
}>(
  `select a.id, ${featureApproval('$viewerId')} as outcome
   from accounts a left join users u on u.account_id = a.id where a.id = any($accountIds::bigint[])`,
)

const cache = new ViewerCache<OutcomeRow>({
  valueBytes: 140,
  keyOf: ({ id }) => id,
  isInvalidated: (invalidations, { id }, since) =>
    invalidations.isInvalidated('account', id, since) || invalidations.isInvalidated('user', id, since),
})

/** Returns the result of a viewer's request to feature each of these accounts. Empty for anonymous viewers (null). */
export async function findFeatureOutcomes(
  { db, invalidations }: CachedRead,
  { ids, viewerId }: { ids: Iterable<string>; viewerId: string | null },
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  if (viewerId === null) return outcomes
  const load = async (accountIds: string[]) => selectOutcomes(db, { accountIds, viewerId })
  for (const row of await cache.find(invalidations, { viewerId, keys: ids, load })) {
    if (row !== undefined) outcomes.set(row.id, row.outcome)
  }
  return outcomes
}

/** Returns an approval for a viewer. Anonymous viewers have no outcome and cannot feature the account. */
export function approvalForViewer(approval: FeatureApproval, outcome: Outcome | undefined): FeatureApproval {
  const { current_user: general } = approval
  const denied = general === 'automatic' || general === 'manual' ? 'denied' : general
  return { ...approval, current_user: outcome ?? denied }
}
