import type { Ctx } from '../../../domain/context.ts'
import { recordFollowAccept } from '../../../domain/relationships/follows/answered-requests.ts'
import { acceptFeatureRequestByActivity } from '../collections/collection-activities.ts'
import { answerRelaySubscription } from './answer-relay-subscription.ts'
import { findAnsweredFollow } from './find-answered-follow.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { acceptQuoteByActivity } from '../quotes/quote-activities.ts'

/**
 * Accept: a remote account accepts a local account's follow request, quote request or feature request, or a relay the
 * subscription of this server.
 */
export async function handleAccept(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  if (await answerRelaySubscription(ctx, incoming.activity, 'accepted')) return
  const request = await findAnsweredFollow(ctx, incoming.activity)
  if (request) await ctx.write((tx) => recordFollowAccept(tx, request))
  else if (!(await acceptQuoteByActivity(ctx, incoming))) await acceptFeatureRequestByActivity(ctx, incoming)
}
