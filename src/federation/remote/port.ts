import { findCollection } from '../../domain/collections/find.ts'
import type { Ctx } from '../../domain/context.ts'
import type { Remote, Resolved } from '../../domain/ports.ts'
import { NotFound } from '../../lib/errors.ts'
import { findVisibleStatus } from '../../domain/statuses/visibility.ts'
import { isActor } from '../objects/read-actor.ts'
import { isFeaturedCollection } from '../objects/read-collection.ts'
import { isNote } from '../objects/read-note.ts'
import { hostOf, idOf, isAddress } from '../wire/read.ts'
import { fetchActor, findKnownActor, recordActor, resolveActor } from './actor.ts'
import { isOurs } from './ask.ts'
import { createBudget } from './budget.ts'
import type { Budget } from './budget.ts'
import { recordCollection } from './collection.ts'
import { fetchDocument } from './document.ts'
import { findByPage } from './find-by-page.ts'
import { isForeseen } from './refusals.ts'
import { renewStatus } from './renew-status.ts'
import { fetchNote, recordFound } from './status.ts'
import { finger, isSameHandle } from './webfinger.ts'
import type { RemoteHandle } from './webfinger.ts'

/** For a person who waits for the answer. */
const TIMEOUT_MS = 15_000
const MAX_FETCHES = 30

/** The way in which the rest of the program asks other servers. Whatever goes wrong there means: nothing was found. */
export function createRemote(ctx: () => Ctx): Remote {
  return {
    findAccount: async ({ timeoutMs = TIMEOUT_MS, ...handle }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs })
      return orNothing(ctx(), findAccount(ctx(), { handle, budget }))
    },
    renew: async ({ uri }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
      return orNothing(ctx(), fetchActor(ctx(), { uri, budget }))
    },
    renewStatus: async ({ uri, timeoutMs }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs })
      return orNothing(ctx(), renewStatus(ctx(), { uri, budget }))
    },
    resolve: async (input) => orNothing(ctx(), resolve(ctx(), input)),
  }
}

async function orNothing<T>(ctx: Ctx, work: Promise<T | null>): Promise<T | null> {
  return work.catch((err: unknown) => {
    if (!isForeseen(err)) throw err
    ctx.log.debug({ err }, 'remote server did not respond')
    return null
  })
}

async function findAccount(
  ctx: Ctx,
  { handle, budget }: { handle: RemoteHandle; budget: Budget },
): Promise<string | null> {
  if (isOurs(ctx, handle.domain)) return null
  const first = await finger(ctx, { handle, budget })
  const known = first.isProven ? first : await finger(ctx, { handle: first.handle, budget })
  if (!known.isProven) return null
  const { actorUri: uri } = known
  const id = await resolveActor(ctx, { uri, budget, known })
  if (await hasHandle(ctx, { uri, handle: known.handle })) return id
  // Known under another handle, which may be out of date.
  await fetchActor(ctx, { uri, budget, known })
  return (await hasHandle(ctx, { uri, handle: known.handle })) ? id : null
}

async function hasHandle(ctx: Ctx, { uri, handle }: { uri: string; handle: RemoteHandle }): Promise<boolean> {
  const actor = await findKnownActor(ctx, { uri })
  return actor !== null && actor.domain !== null && isSameHandle({ ...actor, domain: actor.domain }, handle)
}

async function resolve(ctx: Ctx, { uri, viewerId }: { uri: string; viewerId: string }): Promise<Resolved | null> {
  if (!isAddress(uri)) return null
  const found = (await findByPage(ctx, { url: uri })) ?? (await fetchUnknown(ctx, uri))
  if (!found || found.kind === 'account') return found
  const find = found.kind === 'status' ? findVisibleStatus : findCollection
  return find(ctx, { id: found.id, viewerId }).then(
    () => found,
    (err: unknown) => {
      if (err instanceof NotFound) return null
      throw err
    },
  )
}

async function fetchUnknown(ctx: Ctx, uri: string): Promise<Resolved | null> {
  const host = hostOf(uri)
  if (host === null || isOurs(ctx, host)) return null
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
  const document = await fetchDocument(ctx, { uri, budget })
  if (isActor(document)) {
    const id = idOf(document)!
    const known = await findKnownActor(ctx, { uri: id })
    const accountId = known
      ? await resolveActor(ctx, { uri: id, budget })
      : await recordActor(ctx, { document, budget })
    return { kind: 'account', id: accountId }
  }
  if (isFeaturedCollection(document)) {
    const actor = idOf(document['attributedTo'])
    if (actor === null) return null
    const owner = { actor, accountId: await resolveActor(ctx, { uri: actor, budget }) }
    return { kind: 'collection', id: await recordCollection(ctx, { document, owner, budget }) }
  }
  const note = isNote(document) ? document : await fetchNote(ctx, { uri: idOf(document)!, budget })
  return { kind: 'status', id: await recordFound(ctx, { document: note, budget }) }
}
