import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'

/** The number of statuses that are updated in one transaction. */
const BATCH_SIZE = 500

// Locks the statuses in the order of their ids, as everywhere.
const lockMentioning = statement<{ params: { accountId: string; after: string }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any(array(
     select status_id from mentions where account_id = $accountId and status_id > $after
       order by status_id limit ${BATCH_SIZE}))
   order by s.id for no key update`,
)
const incrementVersions = statement<{ params: { ids: readonly string[] } }>(
  `update statuses set version = version + 1 where id = any($ids::bigint[])`,
)

/** Effect: updates the statuses whose `mentions` contain the changed handle or profile page of an account. */
export async function updateMentioningStatuses(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let last: string | undefined = '0'
  while (last !== undefined) {
    const after: string = last
    last = await ctx.write(async (tx) => {
      const ids = (await lockMentioning(tx.db, { accountId, after })).map((row) => row.id)
      if (ids.length > 0) await incrementVersions(tx.db, { ids })
      return ids.at(-1)
    })
  }
}
