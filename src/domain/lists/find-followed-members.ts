import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** The maximum number of members in one event, because its effects process all of them in one statement. */
const EVENT_BATCH_SIZE = 500

const findMembers = statement<{ params: { listId: string }; row: { account_id: string } }>(
  `select account_id from list_accounts where list_id = $listId and follow_id is not null order by account_id`,
)

/** Returns the ids of the members of a list that its owner follows, in batches for one event each. */
export async function findFollowedMembers(tx: Tx, { listId }: { listId: string }): Promise<string[][]> {
  const ids = (await findMembers(tx.db, { listId })).map((row) => row.account_id)
  const batches: string[][] = []
  for (let from = 0; from < ids.length; from += EVENT_BATCH_SIZE) batches.push(ids.slice(from, from + EVENT_BATCH_SIZE))
  return batches
}
