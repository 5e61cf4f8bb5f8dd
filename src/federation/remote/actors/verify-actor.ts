import { isIP } from 'node:net'
import type { RemoteAccountFacts } from '../../../domain/accounts/remote/record-remote-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import { createAddressFilter } from '../../../platform/fetch/address-filter.ts'
import { FetchRefusedError } from '../../../platform/fetch/fetch-errors.ts'
import { parseRequestUrl } from '../../../platform/fetch/parse-request-url.ts'
import { readActor } from '../../objects/read/read-actor.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { isSameHost } from '../../wire/read-values.ts'
import { checkHostAllowed } from '../fetch/request-remote.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { RemoteError } from '../fetch/remote-errors.ts'
import { lookUpHandle, isSameHandle } from './webfinger.ts'
import type { WebFingerResult, RemoteHandle } from './webfinger.ts'

export interface ActorToVerify {
  document: WireObject
  budget: FetchBudget
  /** The WebFinger result of a lookup that was just made. */
  known?: WebFingerResult | undefined
  /** The handle that was verified before. If the actor still claims it, it is not looked up again. */
  current?: RemoteHandle | undefined
}

/**
 * Verifies an actor's document: that its inbox is reachable, and that the domain of its handle names this actor in
 * WebFinger. Drops the URLs of collections and keys that are on another host.
 * @throws InvalidDocumentError · RemoteError · what `lookUpHandle` throws
 */
export async function verifyActor(
  ctx: Ctx,
  { document, budget, known, current }: ActorToVerify,
): Promise<RemoteAccountFacts> {
  const { handle: claimedHandle, ...parsedActor } = readActor(document, { now: ctx.now() })
  await checkHostAllowed(ctx, parsedActor.uri)
  if (!isReachable(ctx, parsedActor.inboxUrl)) throw new RemoteError(`${parsedActor.uri} has no reachable inbox`)
  const isCurrent = current !== undefined && isSameHandle(claimedHandle, current)
  const handle = isCurrent
    ? current
    : await verifyHandle(ctx, { claimed: claimedHandle, actorUri: parsedActor.uri, budget, known })
  const sameHostUrl = (url: string | null) => (url !== null && isSameHost(url, parsedActor.uri) ? url : null)
  const { sharedInboxUrl } = parsedActor
  return {
    ...parsedActor,
    handle,
    handleProven: !isCurrent,
    sharedInboxUrl: sharedInboxUrl !== null && isReachable(ctx, sharedInboxUrl) ? sharedInboxUrl : null,
    outboxUrl: sameHostUrl(parsedActor.outboxUrl),
    followersUrl: sameHostUrl(parsedActor.followersUrl),
    followingUrl: sameHostUrl(parsedActor.followingUrl),
    featuredUrl: sameHostUrl(parsedActor.featuredUrl),
    featuredTagsUrl: sameHostUrl(parsedActor.featuredTagsUrl),
    // A key with an id on another host would take the place of that host's key.
    keys: parsedActor.keys.filter(({ id }) => isSameHost(id, parsedActor.uri)),
    hideCollections: null,
    statusesCount: null,
    followersCount: null,
    followingCount: null,
  }
}

/** Returns the handle that WebFinger gives for the claimed one, which may differ: the domain is authoritative. */
async function verifyHandle(
  ctx: Ctx,
  {
    claimed,
    actorUri,
    budget,
    known,
  }: { claimed: RemoteHandle; actorUri: string; budget: FetchBudget; known: WebFingerResult | undefined },
): Promise<RemoteHandle> {
  const lookUp = async (handle: RemoteHandle) =>
    known?.isVerified && isSameHandle(known.handle, handle) ? known : lookUpHandle(ctx, { handle, budget })
  const first = await lookUp(claimed)
  const result = first.isVerified ? first : await lookUp(first.handle)
  if (!result.isVerified) throw new RemoteError(`${actorUri} has a handle that redirects more than once`)
  if (result.actorUri !== actorUri) throw new RemoteError(`The handle of ${actorUri} belongs to another actor`)
  return result.handle
}

/**
 * Returns whether a delivery to this URL may be attempted. Hostnames that resolve to private addresses are only
 * detected at the attempt.
 */
function isReachable({ config }: Ctx, address: string): boolean {
  try {
    const { hostname, host } = parseRequestUrl(address, { allowHttp: false, ports: [443], testHosts: config.testHosts })
    const name = hostname.replace(/^\[|\]$/g, '')
    if (isIP(name) !== 0) return createAddressFilter(config.allowedPrivateAddresses)(name)
    return name.includes('.') && !name.endsWith('.localhost') && canonicalDomain(host) !== null
  } catch (err) {
    if (err instanceof FetchRefusedError) return false
    throw err
  }
}
