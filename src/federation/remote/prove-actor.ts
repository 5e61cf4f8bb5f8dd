import { isIP } from 'node:net'
import type { RemoteAccountFacts } from '../../domain/accounts/record-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { createAddressGuard } from '../../platform/fetch/addresses.ts'
import { FetchRefused } from '../../platform/fetch/refusals.ts'
import { readTarget } from '../../platform/fetch/target.ts'
import { readActor } from '../objects/read-actor.ts'
import type { WireObject } from '../wire/normalise.ts'
import { isSameHost } from '../wire/read.ts'
import { refuseHost } from './ask.ts'
import type { Budget } from './budget.ts'
import { RemoteRefusal } from './refusals.ts'
import { finger, isSameHandle } from './webfinger.ts'
import type { Finger, RemoteHandle } from './webfinger.ts'

export interface ActorToProve {
  document: WireObject
  budget: Budget
  /** What the domain of a handle has just answered. */
  known?: Finger | undefined
  /** The handle that was proven before: one who still claims that is not asked for it again. */
  current?: RemoteHandle | undefined
}

/**
 * Checks what an actor's document says of itself, as far as it can be checked: that it can be reached, and that the
 * domain of its handle names this very actor.
 * @throws Unreadable · RemoteRefusal · what `finger` throws
 */
export async function proveActor(
  ctx: Ctx,
  { document, budget, known, current }: ActorToProve,
): Promise<RemoteAccountFacts> {
  const { handle: claimed, ...facts } = readActor(document, { now: ctx.now() })
  await refuseHost(ctx, facts.uri)
  if (!isReachable(ctx, facts.inboxUrl)) throw new RemoteRefusal(`${facts.uri} has no inbox that could be reached`)
  const isCurrent = current !== undefined && isSameHandle(claimed, current)
  const handle = isCurrent ? current : await proveHandle(ctx, { claimed, actorUri: facts.uri, budget, known })
  const own = (url: string | null) => (url !== null && isSameHost(url, facts.uri) ? url : null)
  const { sharedInboxUrl } = facts
  return {
    ...facts,
    handle,
    handleProven: !isCurrent,
    sharedInboxUrl: sharedInboxUrl !== null && isReachable(ctx, sharedInboxUrl) ? sharedInboxUrl : null,
    outboxUrl: own(facts.outboxUrl),
    followersUrl: own(facts.followersUrl),
    followingUrl: own(facts.followingUrl),
    featuredUrl: own(facts.featuredUrl),
    // Under the id of another server's key it would only stand in that key's way.
    keys: facts.keys.filter(({ id }) => isSameHost(id, facts.uri)),
    hideCollections: null,
    statusesCount: null,
    followersCount: null,
    followingCount: null,
  }
}

/** The handle that the domain gives to the actor which claims one. It may be another: the domain knows best. */
async function proveHandle(
  ctx: Ctx,
  {
    claimed,
    actorUri,
    budget,
    known,
  }: { claimed: RemoteHandle; actorUri: string; budget: Budget; known: Finger | undefined },
): Promise<RemoteHandle> {
  const ask = async (handle: RemoteHandle) =>
    known?.isProven && isSameHandle(known.handle, handle) ? known : finger(ctx, { handle, budget })
  const first = await ask(claimed)
  const answer = first.isProven ? first : await ask(first.handle)
  if (!answer.isProven) throw new RemoteRefusal(`${actorUri} is led from handle to handle`)
  if (answer.actorUri !== actorUri) throw new RemoteRefusal(`The handle of ${actorUri} is somebody else's`)
  return answer.handle
}

/** Whether a delivery to this address could be tried; a name that leads to a private address is met when it is. */
function isReachable({ config }: Ctx, address: string): boolean {
  try {
    const { hostname, host } = readTarget(address, { allowHttp: false, ports: [443], testHosts: config.testHosts })
    const name = hostname.replace(/^\[|\]$/g, '')
    if (isIP(name) !== 0) return createAddressGuard(config.allowedPrivateAddresses)(name)
    return name.includes('.') && !name.endsWith('.localhost') && canonicalDomain(host) !== null
  } catch (err) {
    if (err instanceof FetchRefused) return false
    throw err
  }
}
