import type { Ctx, Tx } from '../../../domain/context.ts'
import { updateRemoteStatus } from '../../../domain/statuses/remote/update-remote-status.ts'
import { isActor } from '../../objects/read/read-actor.ts'
import { isNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import { fetchActor, findKnownActor, recordActor } from '../../remote/actors/resolve-actor.ts'
import { findKnownStatus } from '../../remote/statuses/find-known-status.ts'
import { readRemoteNote } from '../../remote/statuses/read-remote-note.ts'
import { findNoteReferences, toRemoteStatus, resolveQuotedStatus } from '../../remote/statuses/resolve-status.ts'
import { idOf } from '../../wire/read-values.ts'
import { updateCollections } from '../collections/collection-activities.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { findNote, recordDeliveredNote, withAudience } from '../notes/record-delivered-note.ts'
import { isSuperseded } from '../ordering/order-interactions.ts'

/**
 * If an unknown status is older than this when an Update arrives, it was not relevant to this server when it was
 * posted.
 */
const MAX_AGE_HOURS = 24
const HOUR_MS = 3_600_000

/** Update: a remote account edited one of its objects, or its profile. */
export async function handleUpdate(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity } = incoming
  const uri = sameOriginId(activity, activity.object)
  if (uri === null) return
  if (uri === activity.actor) return updateActor(ctx, incoming)
  if (await updateCollections(ctx, incoming)) return
  const document = await findNote(ctx, await withReadableObject(ctx, incoming))
  if (!document) return
  const note = await readRemoteNote(ctx, withAudience(document, activity))
  if ((await findKnownStatus(ctx, uri)) === null) {
    // If another job recorded it in the meantime, possibly in another version, it is updated below.
    if (!isRecent(ctx, note) || (await recordDeliveredNote(ctx, { note, incoming }))) return
  }
  await updateStatus(ctx, { note, incoming })
}

/**
 * Returns an activity with the id in place of an object of an unknown type, if that is the id of a stored status, so
 * that its document is fetched. BookWyrm sends edits with types of its own, such as Comment and Review, and serves the
 * objects as Note and Article.
 */
async function withReadableObject(ctx: Ctx, incoming: IncomingActivity): Promise<IncomingActivity> {
  const { activity } = incoming
  const embedded = embeddedObject(activity.object)
  if (!embedded || isNote(embedded)) return incoming
  const uri = idOf(embedded)
  return (await findKnownStatus(ctx, uri)) === null ? incoming : { ...incoming, activity: { ...activity, object: uri } }
}

/**
 * Updates an actor, unless a later Update has been received. A document that the actor signed is as trustworthy as one
 * fetched from its server.
 */
async function updateActor(ctx: Ctx, { activity, budget, interaction }: IncomingActivity): Promise<void> {
  const known = await findKnownActor(ctx, { uri: activity.actor })
  if (!known || known.domain === null) return
  const document = embeddedObject(activity.object)
  const current = { username: known.username, domain: known.domain }
  const isOutdated = async (tx: Tx) => interaction !== null && (await isSuperseded(tx, interaction))
  if (document && isActor(document)) await recordActor(ctx, { document, budget, current, isOutdated })
  else if (!document) await fetchActor(ctx, { uri: activity.actor, budget })
}

async function updateStatus(
  ctx: Ctx,
  { note, incoming: { activity, budget } }: { note: ParsedNote; incoming: IncomingActivity },
): Promise<void> {
  const author = await findKnownActor(ctx, { uri: activity.actor })
  if (!author || author.domain === null || author.suspendedBy !== null) return
  const references = await findNoteReferences(ctx, { note, accountId: author.id })
  const parsedStatus = await toRemoteStatus(ctx, { note, accountId: author.id, references, budget })
  await ctx.write((tx) => updateRemoteStatus(tx, parsedStatus))
  await resolveQuotedStatus(ctx, { note, budget })
}

function isRecent(ctx: Ctx, { publishedAt }: ParsedNote): boolean {
  return publishedAt !== null && ctx.now().getTime() - publishedAt.getTime() < MAX_AGE_HOURS * HOUR_MS
}
