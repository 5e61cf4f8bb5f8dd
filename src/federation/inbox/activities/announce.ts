import { isFollowedLocally } from '../../../domain/access/followed-locally.ts'
import type { Ctx, Tx } from '../../../domain/context.ts'
import { reblogStatus } from '../../../domain/statuses/interactions/reblog-status.ts'
import { isRelay } from '../../../domain/relays/subscriptions.ts'
import { statement } from '../../../platform/db/statement.ts'
import { visibilityOf } from '../../objects/audience.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { isNote } from '../../objects/read/read-note.ts'
import { findKnownActor, resolveActor } from '../../remote/actors/resolve-actor.ts'
import { findKnownStatus, findLocalStatus } from '../../remote/statuses/find-known-status.ts'
import { isVote } from '../../remote/statuses/is-vote.ts'
import { readRemoteNote } from '../../remote/statuses/read-remote-note.ts'
import { resolveStatus } from '../../remote/statuses/resolve-status.ts'
import { hostOf, idOf, isOfType } from '../../wire/read-values.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { recordDeliveredNote } from '../notes/record-delivered-note.ts'
import { applyInteraction } from '../ordering/order-interactions.ts'
import { handleContainedActivity } from './contained-activity.ts'

const CREATE = new Set(['Create'])

/** The types of whole activities that a group announces and that only name an object to fetch. */
const FORWARDED_TYPES = ['Update', 'Delete'] as const

const findFollowers = statement<{
  params: { knownId: string }
  row: { followers_url: string | null; followed: boolean }
}>(
  `select a.followers_url, ${isFollowedLocally('a.id')} as followed
   from accounts a where a.id = $knownId`,
)

/**
 * Announce: a remote account reblogs a status, or a group forwards the Update or Delete of one. An embedded object is
 * ignored, unless the actor reblogs its own status: the status is fetched from its own server. An Announce of a remote
 * status counts only if a local account follows the actor. That of a relay is no reblog: the status is only stored.
 */
export async function handleAnnounce(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity, budget, interaction } = incoming
  const { id: uri, actor } = activity
  const original = announcedUriOf(activity)
  if (original === null) await handleContainedActivity(ctx, incoming, { types: FORWARDED_TYPES })
  if (original === null || uri === null) return
  const isLocalStatus = (await findLocalStatus(ctx, original)) !== null
  const known = await findKnownActor(ctx, { uri: actor })
  const [announcer] = known ? await findFollowers(ctx.db, { knownId: known.id }) : []
  if (!isLocalStatus && !announcer?.followed) {
    if (await isRelay(ctx, { host: hostOf(actor) ?? '' })) await resolveStatus(ctx, { uri: original, budget })
    return
  }
  const accountId = await resolveActor(ctx, { uri: actor, budget })
  await recordOwnNote(ctx, { incoming, followersUrl: announcer?.followers_url ?? null })
  const statusId = await resolveStatus(ctx, { uri: original, budget })
  const declaredVisibility = visibilityOf(activity, { followersUrl: announcer?.followers_url ?? null })
  const visibility = declaredVisibility === 'direct' ? 'private' : declaredVisibility
  const remote = { uri, publishedAt: activity.publishedAt }
  const work = (tx: Tx) => reblogStatus(tx, { accountId, statusId, visibility, remote })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}

/**
 * Records the embedded followers-only note of an actor that reblogs it: other servers cannot fetch it. The actor signed
 * the Announce, so the note is as trustworthy as that of a Create.
 */
async function recordOwnNote(
  ctx: Ctx,
  { incoming, followersUrl }: { incoming: IncomingActivity; followersUrl: string | null },
): Promise<void> {
  const { activity } = incoming
  const document = embeddedObject(activity.object)
  if (!document || !isNote(document) || idOf(document['attributedTo']) !== activity.actor) return
  const uri = sameOriginId(activity, document)
  if (uri === null || (await findKnownStatus(ctx, uri)) !== null) return
  const note = await readRemoteNote(ctx, document)
  if (visibilityOf(note, { followersUrl }) !== 'private' || (await isVote(ctx, note))) return
  // The Announce addresses no account on behalf of the note.
  await recordDeliveredNote(ctx, { note, incoming: { ...incoming, inboxAccountId: null } })
}

/** Returns the id of the reblogged object. A group that announces a whole Create reblogs the object of that. */
export function announcedUriOf({ object }: ParsedActivity): string | null {
  const inner = embeddedObject(object)
  if (inner && isOfType(inner, CREATE)) return idOf(inner['object'])
  // A group's Announce of any other activity, such as a Delete or Like, proves nothing about that activity. An event of
  // Mobilizon has an `actor`, too, without being an activity.
  if (inner && inner['actor'] !== undefined && !isNote(inner)) return null
  return object === null ? null : idOf(object)
}
