import { featureApproval } from '../domain/collections/feature-approval.ts'
import type { FeatureApproval as Verdict } from '../domain/collections/feature-approval.ts'
import type { Read } from '../domain/context.ts'
import type { Account } from '../entities/account.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'

type FeatureApproval = Account['feature_approval']

interface PolicyFacts {
  domain: string | null
  discoverable: boolean | null
  suspended: boolean
  /** Of accounts elsewhere; null = their server does not say. */
  feature_automatic: string[] | null
  feature_manual: string[] | null
}

const AUTOMATIC = ['public', 'followers', 'following', 'unsupported_policy', 'disabled'] as const
const MANUAL = ['public', 'followers', 'following', 'unsupported_policy'] as const

/** Who may put an account into a collection, and what would come of it if anybody tried. */
export function presentFeatureApproval(facts: PolicyFacts): FeatureApproval {
  if (facts.suspended) return { automatic: [], manual: [], current_user: 'denied' }
  if (facts.domain === null) {
    return facts.discoverable
      ? { automatic: ['public'], manual: [], current_user: 'automatic' }
      : { automatic: [], manual: [], current_user: 'denied' }
  }
  const automatic = AUTOMATIC.filter((word) => facts.feature_automatic?.includes(word))
  const manual = MANUAL.filter((word) => facts.feature_manual?.includes(word))
  return { automatic, manual, current_user: judge(facts, { automatic, manual }) }
}

function judge(
  { feature_automatic, feature_manual }: PolicyFacts,
  { automatic, manual }: Pick<FeatureApproval, 'automatic' | 'manual'>,
): Verdict {
  if (feature_automatic === null && feature_manual === null) return 'missing'
  if (automatic.includes('public')) return 'automatic'
  if (manual.includes('public')) return 'manual'
  return [...automatic, ...manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}

const load = statement<{ id: string; verdict: Verdict }>(
  `select a.id, ${featureApproval('$2')} as verdict
   from accounts a left join users u on u.account_id = a.id where a.id = any($1::bigint[])`,
)

/** Renderings of accounts, each with what would come of it if this viewer tried; nobody can who is not logged in. */
export async function judgeForViewer(
  read: Pick<Read, 'db'>,
  { accounts, viewerId }: { accounts: ReadonlyMap<string, Json<Account>>; viewerId: string | null },
): Promise<Map<string, Json<Account>>> {
  const rows = viewerId === null || accounts.size === 0 ? [] : await load(read.db, [[...accounts.keys()], viewerId])
  const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]))
  return new Map([...accounts].map(([id, json]) => [id, withVerdict(json, verdicts.get(id) ?? null)]))
}

/** One's own account: whoever may be featured at all may feature themselves. */
export function judgeForOneself(account: Json<Account>, { isUsable }: { isUsable: boolean }): Json<Account> {
  return withVerdict(account, isUsable ? 'automatic' : 'denied')
}

/** No text of a person can look like this key, since quotation marks in texts have a backslash before them. */
const VERDICT = /"current_user":"(\w+)"/

/** null: nobody who could try. */
function withVerdict(account: Json<Account>, verdict: Verdict | null): Json<Account> {
  return account.replace(VERDICT, (_all, general: string) => {
    const denied = general === 'automatic' || general === 'manual' ? 'denied' : general
    return `"current_user":"${verdict ?? denied}"`
  }) as Json<Account>
}
