import { recordRemoteAccount } from '../../domain/accounts/record-remote.ts'
import { removeRemoteAccount } from '../../domain/accounts/remove-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { Postponed } from '../../platform/jobs/postponed.ts'
import { hostOf, idOf } from '../wire/read.ts'
import { refuseHost } from './ask.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { proveActor } from './prove-actor.ts'
import type { ActorToProve } from './prove-actor.ts'
import { isForeseen, RemoteGone, RemoteRefusal } from './refusals.ts'
import type { Finger } from './webfinger.ts'

/** What is known of somebody is asked for again after a day, when it matters, and not twice within an hour. */
const FRESH_HOURS = 24
const PAUSE_HOURS = 1

/** Somebody who is known here, by their address. */
export interface KnownActor {
  id: string
  username: string
  /** Null: of here. */
  domain: string | null
  /** By whom; null: by nobody. */
  suspendedBy: 'us' | 'origin' | null
}

const find = statement<{ params: { uri: string }; row: KnownActor }>(
  `select id, username, domain, case when suspended_at is null then null when suspended_by_origin then 'origin' else 'us' end
     as "suspendedBy"
   from accounts where uri = $uri`,
)
// Whoever moves the date on is the one who asks; if nothing comes of it, the date is a day old again in an hour.
const claimRefresh = statement<{ params: { knownId: string; now: Date }; row: { id: string } }>(
  `update accounts set refreshed_at = $now::timestamptz - make_interval(hours => ${FRESH_HOURS - PAUSE_HOURS})
   where id = $knownId and (refreshed_at is null or refreshed_at < $now::timestamptz - make_interval(hours => ${FRESH_HOURS}))
   returning id`,
)

export async function findKnownActor(ctx: Pick<Ctx, 'db'>, { uri }: { uri: string }): Promise<KnownActor | null> {
  const [known] = await find(ctx.db, { uri })
  return known ?? null
}

/**
 * The account of an actor: known here, or fetched, proven and recorded. Who is known is looked at again once a day.
 * @throws RemoteRefusal for hosts that are blocked, people who are suspended, and whatever can't be proven · what
 *   `fetchDocument` and `finger` throw
 */
export async function resolveActor(
  ctx: Ctx,
  { uri, budget, known: finger }: { uri: string; budget: Budget; known?: Finger },
): Promise<string> {
  const known = await findKnownActor(ctx, { uri })
  if (known && known.suspendedBy !== null) throw new RemoteRefusal(`${uri} is suspended`)
  if (known && known.domain === null) return known.id
  await refuseHost(ctx, uri)
  if (!known) return fetchOnce(ctx, { uri, budget, known: finger })
  // The domain of a handle may be another one than the host of its actor.
  await refuseHost(ctx, `https://${known.domain}/`)
  const now = ctx.now()
  if ((await claimRefresh(ctx.db, { knownId: known.id, now })).length > 0) {
    await fetchActor(ctx, { uri, budget }).catch(async (err: unknown) => forgetGone(ctx, { uri, err }))
  }
  return known.id
}

/** Somebody whose server says that they are gone for ever goes from here, too. @throws RemoteGone then */
async function forgetGone(ctx: Ctx, { uri, err }: { uri: string; err: unknown }): Promise<void> {
  if (err instanceof RemoteGone && err.forEver && err.url === uri) {
    await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
    throw err
  }
  if (!isForeseen(err)) throw err
  ctx.log.debug({ err, host: hostOf(uri) }, 'actor could not be refreshed')
}

interface Unknown {
  uri: string
  budget: Budget
  known: Finger | undefined
}

/** Many things at once may lead to the same stranger: they are asked for once. */
const underWay = new WeakMap<object, Map<string, Promise<string>>>()

async function fetchOnce(ctx: Ctx, input: Unknown): Promise<string> {
  let asked = underWay.get(ctx.fetcher)
  if (!asked) underWay.set(ctx.fetcher, (asked = new Map()))
  const present = asked.get(input.uri)
  if (present) return join(ctx, { present, ...input })
  const work = fetchUnlessKnown(ctx, input).finally(() => asked.delete(input.uri))
  asked.set(input.uri, work)
  return work
}

/** Waits for what somebody else asks for. If that is postponed, it is for reasons of theirs. */
async function join(ctx: Ctx, { present, ...input }: Unknown & { present: Promise<string> }): Promise<string> {
  const { background } = input.budget
  const wait = async () =>
    present.catch(async (err: unknown) => {
      if (!(err instanceof Postponed)) throw err
      return fetchUnlessKnown(ctx, input)
    })
  return background ? ctx.fetcher.join({ url: input.uri, background }, wait) : wait()
}

/** Others may have been done with it between the caller's look and this one. */
async function fetchUnlessKnown(ctx: Ctx, input: Unknown): Promise<string> {
  return (await findKnownActor(ctx, input))?.id ?? fetchActor(ctx, input)
}

/** Fetches an actor who lies exactly there, proves what they say and records it. @throws as `resolveActor` */
export async function fetchActor(
  ctx: Ctx,
  { uri, budget, known }: { uri: string; budget: Budget; known?: Finger | undefined },
): Promise<string> {
  const document = await fetchDocument(ctx, { uri, budget })
  if (idOf(document) !== uri) throw new RemoteRefusal(`${uri} is not the id of what lies there`)
  return recordActor(ctx, { document, budget, known })
}

/** Proves and records an actor whose document comes from its own server. @throws as `proveActor` */
export async function recordActor(ctx: Ctx, actor: ActorToProve): Promise<string> {
  const facts = await proveActor(ctx, actor)
  return ctx.write(async (tx) => {
    const { accountId } = await recordRemoteAccount(tx, facts)
    // Who only says that something has changed is not asked about the rest.
    if (!actor.current) tx.emit('account.fetched', { accountId })
    return accountId
  })
}
