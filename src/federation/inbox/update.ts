import type { Ctx } from '../../domain/context.ts'
import { updateRemoteStatus } from '../../domain/statuses/update-remote.ts'
import { isActor } from '../objects/read-actor.ts'
import { readNote } from '../objects/read-note.ts'
import { fetchActor, findKnownActor, recordActor } from '../remote/actor.ts'
import { findKnownStatus } from '../remote/known-status.ts'
import { describeStatus, followQuote } from '../remote/status.ts'
import type { WireObject } from '../wire/normalise.ts'
import { updateCollections } from './collections.ts'
import { embedded, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { findNote, takeNote } from './take-note.ts'

/** What is older when an edit of it comes was of no concern when it was written. */
const MAX_AGE_HOURS = 24
const HOUR_MS = 3_600_000

/** Somebody elsewhere changed something of theirs, or themselves. */
export async function handleUpdate(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity } = incoming
  const uri = ownId(activity, activity.object)
  if (uri === null) return
  if (uri === activity.actor) return updateActor(ctx, incoming)
  if (await updateCollections(ctx, incoming)) return
  const document = await findNote(ctx, incoming)
  if (!document) return
  if ((await findKnownStatus(ctx, uri)) === null) {
    // It may have been recorded in between, as it was at another time.
    if (!isYoung(ctx, document) || (await takeNote(ctx, { document, incoming }))) return
  }
  await updateStatus(ctx, { document, incoming })
}

/** What came with the actor's own signature is as good as what their server would show. */
async function updateActor(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const known = await findKnownActor(ctx, { uri: activity.actor })
  if (!known || known.domain === null) return
  const document = embedded(activity.object)
  const current = { username: known.username, domain: known.domain }
  if (document && isActor(document)) await recordActor(ctx, { document, budget, current })
  else if (!document) await fetchActor(ctx, { uri: activity.actor, budget })
}

async function updateStatus(
  ctx: Ctx,
  { document, incoming: { activity, budget } }: { document: WireObject; incoming: Incoming },
): Promise<void> {
  const author = await findKnownActor(ctx, { uri: activity.actor })
  if (!author || author.domain === null || author.suspendedBy !== null) return
  const note = readNote(document, { now: ctx.now() })
  const facts = await describeStatus(ctx, { note, accountId: author.id, budget })
  await ctx.write((tx) => updateRemoteStatus(tx, facts))
  await followQuote(ctx, { note, budget })
}

function isYoung(ctx: Ctx, document: WireObject): boolean {
  const { publishedAt } = readNote(document, { now: ctx.now() })
  return publishedAt !== null && ctx.now().getTime() - publishedAt.getTime() < MAX_AGE_HOURS * HOUR_MS
}
