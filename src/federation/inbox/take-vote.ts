import type { Ctx } from '../../domain/context.ts'
import { receiveVote } from '../../domain/polls/vote.ts'
import { resolveActor } from '../remote/actor.ts'
import { findLocalPoll } from '../remote/known-status.ts'
import type { NoteFacts } from '../objects/read-note.ts'
import type { Incoming } from './incoming.ts'

/** Counts what somebody elsewhere chose, if it is in a poll of here. One that may not be counted does nothing. */
export async function takeVote(
  ctx: Ctx,
  { note, incoming: { activity, budget } }: { note: NoteFacts; incoming: Incoming },
): Promise<void> {
  const { vote: option, inReplyTo: statusUri, uri } = note
  if (option === null || statusUri === null || (await findLocalPoll(ctx, statusUri)) === null) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  await ctx.write((tx) => receiveVote(tx, { accountId, statusUri, option, uri }))
}
