import type { Ctx } from '../../../domain/context.ts'
import { answerSubscription } from '../../../domain/relays/subscriptions.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { relayOfFollow } from '../../objects/uris.ts'
import { hostOf, idOf } from '../../wire/read-values.ts'

/** Records the answer of a relay. Returns false if the activity answers no Follow of a relay. */
export async function answerRelaySubscription(
  ctx: Ctx,
  { actor, object }: ParsedActivity,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const uri = object === null ? null : idOf(object)
  const id = uri === null ? null : relayOfFollow(ctx.config, uri)
  if (id === null) return false
  await ctx.write((tx) => answerSubscription(tx, { id, host: hostOf(actor) ?? '', state }))
  return true
}
