import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const count = statement<{
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
const hide = statement<{ params: { accountId: string; hideCollections: boolean } }>(
  `update accounts set hide_collections = $hideCollections, version = version + 1
   where id = $accountId and domain is not null and hide_collections is distinct from $hideCollections`,
)

/** What another server tells of somebody of its own. Whole numbers from 0 to 2³¹ − 1; null: it does not tell. */
export interface RemoteCounts {
  accountId: string
  statusesCount: number | null
  followersCount: number | null
  followingCount: number | null
  /** Whether it shows who follows whom; null: it does not tell. */
  hideCollections: boolean | null
}

/** Keeps what another server counts of somebody of its own. */
export async function countRemoteAccount(tx: Tx, { accountId, ...facts }: RemoteCounts): Promise<void> {
  await count(tx.db, {
    accountId,
    statusesCount: facts.statusesCount,
    followersCount: facts.followersCount,
    followingCount: facts.followingCount,
  })
  if (facts.hideCollections !== null) await hide(tx.db, { accountId, hideCollections: facts.hideCollections })
}

/** So many can be counted on without leaving what an integer of the database holds. */
const MAX_COUNT = 2_000_000_000

const upsert = statement<{ params: OriginCounts }>(
  `insert into account_stats (account_id, statuses_count, followers_count, following_count)
   values ($accountId, coalesce($statusesCount, 0), coalesce($followersCount, 0), coalesce($followingCount, 0))
   on conflict (account_id) do update set statuses_count = coalesce($statusesCount, account_stats.statuses_count),
     followers_count = coalesce($followersCount, account_stats.followers_count),
     following_count = coalesce($followingCount, account_stats.following_count)`,
)

interface OriginCounts {
  accountId: string
  statusesCount: number | null
  followersCount: number | null
  followingCount: number | null
}

/** Stores the counters that a remote account's own server states; one that it does not state stays as it was. */
export async function recordOriginCounts(
  tx: Tx,
  { accountId, statusesCount, followersCount, followingCount }: OriginCounts,
): Promise<void> {
  const limit = (count: number | null) => (count === null ? null : Math.max(0, Math.min(MAX_COUNT, Math.trunc(count))))
  await upsert(tx.db, {
    accountId,
    statusesCount: limit(statusesCount),
    followersCount: limit(followersCount),
    followingCount: limit(followingCount),
  })
}
