import type { Ctx } from '../../../domain/context.ts'
import {
  ForbiddenError,
  UnauthorizedError,
  BadRequestError,
  RequestError,
  PayloadTooLargeError,
} from '../../../lib/errors.ts'
import { readActivity, readActivityHead } from '../../objects/read/read-activity.ts'
import type { ParsedActivity, ActivityHead } from '../../objects/read/read-activity.ts'
import { LIMITS } from '../../objects/read/limits.ts'
import type { PublicKey } from '../../keys/find-public-key.ts'
import { findKnownActor } from '../../remote/actors/resolve-actor.ts'
import type { KnownActor } from '../../remote/actors/resolve-actor.ts'
import { createBudget } from '../../remote/fetch/budget.ts'
import { fetchDocument } from '../../remote/fetch/fetch-document.ts'
import { RemoteGoneError } from '../../remote/fetch/remote-errors.ts'
import { headerValue } from '../../signatures/signature.ts'
import type { ReceivedRequest } from '../../signatures/signature.ts'
import { checkDigest, isSignedBy } from '../../signatures/verify.ts'
import { countUses, refundUses, keyFetchThrottles, UNSOLICITED_ACTIVITIES } from '../../throttles.ts'
import { PUBLIC } from '../../wire/context.ts'
import { compareFollowers } from '../../followers/compare-followers.ts'
import { isActivityStreams } from '../../wire/normalize.ts'
import type { WireObject } from '../../wire/normalize.ts'
import {
  isWithinLimits,
  parseDocument,
  UNVERIFIED_SENDER_LIMITS,
  MAX_DOCUMENT_BYTES,
} from '../../wire/parse-document.ts'
import type { DeliveryAuthentication } from './authenticate-delivery.ts'
import { deduplicationKeyOf } from './deduplication-key-of.ts'
import { fetchKey, KeyNotFoundError } from './fetch-key.ts'
import { findRelevance } from './find-relevance.ts'
import { findSender, isHandleBlocked } from './find-sender.ts'
import type { Sender } from './find-sender.ts'
import { isForwarded, readForwarded } from './forwarded-activity.ts'
import { readSignedInteraction } from '../ordering/read-signed-interaction.ts'
import type { StoredBody } from './process-activity.ts'
import { storeActivity } from './store-activity.ts'
import { withLocalIds } from './with-local-ids.ts'
import { embeddedObject } from '../incoming-activity.ts'
import { HANDLERS } from '../activity-handlers.ts'
import { audienceOf, isSameHost } from '../../wire/read-values.ts'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** A delivery to an inbox. */
export interface InboxDelivery {
  request: ReceivedRequest
  /** The result of the authentication by its headers. */
  authentication: DeliveryAuthentication
  /** The account in whose personal inbox it arrived; null for the shared inbox. */
  inboxAccountId: string | null
  /** The network address of the client. */
  ip: string
}

/**
 * The types that are accepted from suspended accounts: retractions and, if the account's own server suspended it, the
 * Update by which that server unsuspends it.
 */
const RETRACTION_TYPES = new Set(['Delete', 'Undo', 'Reject'])
const ACCEPTED_FROM_SUSPENDED = { local: RETRACTION_TYPES, remote: new Set([...RETRACTION_TYPES, 'Update']) }

/**
 * Receives a delivery: verifies its sender and stores the activity, which a job processes later. Returns once that is
 * committed. An irrelevant activity is accepted, but not stored.
 * @throws BadRequestError · UnauthorizedError · ForbiddenError for a suspended server · PayloadTooLargeError ·
 *   ThrottledError · ServiceUnavailableError if the key could not be fetched
 */
export async function receiveActivity(ctx: Ctx, delivery: InboxDelivery): Promise<void> {
  const { request, authentication } = delivery
  const failure = checkDigest(authentication.signature, request)
  if (failure) throw new UnauthorizedError(failure.detail)
  const verified = authentication.key
    ? await verifyWithKey(ctx, { delivery, key: authentication.key, sender: authentication.sender })
    : await verifyWithFetchedKey(ctx, delivery)
  if (!verified) return
  if (verified.forwardedBy !== null)
    await storeForwardedActivity(ctx, { delivery, ...verified, forwarderUri: verified.forwardedBy })
  else {
    if (HANDLERS.has(verified.activity.type)) await storeDirectActivity(ctx, { delivery, ...verified })
    await compareFollowers(ctx, { actor: verified.activity.actor, headers: request.headers })
  }
}

interface VerifiedActivity {
  activity: ParsedActivity
  document: WireObject
  /** The id of the actor that forwarded it; null if its own actor sent it. */
  forwardedBy: string | null
  /** A local account follows the owner of the key. */
  isFollowed: boolean
}

/** Verifies a delivery whose key is known. Returns null if the activity is to be ignored. */
async function verifyWithKey(
  ctx: Ctx,
  {
    delivery: { request, authentication },
    key,
    sender: { actor, isFollowed, isBlocked },
  }: { delivery: InboxDelivery; key: PublicKey; sender: Sender },
): Promise<VerifiedActivity | null> {
  const body = await decodeBody(request.body, headerValue(request.headers, 'content-encoding') ?? undefined)
  const document = parseDocument(body)
  const activity = readActivity(document, { now: ctx.now() })
  const forwardedBy = findForwarder({ activity, document, key }, authentication)
  if (isBlocked && !RETRACTION_TYPES.has(activity.type)) throw new ForbiddenError()
  if (!isActivityStreams(document)) return null
  return isAcceptedFrom(actor, activity) ? { activity, document, forwardedBy, isFollowed } : null
}

/** Verifies a delivery whose key is not stored. It decides as much as possible before it fetches the key. */
async function verifyWithFetchedKey(ctx: Ctx, delivery: InboxDelivery): Promise<VerifiedActivity | null> {
  const { request, authentication, ip } = delivery
  const { signature, host, keyError } = authentication
  const { keyId } = signature
  const fetchKeyAndSender = async () => {
    if (keyError) throw keyError
    const isSigned = ({ publicKey }: PublicKey) => isSignedBy(signature, { request, publicKey })
    const key = await fetchKey(ctx, { keyId, ip, isSignedBy: isSigned })
    return { delivery, key, sender: await findSender(ctx, { keyId, host }) }
  }
  if (!isWithinLimits(request.body, UNVERIFIED_SENDER_LIMITS)) return verifyWithKey(ctx, await fetchKeyAndSender())

  const document = parseDocument(request.body, UNVERIFIED_SENDER_LIMITS)
  const activity = readActivityHead(document)
  if (!isForwarded(activity, { document, keyId })) checkSameOrigin(activity, { keyId })
  const actor = await findKnownActor(ctx, { uri: activity.actor })
  if (await isHandleBlocked(ctx, { host, actor })) throw new ForbiddenError()
  const isAboutActor = activity.objectId === activity.actor
  // The Delete or Update of an unknown account has no effect.
  if (!actor && isAboutActor && (activity.type === 'Delete' || activity.type === 'Update')) return null
  if (actor?.suspendedBy === 'local') return null
  const keyAndSender = await fetchKeyAndSender().catch(async (err: unknown) => {
    const isActorDelete = activity.type === 'Delete' && isAboutActor
    if (isActorDelete && err instanceof KeyNotFoundError && (await isActorGone(ctx, { uri: activity.actor, ip })))
      return null
    throw err
  })
  if (keyAndSender) return verifyWithKey(ctx, keyAndSender)
  if (actor && isAcceptedFrom(actor, activity)) {
    // Only the 410 proves the deletion. The sending host is unverified, so it is not marked as reachable.
    await storeActivity(ctx, {
      reachableHost: null,
      actorUri: activity.actor,
      deduplicationKey: deduplicationKeyOf(activity, { body: request.body, signature }),
      inboxAccountId: delivery.inboxAccountId,
      body: JSON.stringify(document),
    })
  }
  return null
}

/**
 * Returns the id of the actor that forwarded an activity; null if its own actor signed it.
 * @throws UnauthorizedError
 */
function findForwarder(
  { activity, document, key }: { activity: ParsedActivity; document: WireObject; key: PublicKey },
  { signature: { keyId } }: DeliveryAuthentication,
): string | null {
  const canBeForwarded = isForwarded(activity, { document, keyId })
  if (!canBeForwarded) checkSameOrigin(activity, { keyId })
  if (key.ownerUri === activity.actor) return null
  if (canBeForwarded) return key.ownerUri
  throw new UnauthorizedError('The key belongs to another actor')
}

function isAcceptedFrom(actor: KnownActor | null, { type }: ActivityHead): boolean {
  return actor === null || actor.suspendedBy === null || ACCEPTED_FROM_SUSPENDED[actor.suspendedBy].has(type)
}

/**
 * Returns whether an actor's own server responds with 410 Gone, which proves the deletion of the actor and nothing
 * else.
 */
async function isActorGone(ctx: Ctx, { uri, ip }: { uri: string; ip: string }): Promise<boolean> {
  const uses = keyFetchThrottles({ uri, ip })
  await countUses(ctx, uses)
  const budget = createBudget({ fetches: 1, timeoutMs: 5_000 })
  const isGone = await fetchDocument(ctx, { uri, budget }).then(
    () => false,
    (err: unknown) => err instanceof RemoteGoneError && err.isPermanent,
  )
  if (isGone) await refundUses(ctx, uses)
  return isGone
}

async function storeDirectActivity(
  ctx: Ctx,
  { delivery, isFollowed, ...received }: VerifiedActivity & { delivery: InboxDelivery },
): Promise<void> {
  const { activity, document } = await withLocalIds(ctx, received)
  const { request, inboxAccountId, authentication } = delivery
  const { host, signature } = authentication
  const relevance = isFollowed ? 'solicited' : await findRelevance(ctx, activity)
  if (relevance === 'unsolicited') await countUses(ctx, [{ throttle: UNSOLICITED_ACTIVITIES, key: host }])
  const interaction = readSignedInteraction(activity, { signature, request })
  const deduplicationKey =
    interaction?.deduplicationKey ?? deduplicationKeyOf(activity, { body: request.body, signature })
  const body = relevance === 'none' ? null : JSON.stringify(document)
  await storeActivity(ctx, {
    reachableHost: reachableHostOf(delivery),
    actorUri: activity.actor,
    deduplicationKey,
    countsInEachInbox: activity.type === 'Create' && !isPublic(activity),
    inboxAccountId,
    body,
    interaction,
  })
}

/** Returns whether an activity or its embedded object is addressed to the public. */
function isPublic({ to, cc, object }: ParsedActivity): boolean {
  const embedded = embeddedObject(object)
  const addressed = [embedded?.['to'], embedded?.['cc']].flatMap((value) => audienceOf(value, LIMITS.recipients))
  return [...to, ...cc, ...addressed].includes(PUBLIC)
}

/** Returns the host of the verified key, unless it was recently marked as reachable. */
function reachableHostOf({ authentication: { host, sender } }: InboxDelivery): string | null {
  return sender.isMarkedReachable ? null : host
}

/** Stores a forwarded activity with a key of its own, so that it never takes the place of the activity itself. */
async function storeForwardedActivity(
  ctx: Ctx,
  {
    delivery,
    activity,
    forwarderUri,
    isFollowed,
  }: VerifiedActivity & { delivery: InboxDelivery; forwarderUri: string },
): Promise<void> {
  const forwarded = await readForwarded(ctx, activity, { forwarderUri })
  if (!forwarded) return
  const { request, authentication } = delivery
  const { host, signature } = authentication
  if (!isFollowed) await countUses(ctx, [{ throttle: UNSOLICITED_ACTIVITIES, key: host }])
  const body: StoredBody = { forwarded }
  await storeActivity(ctx, {
    reachableHost: reachableHostOf(delivery),
    actorUri: forwarderUri,
    deduplicationKey: `forwarded:${deduplicationKeyOf(activity, { body: request.body, signature })}`,
    inboxAccountId: null,
    body: JSON.stringify(body),
  })
}

/**
 * Checks that the key, the actor and the activity have the same host: no server may act for the accounts of another
 * one.
 * @throws UnauthorizedError
 */
function checkSameOrigin({ id, actor }: ActivityHead, { keyId }: { keyId: string }): void {
  if (!isSameHost(keyId, actor)) throw new UnauthorizedError('The key is not one of the actor’s server')
  if (id !== null && !isSameHost(id, actor))
    throw new UnauthorizedError('The activity is not one of the actor’s server')
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/**
 * Decodes the content coding of a delivery, up to the size limit of documents.
 * @throws PayloadTooLargeError · BadRequestError · RequestError 415 for combined and unsupported codings
 */
async function decodeBody(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return body
  if (!Object.hasOwn(DECODERS, coding)) throw new RequestError(415, 'The content encoding is not supported')
  try {
    return await DECODERS[coding as keyof typeof DECODERS](body, { maxOutputLength: MAX_DOCUMENT_BYTES })
  } catch (err) {
    throw (err as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      ? new PayloadTooLargeError()
      : new BadRequestError()
  }
}
