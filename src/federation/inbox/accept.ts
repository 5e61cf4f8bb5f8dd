import type { Ctx } from '../../domain/context.ts'
import { acceptOwnRequest } from '../../domain/relationships/own-requests.ts'
import { acceptFeature } from './collections.ts'
import { findAnswered } from './find-request.ts'
import type { Incoming } from './incoming.ts'
import { acceptQuoting } from './quotes.ts'

/** Somebody elsewhere lets somebody here follow them, quote them, or put them into a collection, who asked. */
export async function handleAccept(ctx: Ctx, incoming: Incoming): Promise<void> {
  const request = await findAnswered(ctx, incoming.activity)
  if (request) await ctx.write((tx) => acceptOwnRequest(tx, request))
  else if (!(await acceptQuoting(ctx, incoming))) await acceptFeature(ctx, incoming)
}
