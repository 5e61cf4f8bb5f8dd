import { recordRemoteAccount } from '../../../domain/accounts/remote/record-remote-account.ts'
import { removeRemoteAccount } from '../../../domain/accounts/remote/remove-remote-account.ts'
import type { Ctx, Tx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { PostponedError } from '../../../platform/jobs/postponed-error.ts'
import { hostOf, idOf } from '../../wire/read-values.ts'
import { checkHostAllowed } from '../fetch/request-remote.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { verifyActor } from './verify-actor.ts'
import type { ActorToVerify } from './verify-actor.ts'
import { isExpectedFailure, RemoteGoneError, RemoteError } from '../fetch/remote-errors.ts'
import type { WebFingerResult } from './webfinger.ts'

/**
 * A known actor is refreshed when it is needed and its data are a day old; a failed refresh is retried after an hour.
 */
export const REFRESH_AFTER_HOURS = 24
const RETRY_HOURS = 1

/** An account that is stored on this server, local or remote. */
export interface KnownActor {
  id: string
  username: string
  /** Null for a local account. */
  domain: string | null
  /** Whether this server (`local`) or the account's own server (`remote`) suspended it; null if it is not suspended. */
  suspendedBy: 'local' | 'remote' | null
}

const find = statement<{ params: { uri: string }; row: KnownActor }>(
  `select id, username, domain,
     case when suspended_at is null then null when suspended_by_origin then 'remote' else 'local' end as "suspendedBy"
   from accounts where uri = $uri`,
)
// The process that updates the date does the refresh. The new date expires after an hour, so that a failed refresh is
// retried then.
const claimRefresh = statement<{ params: { knownId: string; now: Date }; row: { id: string } }>(
  `update accounts set refreshed_at = $now::timestamptz - make_interval(hours => ${REFRESH_AFTER_HOURS - RETRY_HOURS})
   where id = $knownId and (refreshed_at is null
     or refreshed_at < $now::timestamptz - make_interval(hours => ${REFRESH_AFTER_HOURS}))
   returning id`,
)

/** Returns the stored account of an actor; null if there is none. */
export async function findKnownActor(ctx: Pick<Ctx, 'db'>, { uri }: { uri: string }): Promise<KnownActor | null> {
  const [known] = await find(ctx.db, { uri })
  return known ?? null
}

/**
 * Returns the id of an actor's account. An unknown actor is fetched, verified and recorded; a known one is refreshed at
 * most once a day.
 * @throws RemoteError for blocked hosts, suspended accounts, and actors that cannot be verified · what `fetchDocument`
 *   and `lookUpHandle` throw
 */
export async function resolveActor(
  ctx: Ctx,
  { uri, budget, known: webfingerResult }: { uri: string; budget: FetchBudget; known?: WebFingerResult },
): Promise<string> {
  const known = await findKnownActor(ctx, { uri })
  if (known && known.suspendedBy !== null) throw new RemoteError(`${uri} is suspended`)
  if (known && known.domain === null) return known.id
  await checkHostAllowed(ctx, uri)
  if (!known) return fetchOnce(ctx, { uri, budget, known: webfingerResult })
  // The domain of a handle may be another one than the host of its actor.
  await checkHostAllowed(ctx, `https://${known.domain}/`)
  if (await isRefreshDue(ctx, { accountId: known.id })) await refreshKnownActor(ctx, { uri, budget })
  return known.id
}

/** Returns whether the caller is to refresh an account now; other callers then get false for an hour. */
export async function isRefreshDue(ctx: Ctx, { accountId }: { accountId: string }): Promise<boolean> {
  return (await claimRefresh(ctx.db, { knownId: accountId, now: ctx.now() })).length > 0
}

/**
 * Fetches a known actor again; a failure changes nothing. `known`: the WebFinger result of a lookup that was just made.
 * @throws RemoteGoneError if its server responded with 410 Gone; the account is deleted then
 */
export async function refreshKnownActor(
  ctx: Ctx,
  input: { uri: string; budget: FetchBudget; known?: WebFingerResult | undefined },
): Promise<void> {
  const { uri } = input
  await fetchActor(ctx, input).catch(async (err: unknown) => handleRefreshFailure(ctx, { uri, err }))
}

async function handleRefreshFailure(ctx: Ctx, { uri, err }: { uri: string; err: unknown }): Promise<void> {
  if (err instanceof RemoteGoneError && err.isPermanent && err.url === uri) {
    await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
    throw err
  }
  if (!isExpectedFailure(err)) throw err
  ctx.log.debug({ err, host: hostOf(uri) }, 'Actor could not be refreshed')
}

interface UnknownActor {
  uri: string
  budget: FetchBudget
  known: WebFingerResult | undefined
}

/** Running fetches by URI: many jobs may need the same unknown actor at once, which is fetched once. */
const inFlightFetches = new WeakMap<object, Map<string, Promise<string>>>()

async function fetchOnce(ctx: Ctx, input: UnknownActor): Promise<string> {
  let inFlight = inFlightFetches.get(ctx.fetcher)
  if (!inFlight) inFlightFetches.set(ctx.fetcher, (inFlight = new Map()))
  const existing = inFlight.get(input.uri)
  if (existing) return joinFetch(ctx, { existing, ...input })
  const work = fetchUnlessKnown(ctx, input).finally(() => inFlight.delete(input.uri))
  inFlight.set(input.uri, work)
  return work
}

/** Waits for a fetch that another caller started. If that is postponed because of its sender, starts another one. */
async function joinFetch(
  ctx: Ctx,
  { existing, ...input }: UnknownActor & { existing: Promise<string> },
): Promise<string> {
  const { background } = input.budget
  const wait = async () =>
    existing.catch(async (err: unknown) => {
      if (!(err instanceof PostponedError)) throw err
      return fetchUnlessKnown(ctx, input)
    })
  return background ? ctx.fetcher.joinRequest({ url: input.uri, background }, wait) : wait()
}

/** Fetches an actor, unless another process recorded it after the caller's query. */
async function fetchUnlessKnown(ctx: Ctx, input: UnknownActor): Promise<string> {
  return (await findKnownActor(ctx, input))?.id ?? fetchActor(ctx, input)
}

/** Fetches, verifies and records an actor whose id is exactly `uri`. @throws as `resolveActor` */
export async function fetchActor(
  ctx: Ctx,
  {
    uri,
    ...options
  }: { uri: string; budget: FetchBudget; known?: WebFingerResult | undefined; isMoveTarget?: boolean },
): Promise<string> {
  const document = await fetchDocument(ctx, { uri, budget: options.budget })
  if (idOf(document) !== uri) throw new RemoteError(`${uri} is not the id of the object at this URL`)
  return recordActor(ctx, { document, ...options })
}

/**
 * Verifies and records an actor whose document comes from its own server, and before it an unknown account that it has
 * moved to. `isMoveTarget`: another actor has moved to this one; where it has moved itself is not followed. `isOutdated`:
 * whether a later document has been received.
 * @throws as `verifyActor`; RemoteError for an outdated document
 */
export async function recordActor(
  ctx: Ctx,
  {
    isMoveTarget = false,
    isOutdated = async () => false,
    ...actor
  }: ActorToVerify & { isMoveTarget?: boolean; isOutdated?: (tx: Tx) => Promise<boolean> },
): Promise<string> {
  const verifiedActor = await verifyActor(ctx, actor)
  const { uri, movedTo } = verifiedActor
  if (movedTo !== null && movedTo !== uri && !isMoveTarget)
    await recordMoveTarget(ctx, { uri: movedTo, budget: actor.budget })
  return ctx.write(async (tx) => {
    const isSigned = actor.current !== undefined
    const { accountId } = await recordRemoteAccount(tx, { ...verifiedActor, isSigned })
    // Documents of an actor that are recorded later wait for this transaction.
    if (await isOutdated(tx)) throw new RemoteError(`A later document of ${uri} has been received`)
    // After an Update, its counters and pinned statuses are not fetched again.
    if (!actor.current) tx.emit('account.fetched', { accountId })
    return accountId
  })
}

/**
 * Fetches the account that an actor has moved to, unless it is known. It does not join a fetch that is in progress,
 * which might be waiting for this one: two actors may name each other.
 */
async function recordMoveTarget(ctx: Ctx, { uri, budget }: { uri: string; budget: FetchBudget }): Promise<void> {
  if ((await findKnownActor(ctx, { uri })) !== null) return
  await fetchActor(ctx, { uri, budget, isMoveTarget: true }).catch((err: unknown) => {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'The account to which another one moved could not be fetched')
  })
}
