import type { Ctx, Tx } from '../../../domain/context.ts'
import { blockAccount } from '../../../domain/relationships/blocks/block-account.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { idOf } from '../../wire/read-values.ts'
import { findLocalAccountId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { applyInteraction } from '../ordering/order-interactions.ts'

/**
 * Block: a remote account blocks a local account. With a `target`, moderators of Lemmy and PieFed ban the account from a
 * community or from their server, which does not concern their own relationships.
 */
export async function handleBlock(ctx: Ctx, { activity, budget, interaction }: IncomingActivity): Promise<void> {
  if (activity.target !== null) return
  const targetAccountId = await findLocalAccountId(ctx, activity.object && idOf(activity.object))
  if (targetAccountId === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const { id: uri, actor } = activity
  const work = (tx: Tx) => blockAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}
