import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { isExpectedFailure, isTemporary } from '../fetch/remote-errors.ts'
import { isLocalDomain } from '../fetch/request-remote.ts'
import { fetchActor, findKnownActor, isRefreshDue, refreshKnownActor, resolveActor } from './resolve-actor.ts'
import { isSameHandle, lookUpHandle } from './webfinger.ts'
import type { RemoteHandle, WebFingerResult } from './webfinger.ts'

interface HandleQuery {
  handle: RemoteHandle
  budget: FetchBudget
}

// Its own server may have ended a suspension, or begun anew, without an Update that arrived here.
const findRefreshable = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts
   where id = $accountId and domain is not null and (suspended_at is null or suspended_by_origin)`,
)

/**
 * Returns the id of the account with a remote handle, which is fetched if it is unknown; null if there is none.
 * @throws what `lookUpHandle` and `resolveActor` throw
 */
export async function findAccount(ctx: Ctx, { handle, budget }: HandleQuery): Promise<string | null> {
  if (isLocalDomain(ctx, handle.domain)) return null
  const named = await findNamedActor(ctx, { handle, budget })
  return named && recordNamedActor(ctx, { named, budget })
}

/**
 * Checks once a day whether a known account still has its handle, and refreshes it. Returns the id of the account that
 * has the handle now; that of the known one if its server names no other, does not respond, or it is not due.
 * @throws RemoteGoneError if the account was deleted on its server
 */
export async function recheckHandle(
  ctx: Ctx,
  { accountId, handle, budget }: HandleQuery & { accountId: string },
): Promise<string> {
  const [account] = await findRefreshable(ctx.db, { accountId })
  if (!account || !(await isRefreshDue(ctx, { accountId }))) return accountId
  const { uri } = account
  let named: WebFingerResult | null = null
  try {
    named = await findNamedActor(ctx, { handle, budget })
    if (named && named.actorUri !== uri) return (await recordNamedActor(ctx, { named, budget })) ?? accountId
  } catch (err) {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err, accountId }, 'The handle of an account could not be checked')
    if (isTemporary(err)) return accountId
  }
  await refreshKnownActor(ctx, { uri, budget, known: named ?? undefined })
  return accountId
}

/** Returns the actor that WebFinger names for a handle, which may redirect once; null if it redirects more often. */
async function findNamedActor(ctx: Ctx, { handle, budget }: HandleQuery): Promise<WebFingerResult | null> {
  const first = await lookUpHandle(ctx, { handle, budget })
  const named = first.isVerified ? first : await lookUpHandle(ctx, { handle: first.handle, budget })
  return named.isVerified ? named : null
}

/** Returns the id of an actor's account, if it has the handle under which WebFinger names it; otherwise null. */
async function recordNamedActor(
  ctx: Ctx,
  { named, budget }: { named: WebFingerResult; budget: FetchBudget },
): Promise<string | null> {
  const { actorUri: uri, handle } = named
  const id = await resolveActor(ctx, { uri, budget, known: named })
  if (await hasHandle(ctx, { uri, handle })) return id
  // The account is stored with another handle, which may be outdated.
  await fetchActor(ctx, { uri, budget, known: named })
  return (await hasHandle(ctx, { uri, handle })) ? id : null
}

async function hasHandle(ctx: Ctx, { uri, handle }: { uri: string; handle: RemoteHandle }): Promise<boolean> {
  const actor = await findKnownActor(ctx, { uri })
  return actor !== null && actor.domain !== null && isSameHandle({ ...actor, domain: actor.domain }, handle)
}
