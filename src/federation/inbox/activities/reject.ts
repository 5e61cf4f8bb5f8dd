import type { Ctx } from '../../../domain/context.ts'
import { recordFollowReject } from '../../../domain/relationships/follows/answered-requests.ts'
import { rejectFeatureRequestByActivity } from '../collections/collection-activities.ts'
import { answerRelaySubscription } from './answer-relay-subscription.ts'
import { findAnsweredFollow } from './find-answered-follow.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { rejectQuoteByActivity } from '../quotes/quote-activities.ts'

/**
 * Reject: a remote account rejects, or revokes, a local account's follow, quote or featured item, or a relay the
 * subscription of this server.
 */
export async function handleReject(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  if (await answerRelaySubscription(ctx, incoming.activity, 'rejected')) return
  const request = await findAnsweredFollow(ctx, incoming.activity)
  if (request) await ctx.write((tx) => recordFollowReject(tx, request))
  else if (!(await rejectQuoteByActivity(ctx, incoming))) await rejectFeatureRequestByActivity(ctx, incoming)
}
