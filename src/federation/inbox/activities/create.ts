import type { Ctx } from '../../../domain/context.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { sameOriginId } from '../incoming-activity.ts'
import { findNoteOrVote, recordDeliveredNote, withAudience } from '../notes/record-delivered-note.ts'
import { addReader } from '../../../domain/statuses/remote/mention-accounts.ts'
import { recordRemoteVote } from '../../../domain/polls/vote-in-poll.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { hasLocalPollOption } from '../../remote/statuses/find-known-status.ts'
import { isVote } from '../../remote/statuses/is-vote.ts'
import { readRemoteNote } from '../../remote/statuses/read-remote-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'

/** The choices that one activity may have, for the options that a local poll has at most, imported ones included. */
const MAX_CHOICES = 20

/** Create: a remote account published a note or voted in a local poll. */
export async function handleCreate(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  if (incoming.isRepetition && (await addInboxAccount(ctx, incoming))) return
  const note = await readCreatedNote(ctx, incoming)
  if (!note) return
  if (await isVote(ctx, note)) await recordVotes(ctx, { note, incoming })
  else await recordDeliveredNote(ctx, { note, incoming })
}

async function readCreatedNote(ctx: Ctx, incoming: IncomingActivity): Promise<ParsedNote | null> {
  const document = await findNoteOrVote(ctx, incoming)
  return document && readRemoteNote(ctx, withAudience(document, incoming.activity))
}

/**
 * Records all votes of an activity, of which the first one was read already: Mitra sends the choices of an account in
 * one activity. An invalid vote does not prevent others.
 */
async function recordVotes(
  ctx: Ctx,
  { note: first, incoming }: { note: ParsedNote; incoming: IncomingActivity },
): Promise<void> {
  const { activity } = incoming
  const record = async (note: ParsedNote) =>
    recordVote(ctx, { note, incoming }).catch((err: unknown) => {
      if (!(err instanceof RequestError)) throw err
      ctx.log.debug({ err }, 'Vote had no effect')
    })
  await record(first)
  for (const object of activity.objects.slice(1, MAX_CHOICES)) {
    const note = await readCreatedNote(ctx, { ...incoming, activity: { ...activity, object } })
    if (note && (await isVote(ctx, note))) await record(note)
  }
}

/**
 * Lets the account in whose inbox a note arrived read the stored note, which the note's author did not need to address
 * to it. Returns whether the note is stored.
 */
async function addInboxAccount(ctx: Ctx, { activity, inboxAccountId: readerId }: IncomingActivity): Promise<boolean> {
  const uri = sameOriginId(activity, activity.object)
  if (uri === null || readerId === null) return false
  return ctx.write((tx) => addReader(tx, { uri, authorUri: activity.actor, readerId }))
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
