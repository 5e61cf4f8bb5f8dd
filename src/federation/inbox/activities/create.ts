import type { Ctx } from '../../../domain/context.ts'
import { readNote } from '../../objects/read/read-note.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { findNoteOrVote, recordDeliveredNote } from '../notes/record-delivered-note.ts'
import { recordRemoteVote } from '../../../domain/polls/vote-in-poll.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { hasLocalPollOption } from '../../remote/statuses/find-known-status.ts'
import { isVote } from '../../remote/statuses/is-vote.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'

/** Create: a remote account published a note or voted in a local poll. */
export async function handleCreate(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const document = await findNoteOrVote(ctx, incoming)
  if (!document) return
  const note = readNote(document, { now: ctx.now() })
  if (await isVote(ctx, note)) await recordVote(ctx, { note, incoming })
  else await recordDeliveredNote(ctx, { note, incoming })
}

/** Counts a vote of a remote account in a local poll. An invalid vote has no effect. */
async function recordVote(
  ctx: Ctx,
  { note, incoming: { activity, budget } }: { note: ParsedNote; incoming: IncomingActivity },
): Promise<void> {
  const { vote: option, inReplyTo: statusUri, uri } = note
  if (option === null || statusUri === null || !(await hasLocalPollOption(ctx, { statusUri, option }))) return
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  await ctx.write((tx) => recordRemoteVote(tx, { accountId, statusUri, option, uri }))
}
