import type { Ctx } from '../../domain/context.ts'
import { Forbidden, Unauthorized } from '../../lib/errors.ts'
import { readActivity, readActivityHead } from '../objects/read-activity.ts'
import type { ActivityFacts, ActivityHead } from '../objects/read-activity.ts'
import type { PublicKey } from '../public-keys.ts'
import { findKnownActor } from '../remote/actor.ts'
import type { KnownActor } from '../remote/actor.ts'
import { createBudget } from '../remote/budget.ts'
import { fetchDocument } from '../remote/document.ts'
import { RemoteGone } from '../remote/refusals.ts'
import { headerValue } from '../signatures/signature.ts'
import type { ReceivedRequest } from '../signatures/signature.ts'
import { checkDigest, isSignedBy } from '../signatures/verify.ts'
import { countUses, giveBackUses, keyFetchUses, UNSOLICITED } from '../throttles.ts'
import type { WireObject } from '../wire/normalise.ts'
import { isWithin, parseDocument, UNPROVEN_LIMITS } from '../wire/parse-document.ts'
import type { Admission } from './admit.ts'
import { decodeBody } from './decode-body.ts'
import { fetchKey, NoSuchKey } from './fetch-key.ts'
import { findConcern } from './find-concern.ts'
import { findSender, isHandleBlocked } from './find-sender.ts'
import type { Sender } from './find-sender.ts'
import { isForwarded, readForwarded } from './forwarded.ts'
import { readSignedInteraction } from './interactions.ts'
import { guardOrigins, nameOf } from './guard.ts'
import type { KeptBody } from './handle.ts'
import { keep } from './keep.ts'
import { HANDLERS } from './index.ts'

/** Something that was delivered. */
export interface Delivery {
  request: ReceivedRequest
  /** What its headers prove. */
  admission: Admission
  /** Whose own inbox it came to; null: the shared one. */
  inboxAccountId: string | null
  /** From where. */
  ip: string
}

/** What somebody who is suspended here may still take back, and how somebody whom their own server suspended comes back. */
const FAREWELLS = new Set(['Delete', 'Undo', 'Reject'])
const FROM_SUSPENDED = { us: FAREWELLS, origin: new Set([...FAREWELLS, 'Update']) }

/**
 * Takes what another server delivers: judges who sent it, and keeps it to be understood later. It returns once that is
 * committed; what is of no concern here is taken without a trace.
 * @throws BadRequest · Unauthorized · Forbidden from a blocked server · TooLarge · Throttled · Unavailable when the key
 *   could not be had
 */
export async function receiveActivity(ctx: Ctx, delivery: Delivery): Promise<void> {
  const { request, admission } = delivery
  const fault = checkDigest(admission.signature, request)
  if (fault) throw new Unauthorized(fault.detail)
  const judged = admission.key
    ? await judgeProven(ctx, { delivery, key: admission.key, sender: admission.sender })
    : await judgeUnproven(ctx, delivery)
  if (!judged) return
  if (judged.forwardedBy !== null) await keepForwarded(ctx, { delivery, ...judged, by: judged.forwardedBy })
  else if (HANDLERS.has(judged.activity.type)) await keepActivity(ctx, { delivery, ...judged })
}

interface Judged {
  activity: ActivityFacts
  document: WireObject
  /** Who sent it on, where that was not its actor. */
  forwardedBy: string | null
  /** A local account follows the owner of the key. */
  isFollowed: boolean
}

/** Null: nothing is to be done. */
async function judgeProven(
  ctx: Ctx,
  {
    delivery: { request, admission },
    key,
    sender: { actor, isFollowed, isBlocked },
  }: { delivery: Delivery; key: PublicKey; sender: Sender },
): Promise<Judged | null> {
  const body = await decodeBody(request.body, headerValue(request.headers, 'content-encoding') ?? undefined)
  const document = parseDocument(body)
  const activity = readActivity(document, { now: ctx.now() })
  const forwardedBy = attribute({ activity, document, key }, admission)
  if (isBlocked && !FAREWELLS.has(activity.type)) throw new Forbidden()
  return isHeard(actor, activity) ? { activity, document, forwardedBy, isFollowed } : null
}

/** Of a sender whose key is not stored. First comes what can be decided without asking anybody for the key. */
async function judgeUnproven(ctx: Ctx, delivery: Delivery): Promise<Judged | null> {
  const { request, admission, ip } = delivery
  const { signature, host } = admission
  const { keyId } = signature
  const prove = async () => {
    const isSigned = ({ publicKey }: PublicKey) => isSignedBy(signature, { request, publicKey })
    const key = await fetchKey(ctx, { keyId, ip, isSignedBy: isSigned })
    return { delivery, key, sender: await findSender(ctx, { keyId, host }) }
  }
  if (!isWithin(request.body, UNPROVEN_LIMITS)) return judgeProven(ctx, await prove())

  const document = parseDocument(request.body, UNPROVEN_LIMITS)
  const activity = readActivityHead(document)
  if (!isForwarded(activity, { document, keyId })) guardOrigins(activity, { keyId })
  const actor = await findKnownActor(ctx, { uri: activity.actor })
  if (await isHandleBlocked(ctx, { host, actor })) throw new Forbidden()
  const isAboutItself = activity.objectId === activity.actor
  // Of people who were never heard of here, nothing can be deleted or changed.
  if (!actor && isAboutItself && (activity.type === 'Delete' || activity.type === 'Update')) return null
  if (actor?.suspendedBy === 'us') return null
  const proven = await prove().catch(async (err: unknown) => {
    const isFarewell = activity.type === 'Delete' && isAboutItself
    if (isFarewell && err instanceof NoSuchKey && (await isGone(ctx, { uri: activity.actor, ip }))) return null
    throw err
  })
  if (proven) return judgeProven(ctx, proven)
  if (actor && isHeard(actor, activity)) {
    // Only the 410 proves it: nothing is known of the host that sent it.
    const name = nameOf(activity, { body: request.body })
    const { inboxAccountId } = delivery
    const body = JSON.stringify(document)
    await keep(ctx, { signedBy: null, actorUri: activity.actor, name, inboxAccountId, body })
  }
  return null
}

/** Who sent an activity on; null: its actor, whose key signed it. @throws Unauthorized */
function attribute(
  { activity, document, key }: { activity: ActivityFacts; document: WireObject; key: PublicKey },
  { signature: { keyId } }: Admission,
): string | null {
  const canBeForwarded = isForwarded(activity, { document, keyId })
  if (!canBeForwarded) guardOrigins(activity, { keyId })
  if (key.ownerUri === activity.actor) return null
  if (canBeForwarded) return key.ownerUri
  throw new Unauthorized('The key is somebody else’s')
}

function isHeard(actor: KnownActor | null, { type }: ActivityHead): boolean {
  return actor === null || actor.suspendedBy === null || FROM_SUSPENDED[actor.suspendedBy].has(type)
}

/** Whether an actor's own server says that they are gone for ever, which proves their deletion, and nothing else. */
async function isGone(ctx: Ctx, { uri, ip }: { uri: string; ip: string }): Promise<boolean> {
  const uses = keyFetchUses({ uri, ip })
  await countUses(ctx, uses)
  const budget = createBudget({ fetches: 1, timeoutMs: 5_000 })
  const isProven = await fetchDocument(ctx, { uri, budget }).then(
    () => false,
    (err: unknown) => err instanceof RemoteGone && err.forEver,
  )
  if (isProven) await giveBackUses(ctx, uses)
  return isProven
}

async function keepActivity(
  ctx: Ctx,
  { delivery, activity, document, isFollowed }: Judged & { delivery: Delivery },
): Promise<void> {
  const { request, inboxAccountId, admission } = delivery
  const { host, signature } = admission
  const concern = isFollowed ? 'solicited' : await findConcern(ctx, activity)
  if (concern === 'unsolicited') await countUses(ctx, [{ throttle: UNSOLICITED, key: host }])
  const interaction = readSignedInteraction(activity, { signature, request })
  const name = interaction?.name ?? nameOf(activity, { body: request.body })
  const body = concern === 'none' ? null : JSON.stringify(document)
  await keep(ctx, { signedBy: host, actorUri: activity.actor, name, inboxAccountId, body, interaction })
}

/** Kept under the name of the one who sent it on, so that it never stands in the way of the activity itself. */
async function keepForwarded(
  ctx: Ctx,
  { delivery, activity, by, isFollowed }: Judged & { delivery: Delivery; by: string },
): Promise<void> {
  const { host } = delivery.admission
  const forwarded = await readForwarded(ctx, activity)
  if (!forwarded) return
  if (!isFollowed) await countUses(ctx, [{ throttle: UNSOLICITED, key: host }])
  const body: KeptBody = { forwarded }
  const name = `forwarded:${activity.id}`
  await keep(ctx, { signedBy: host, actorUri: by, name, inboxAccountId: null, body: JSON.stringify(body) })
}
