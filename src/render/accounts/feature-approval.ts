import { featureApproval } from '../../domain/collections/feature-approval.ts'
import type { FeatureApproval as Outcome } from '../../domain/collections/feature-approval.ts'
import type { CachedRead } from '../../domain/context.ts'
import type { Account } from '../../entities/accounts/account.ts'
import { shareEqual } from '../../lib/memory/share-equal.ts'
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

/** The cached accounts share the approvals, because there are few different ones. */
const share = shareEqual<FeatureApproval>({ max: 100, keyOf: (approval) => JSON.stringify(approval) })

/** Returns who may add an account to a collection, and the result for a viewer without a relationship to it. */
export function featureApprovalOf(row: PolicyRow): FeatureApproval {
  return share(approvalOf(row))
}

function approvalOf(row: PolicyRow): FeatureApproval {
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

const cache = new ViewerCache<Outcome>({
  valueBytes: 0,
  isInvalidated: (invalidations, { key, since }) =>
    invalidations.isInvalidated('account', key, since) || invalidations.isInvalidated('user', key, since),
})

/** Returns the result of a viewer's request to feature each of these accounts. Empty for anonymous viewers (null). */
export async function findFeatureOutcomes(
  { db, invalidations }: CachedRead,
  { ids, viewerId }: { ids: Iterable<string>; viewerId: string | null },
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  if (viewerId === null) return outcomes
  const load = async (accountIds: string[]) => {
    const rows = await selectOutcomes(db, { accountIds, viewerId })
    return rows.map(({ id, outcome }) => [id, outcome] as const)
  }
  const keys = [...ids]
  const found = await cache.find(invalidations, { viewerId, keys, load })
  for (const [n, id] of keys.entries()) if (found[n] !== undefined) outcomes.set(id, found[n])
  return outcomes
}

/** Returns an approval for a viewer. Anonymous viewers have no outcome and cannot feature the account. */
export function approvalForViewer(approval: FeatureApproval, outcome: Outcome | undefined): FeatureApproval {
  const { current_user: general } = approval
  const denied = general === 'automatic' || general === 'manual' ? 'denied' : general
  return { ...approval, current_user: outcome ?? denied }
}
