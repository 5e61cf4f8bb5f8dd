import type { Ctx } from '../../domain/context.ts'
import { BadRequest, Forbidden, TooManyRequests, Unauthorized, Unavailable } from '../../lib/errors.ts'
import { networkOf } from '../../lib/network.ts'
import { createMemoryRateLimiter } from '../../platform/rate-limit.ts'
import { readActivity } from '../objects/read-activity.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { findPublicKey } from '../public-keys.ts'
import type { PublicKey } from '../public-keys.ts'
import { findKnownActor } from '../remote/actor.ts'
import type { KnownActor } from '../remote/actor.ts'
import { isOurs } from '../remote/ask.ts'
import { createBudget } from '../remote/budget.ts'
import { fetchDocument } from '../remote/document.ts'
import { isPassing, RemoteGone } from '../remote/refusals.ts'
import type { ReceivedRequest, Signature } from '../signatures/signature.ts'
import { checkSignature, isSignedBy, parseSignature } from '../signatures/verify.ts'
import type { WireObject } from '../wire/normalise.ts'
import { parseDocument } from '../wire/parse-document.ts'
import { hostOf, idOf } from '../wire/read.ts'
import { decodeBody } from './decode-body.ts'
import { findSender, isHandleBlocked } from './find-sender.ts'
import { isForwarded, readForwarded } from './forwarded.ts'
import { guardOrigins, nameOf } from './guard.ts'
import type { KeptBody } from './handle.ts'
import { keep } from './keep.ts'
import { HANDLERS } from './index.ts'
import { readSignedInteraction } from './interactions.ts'

/** Something that was delivered. */
export interface Delivery {
  request: ReceivedRequest
  /** Whose own inbox it came to; null: the shared one. */
  inboxAccountId: string | null
  /** From where. */
  ip: string
}

/** What somebody who is suspended here may still take back, and how somebody whom their own server suspended comes back. */
const FAREWELLS = new Set(['Delete', 'Undo', 'Reject'])
const FROM_SUSPENDED = { us: FAREWELLS, origin: new Set([...FAREWELLS, 'Update']) }

/** How often one address may make us ask for a key in vain: so nobody sends us to others as their messenger. */
const VAIN_KEYS = { name: 'vain-keys', limit: 1_000, windowSeconds: 300 }
const vainKeys = createMemoryRateLimiter()

/**
 * Takes what another server delivers: judges who sent it, and keeps it to be understood later. It returns once that is
 * committed; what is of no concern here is taken without a trace.
 * @throws BadRequest · Unauthorized · Forbidden from a blocked server · TooLarge · TooManyRequests · Unavailable when
 *   the key could not be had
 */
export async function receiveActivity(ctx: Ctx, delivery: Delivery): Promise<void> {
  const { request } = delivery
  const signature = parseSignature(request.headers)
  if (!signature) throw new Unauthorized('Request not signed')
  const host = hostOf(signature.keyId)
  if (host === null || isOurs(ctx, host)) throw new Unauthorized('The key is not one of another server')
  const fault = checkSignature(signature, request)
  if (fault) throw new Unauthorized(fault.detail)

  const { key, actor, isBlocked } = await findSender(ctx, { keyId: signature.keyId, host })
  const judged = key
    ? await judgeByKnownKey(ctx, { delivery, signature, key, actor, isBlocked })
    : await judgeByUnknownKey(ctx, { delivery, signature, host, isBlocked })
  if (!judged) return
  const signedBy = judged.isSigned ? host : null
  if (judged.forwardedBy !== null) await keepForwarded(ctx, { ...judged, signedBy, by: judged.forwardedBy })
  else if (HANDLERS.has(judged.activity.type)) await keepActivity(ctx, { ...judged, delivery, signature, signedBy })
}

interface Judged {
  activity: ActivityFacts
  document: WireObject
  /** Who sent it on, where that was not its actor. */
  forwardedBy: string | null
  /** False: nothing proves that the host of the key sent it, but what it says is true. */
  isSigned: boolean
}

interface Judging {
  delivery: Delivery
  signature: Signature
  isBlocked: boolean
}

/** Null: nothing is to be done. */
async function judgeByKnownKey(
  ctx: Ctx,
  { delivery, signature, key: known, actor, isBlocked }: Judging & { key: PublicKey; actor: KnownActor | null },
): Promise<Judged | null> {
  const { request } = delivery
  let key: PublicKey | null = known
  if (!isSignedBy(signature, { request, publicKey: key.publicKey })) {
    if (isBlocked) throw new Forbidden()
    key = await askForKey(ctx, { delivery, ask: async () => findPublicKey(ctx, { keyId: known.keyId, refresh: true }) })
    if (!key || !isSignedBy(signature, { request, publicKey: key.publicKey })) {
      throw new Unauthorized('The signature is not by the key that it names')
    }
  }
  const judged = attribute(await read(ctx, { delivery, signature }), { signature, key })
  if (isBlocked && !FAREWELLS.has(judged.activity.type)) throw new Forbidden()
  return isHeard(actor, judged.activity) ? judged : null
}

/** Before anybody is asked for a key: what can be told without it. */
async function judgeByUnknownKey(
  ctx: Ctx,
  { delivery, signature, host, isBlocked }: Judging & { host: string },
): Promise<Judged | null> {
  const { request } = delivery
  const { keyId } = signature
  if (isBlocked) throw new Forbidden()
  const unproven = await read(ctx, { delivery, signature })
  const { activity } = unproven
  const actor = await findKnownActor(ctx, { uri: activity.actor })
  if (await isHandleBlocked(ctx, { host, actor })) throw new Forbidden()
  const isAboutItself = activity.object !== null && idOf(activity.object) === activity.actor
  // Of people who were never heard of here, nothing can be deleted or changed.
  if (!actor && isAboutItself && (activity.type === 'Delete' || activity.type === 'Update')) return null
  if (actor?.suspendedBy === 'us') return null
  const key = await askForKey(ctx, { delivery, ask: () => findPublicKey(ctx, { keyId }) }).catch(
    async (err: unknown) => {
      const isFarewell = activity.type === 'Delete' && isAboutItself
      if (isFarewell && err instanceof Unauthorized && (await isGone(ctx, activity.actor))) return null
      throw err
    },
  )
  if (key && !isSignedBy(signature, { request, publicKey: key.publicKey })) {
    await countVain(ctx, delivery)
    throw new Unauthorized('The signature is not by the key that it names')
  }
  const judged = key ? attribute(unproven, { signature, key }) : { ...unproven, forwardedBy: null, isSigned: false }
  return isHeard(actor, activity) ? judged : null
}

type Unproven = Pick<Judged, 'activity' | 'document'>

/** What is said, by whomever: so far nothing is wrong with it. */
async function read(ctx: Ctx, { delivery, signature }: Pick<Judging, 'delivery' | 'signature'>): Promise<Unproven> {
  const { body, headers } = delivery.request
  const [encoding] = [headers['content-encoding']].flat()
  const document = parseDocument(await decodeBody(body, encoding))
  const activity = readActivity(document, { now: ctx.now() })
  const { keyId } = signature
  if (!isForwarded(activity, { document, keyId })) guardOrigins(activity, { keyId })
  return { document, activity }
}

/** Whose key signed it: the actor's own, or that of somebody who sends it on. @throws Unauthorized */
function attribute(unproven: Unproven, { signature, key }: { signature: Signature; key: PublicKey }): Judged {
  const { activity, document } = unproven
  if (key.ownerUri === activity.actor) return { ...unproven, forwardedBy: null, isSigned: true }
  if (isForwarded(activity, { document, keyId: signature.keyId }))
    return { ...unproven, forwardedBy: key.ownerUri, isSigned: true }
  throw new Unauthorized('The key is somebody else’s')
}

function isHeard(actor: KnownActor | null, { type }: ActivityFacts): boolean {
  return actor === null || actor.suspendedBy === null || FROM_SUSPENDED[actor.suspendedBy].has(type)
}

/**
 * Asks for a key, in a request that somebody waits for. Who has made us ask in vain too often is not listened to.
 * @throws Unavailable when it may work later · Unauthorized
 */
async function askForKey<T extends PublicKey | null>(
  ctx: Ctx,
  { delivery, ask }: { delivery: Delivery; ask: () => Promise<T> },
): Promise<T> {
  const { remaining } = await vainKeys.peek(VAIN_KEYS, networkOf(delivery.ip), ctx.now())
  if (remaining <= 0) throw new TooManyRequests()
  try {
    return await ask()
  } catch (err) {
    await countVain(ctx, delivery)
    ctx.log.debug({ err }, 'a key could not be had')
    if (isPassing(err)) throw new Unavailable('The key could not be fetched')
    if (err instanceof BadRequest) throw new Unauthorized('The key could not be read')
    throw new Unauthorized('There is no such key')
  }
}

async function countVain(ctx: Ctx, { ip }: Delivery): Promise<void> {
  await vainKeys.take(VAIN_KEYS, networkOf(ip), ctx.now())
}

/** Whether an actor's own server says that they are gone for ever, which proves their deletion, and nothing else. */
async function isGone(ctx: Ctx, uri: string): Promise<boolean> {
  const budget = createBudget({ fetches: 1, timeoutMs: 5_000 })
  return fetchDocument(ctx, { uri, budget }).then(
    () => false,
    (err: unknown) => err instanceof RemoteGone && err.forEver,
  )
}

async function keepActivity(
  ctx: Ctx,
  {
    delivery,
    signature,
    signedBy,
    activity,
    document,
  }: Judged & { delivery: Delivery; signature: Signature; signedBy: string | null },
): Promise<void> {
  const { request, inboxAccountId } = delivery
  const interaction = readSignedInteraction(activity, { signature, request })
  const name = interaction?.name ?? nameOf(activity, { body: request.body })
  const body = JSON.stringify(document)
  await keep(ctx, { signedBy, actorUri: activity.actor, name, inboxAccountId, body, interaction })
}

/** Kept under the name of the one who sent it on, so that it never stands in the way of the activity itself. */
async function keepForwarded(
  ctx: Ctx,
  { signedBy, activity, by }: Judged & { signedBy: string | null; by: string },
): Promise<void> {
  const forwarded = await readForwarded(ctx, activity)
  if (!forwarded) return
  const body: KeptBody = { forwarded }
  const name = `forwarded:${activity.id}`
  await keep(ctx, { signedBy, actorUri: by, name, inboxAccountId: null, body: JSON.stringify(body) })
}
