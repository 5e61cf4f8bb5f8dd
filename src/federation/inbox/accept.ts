import type { Ctx } from '../../domain/context.ts'
import { acceptOwnRequest } from '../../domain/relationships/own-requests.ts'
import { findAnswered } from './find-request.ts'
import type { Incoming } from './incoming.ts'

/** Somebody elsewhere lets somebody here follow them, who asked. */
export async function handleAccept(ctx: Ctx, { activity }: Incoming): Promise<void> {
  const request = await findAnswered(ctx, activity)
  if (request) await ctx.write((tx) => acceptOwnRequest(tx, request))
}
