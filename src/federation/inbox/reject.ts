import type { Ctx } from '../../domain/context.ts'
import { rejectOwnRequest } from '../../domain/relationships/own-requests.ts'
import { rejectFeature } from './collections.ts'
import { findAnswered } from './find-request.ts'
import type { Incoming } from './incoming.ts'
import { rejectQuoting } from './quotes.ts'

/** Somebody elsewhere does not let somebody here follow them, quote them, or put them into a collection, or no longer. */
export async function handleReject(ctx: Ctx, incoming: Incoming): Promise<void> {
  const request = await findAnswered(ctx, incoming.activity)
  if (request) await ctx.write((tx) => rejectOwnRequest(tx, request))
  else if (!(await rejectQuoting(ctx, incoming))) await rejectFeature(ctx, incoming)
}
