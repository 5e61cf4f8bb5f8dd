import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

const count = statement(
  `update account_stats st set statuses_count = coalesce($2, st.statuses_count),
     followers_count = coalesce($3, st.followers_count), following_count = coalesce($4, st.following_count)
   from accounts a where a.id = $1 and st.account_id = a.id and a.domain is not null`,
)
const hide = statement(
  `update accounts set hide_collections = $2, version = version + 1
   where id = $1 and domain is not null and hide_collections is distinct from $2`,
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
  await count(tx.db, [accountId, facts.statusesCount, facts.followersCount, facts.followingCount])
  if (facts.hideCollections !== null) await hide(tx.db, [accountId, facts.hideCollections])
}
