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
