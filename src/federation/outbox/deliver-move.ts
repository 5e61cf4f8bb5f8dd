import type { Ctx } from '../../domain/context.ts'
import { lockAccounts } from '../../domain/core/lock-accounts.ts'
import { statement } from '../../platform/db/statement.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { actorUri } from '../objects/uris.ts'
import { writeActorUpdate, writeMove } from '../objects/write/write-activities.ts'
import { writeActor } from '../objects/write/write-actor.ts'
import { cancelFormerUpdates } from './cancel-superseded.ts'
import { findProfileRecipients } from './deliver-actor.ts'
import { sendActivity } from './send-activity.ts'

const find = statement<{
  params: { accountId: string; targetAccountId: string }
  row: { id: string; target: string; updated_at: Date; blocker_ids: string[] }
}>(
  `select m.id, t.uri as target, a.updated_at,
     array(select b.account_id::text from blocks b join accounts blocker on blocker.id = b.account_id
       where b.target_account_id = a.id and blocker.domain is not null order by b.id) as blocker_ids
   from accounts a join accounts t on t.id = a.moved_to_account_id
     join account_moves m on m.account_id = a.id and m.target_account_id = t.id
   where a.id = $accountId and t.id = $targetAccountId and a.domain is null order by m.created_at desc limit 1`,
)

/**
 * Effect: sends the Move of a local account to its remote followers, and to remote accounts that block it, so that their
 * servers can extend the block to the new account. Before it, sends the Update with `movedTo` to all recipients of a
 * profile: it replaces one that waits for further changes.
 */
export async function deliverMove(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  const [move] = await find(ctx.db, { accountId, targetAccountId })
  if (!move) return
  const profileRecipients = await findProfileRecipients(ctx, { accountId })
  await ensureActorKey(ctx, { accountId })
  await ctx.write(async (tx) => {
    // Otherwise, an Update with the former key could follow the one of a rotation.
    await lockAccounts(tx, { ids: [accountId] })
    const json = await writeActor(tx, { accountId })
    if (!json) return
    const actor = actorUri(tx.config, accountId)
    const update = writeActorUpdate({ actor, json, at: move.updated_at })
    if (profileRecipients) {
      await sendActivity(tx, { activity: update, accountId, to: profileRecipients })
      await cancelFormerUpdates(tx, { uri: update.uri, object: actor })
    }
    const activity = writeMove(tx.config, { accountId, ...move })
    const to = { followersOf: [accountId], accountIds: move.blocker_ids }
    await sendActivity(tx, { activity, accountId, to })
  })
}
