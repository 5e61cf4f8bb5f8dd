import type { Ctx } from '../../../domain/context.ts'
import { recordFollowReject } from '../../../domain/relationships/follows/answered-requests.ts'
import { rejectFeatureRequestByActivity } from '../collections/collection-activities.ts'
import { findAnsweredFollow } from './find-answered-follow.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { rejectQuoteByActivity } from '../quotes/quote-activities.ts'

/** Reject: a remote account rejects, or revokes, a local account's follow, quote or featured item. */
export async function handleReject(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const request = await findAnsweredFollow(ctx, incoming.activity)
  if (request) await ctx.write((tx) => recordFollowReject(tx, request))
  else if (!(await rejectQuoteByActivity(ctx, incoming))) await rejectFeatureRequestByActivity(ctx, incoming)
}
