import type { Ctx } from '../../../domain/context.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { isNote, readNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import type { FetchBudget } from '../../remote/fetch/budget.ts'
import { fetchDocument } from '../../remote/fetch/fetch-document.ts'
import { isVote } from '../../remote/statuses/is-vote.ts'
import { recordStatus } from '../../remote/statuses/record-status.ts'
import {
  findNoteReferences,
  toRemoteStatus,
  fetchAncestors,
  resolveQuotedStatus,
} from '../../remote/statuses/resolve-status.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf } from '../../wire/read-values.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { findNoteContext } from './find-note-context.ts'

/** Returns the same as `findNoteOrVote`, but null for a vote. */
export async function findNote(
  ctx: Ctx,
  input: { activity: ParsedActivity; budget: FetchBudget },
): Promise<WireObject | null> {
  const document = await findNoteOrVote(ctx, input)
  return document && !(await isVote(ctx, readNote(document, { now: ctx.now() }))) ? document : null
}

/**
 * Returns the note or vote that is the object of its author's activity: the embedded object, or the document fetched
 * from its server. Returns null for objects of other types and of other authors.
 */
export async function findNoteOrVote(
  ctx: Ctx,
  { activity, budget }: { activity: ParsedActivity; budget: FetchBudget },
): Promise<WireObject | null> {
  const id = sameOriginId(activity, activity.object)
  if (id === null) return null
  const embedded = embeddedObject(activity.object)
  if (embedded && !isNote(embedded)) return null
  const isByActor = (document: WireObject) => idOf(document['attributedTo']) === activity.actor
  const document = embedded && isByActor(embedded) ? embedded : await fetchDocument(ctx, { uri: id, budget })
  return isNote(document) && idOf(document) === id && isByActor(document) ? document : null
}

/**
 * Returns a delivered note with the audience of its activity, if it has none itself: Hubzilla addresses only the
 * activity of an image.
 */
export function withAudience(document: WireObject, { to, cc }: ParsedActivity): WireObject {
  return document['to'] == null && document['cc'] == null ? { ...document, to, cc } : document
}

/** Records a delivered note, if it is relevant (`findNoteContext`). Returns false if it was stored already. */
export async function recordDeliveredNote(
  ctx: Ctx,
  { note, incoming }: { note: ParsedNote; incoming: IncomingActivity },
): Promise<boolean> {
  const { activity, budget, inboxAccountId: readerId } = incoming
  const { isRelevant, known } = await findNoteContext(ctx, { note, readerId })
  if (!isRelevant) return true
  const accountId = known?.accountId ?? (await resolveActor(ctx, { uri: activity.actor, budget }))
  const references = known ?? (await findNoteReferences(ctx, { note, accountId }))
  const parsedStatus = await toRemoteStatus(ctx, { note, accountId, references, budget, readerId })
  const { isNew, parentId } = await recordStatus(ctx, { ...parsedStatus, replyUris: note.replyUris })
  // The ancestors are fetched after the note is stored, so that the note does not wait for a slow server.
  if (parentId === null) await fetchAncestors(ctx, { parentUri: note.inReplyTo, budget, resume: !isNew })
  await resolveQuotedStatus(ctx, { note, budget })
  return isNew
}
