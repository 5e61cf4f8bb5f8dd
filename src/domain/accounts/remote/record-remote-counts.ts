import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const updateCounts = statement<{
  params: {
    accountId: string
    statusesCount: number | null
    followersCount: number | null
    followingCount: number | null
  }
}>(
  `update account_stats st set statuses_count = coalesce($statusesCount, st.statuses_count),
     followers_count = coalesce($followersCount, st.followers_count), following_count = coalesce($followingCount, st.following_count)
   from accounts a where a.id = $accountId and st.account_id = a.id and a.domain is not null`,
)
const updateHideCollections = statement<{ params: { accountId: string; hideCollections: boolean } }>(
  `update accounts set hide_collections = $hideCollections, version = version + 1
   where id = $accountId and domain is not null and hide_collections is distinct from $hideCollections`,
)

interface OriginCounts {
  accountId: string
  statusesCount: number | null
  followersCount: number | null
  followingCount: number | null
}

/** The counts that a remote account's server states; null: not stated. */
export interface RemoteCounts extends OriginCounts {
  /** Whether it hides followers and follows; null: not stated. */
  hideCollections: boolean | null
}

/** Stores the counts of a remote account, as fetched from its collections; null leaves a count as it was. */
export async function recordRemoteCounts(tx: Tx, { hideCollections, ...counts }: RemoteCounts): Promise<void> {
  await updateCounts(tx.db, limit(counts))
  if (hideCollections !== null) await updateHideCollections(tx.db, { accountId: counts.accountId, hideCollections })
}

/** The largest stored count. It leaves room to count on within the range of PostgreSQL's `integer`. */
const MAX_COUNT = 2_000_000_000

const upsert = statement<{ params: OriginCounts }>(
  `insert into account_stats (account_id, statuses_count, followers_count, following_count)
   values ($accountId, coalesce($statusesCount, 0), coalesce($followersCount, 0), coalesce($followingCount, 0))
   on conflict (account_id) do update set statuses_count = coalesce($statusesCount, account_stats.statuses_count),
     followers_count = coalesce($followersCount, account_stats.followers_count),
     following_count = coalesce($followingCount, account_stats.following_count)`,
)

/** Stores the counters that a remote account's own server states; one that it does not state stays as it was. */
export async function recordOriginCounts(
  tx: Tx,
  { accountId, statusesCount, followersCount, followingCount }: OriginCounts,
): Promise<void> {
  await upsert(tx.db, limit({ accountId, statusesCount, followersCount, followingCount }))
}

function limit({ accountId, ...counts }: OriginCounts): OriginCounts {
  const limited = (count: number | null) =>
    count === null ? null : Math.max(0, Math.min(MAX_COUNT, Math.trunc(count)))
  return {
    accountId,
    statusesCount: limited(counts.statusesCount),
    followersCount: limited(counts.followersCount),
    followingCount: limited(counts.followingCount),
  }
}
