import type { Ctx } from '../../domain/context.ts'
import { lockAccounts } from '../../domain/core/lock-accounts.ts'
import { statement } from '../../platform/db/statement.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { actorUri } from '../objects/uris.ts'
import { writeActorUpdate } from '../objects/write/write-activities.ts'
import { writeActor } from '../objects/write/write-actor.ts'
import { sendActivity } from './send-activity.ts'

const findWithRemoteFollowers = statement<{ params: { accountId: string }; row: { updated_at: Date } }>(
  `select a.updated_at from accounts a where a.id = $accountId and a.domain is null and exists (
     select from follows f join accounts follower on follower.id = f.account_id
     where f.target_account_id = a.id and follower.domain is not null)`,
)

/** Effect: sends the Update of a changed profile to the remote followers. */
export async function deliverActor(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findWithRemoteFollowers(ctx.db, { accountId })
  if (!account) return
  await ensureActorKey(ctx, { accountId })
  await ctx.write(async (tx) => {
    // Otherwise, an Update with the former key could follow the one of a rotation.
    await lockAccounts(tx, { ids: [accountId] })
    const actor = actorUri(tx.config, accountId)
    const json = await writeActor(tx, { accountId })
    if (!json) return
    const activity = writeActorUpdate({ actor, json, at: account.updated_at })
    await sendActivity(tx, { activity, accountId, to: { followersOf: [accountId] } })
  })
}
