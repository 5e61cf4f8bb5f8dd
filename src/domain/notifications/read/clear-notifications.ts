import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'

/** How many notifications one transaction deletes: an account may have hundreds of thousands. */
const BATCH_SIZE = 5_000

const HIGHEST_ID = '9223372036854775807'

const remove = statement<{ params: { accountId: string; before: string }; row: { last: string | null } }>(
  `with removed as (
     delete from notifications where id in (
       select id from notifications where account_id = $accountId and id < $before order by id desc limit ${BATCH_SIZE})
     returning id
   )
   select case when count(*) = ${BATCH_SIZE} then min(id) end as last from removed`,
)

/**
 * Deletes all notifications of an account, latest first, so that those created meanwhile remain (Mastodon: POST
 * /api/v1/notifications/clear).
 */
export async function clearNotifications(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let before: string | null = HIGHEST_ID
  while (before !== null) {
    const from: string = before
    const [removed] = await ctx.write(async (tx) => remove(tx.db, { accountId, before: from }))
    before = removed!.last
  }
}
