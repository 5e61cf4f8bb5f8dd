import type { Ctx } from '../../domain/context.ts'
import { findPendingRelay } from '../../domain/relays/subscriptions.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { instanceActorUri, relayFollowKey } from '../objects/uris.ts'
import { writeFollow, writeUndoFollow } from '../objects/write/write-activities.ts'
import { PUBLIC } from '../wire/context.ts'
import { cancelUndone } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'

/** Effect: subscribes to a relay, by a Follow of the public collection. */
export async function deliverRelayFollow(ctx: Ctx, { relayId: id }: { relayId: string }): Promise<void> {
  await ensureActorKey(ctx, { accountId: null })
  await ctx.write(async (tx) => {
    const inbox = await findPendingRelay(tx, { id })
    if (inbox === null) return
    const activity = writeFollow(followOf(ctx, id))
    await sendActivity(tx, { activity, accountId: null, to: { inboxes: [inbox] }, evenIfUnavailable: true })
  })
}

/** Effect: ends the subscription to a relay that was deleted. */
export async function deliverRelayUndo(
  ctx: Ctx,
  { relayId: id, inboxUrl }: { relayId: string; inboxUrl: string },
): Promise<void> {
  await ensureActorKey(ctx, { accountId: null })
  const activity = writeUndoFollow(followOf(ctx, id))
  await ctx.write(async (tx) => {
    await cancelUndone(tx, { uri: writeFollow(followOf(ctx, id)).uri })
    await sendActivity(tx, { activity, accountId: null, to: { inboxes: [inboxUrl] } })
  })
}

const followOf = (ctx: Ctx, id: string) => ({
  actor: instanceActorUri(ctx.config),
  object: PUBLIC,
  id: relayFollowKey(id),
  uri: null,
})
