import { findCollection } from '../../domain/collections/find-collection.ts'
import type { Ctx } from '../../domain/context.ts'
import type { Remote, ResolvedObject } from '../../domain/ports.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { findVisibleStatus } from '../../domain/access/visibility.ts'
import { isActor } from '../objects/read/read-actor.ts'
import { isFeaturedCollection } from '../objects/read/read-collection.ts'
import { isNote } from '../objects/read/read-note.ts'
import { hostOf, idOf, isHttpUrl } from '../wire/read-values.ts'
import { findAccount, recheckHandle } from './actors/find-account.ts'
import { fetchActor, findKnownActor, recordActor, resolveActor } from './actors/resolve-actor.ts'
import { isLocalDomain } from './fetch/request-remote.ts'
import { createBudget } from './fetch/budget.ts'
import { recordCollection } from './statuses/record-collection.ts'
import { discoverDocument } from './fetch/discover-document.ts'
import { findByUrl } from './find-by-url.ts'
import { isExpectedFailure, LocalUrlError } from './fetch/remote-errors.ts'
import { refreshStatus } from './statuses/refresh-status.ts'
import { fetchNote, recordFetchedStatus } from './statuses/resolve-status.ts'

/** For requests of users who wait for the response. */
const TIMEOUT_MS = 15_000
const MAX_FETCHES = 30

/** For an account that is known already, which a server that does not respond must not delay for long. */
const RECHECK_TIMEOUT_MS = 5_000

/** Creates the port by which the domain layer queries remote servers. An expected failure counts as "not found". */
export function createRemote(ctx: () => Ctx): Remote {
  return {
    findAccount: async ({ timeoutMs = TIMEOUT_MS, ...handle }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs })
      return nullIfUnavailable(ctx(), findAccount(ctx(), { handle, budget }))
    },
    recheckAccount: async ({ accountId, ...handle }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: RECHECK_TIMEOUT_MS })
      return nullIfUnavailable(ctx(), recheckHandle(ctx(), { accountId, handle, budget }))
    },
    refreshAccount: async ({ uri }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
      return nullIfUnavailable(ctx(), fetchActor(ctx(), { uri, budget }))
    },
    refreshStatus: async ({ uri, timeoutMs }) => {
      const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs })
      return nullIfUnavailable(ctx(), refreshStatus(ctx(), { uri, budget }))
    },
    resolve: async (input) => nullIfUnavailable(ctx(), resolve(ctx(), input)),
  }
}

async function nullIfUnavailable<T>(ctx: Ctx, work: Promise<T | null>): Promise<T | null> {
  return work.catch((err: unknown) => {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Remote server did not respond')
    return null
  })
}

async function resolve(ctx: Ctx, { uri, viewerId }: { uri: string; viewerId: string }): Promise<ResolvedObject | null> {
  if (!isHttpUrl(uri)) return null
  // A short URL, for example, may redirect to an object of this server.
  const findRedirectTarget = async (err: unknown) => {
    if (err instanceof LocalUrlError) return findByUrl(ctx, { url: err.url })
    throw err
  }
  const found = (await findByUrl(ctx, { url: uri })) ?? (await fetchUnknown(ctx, uri).catch(findRedirectTarget))
  if (!found || found.kind === 'account') return found
  const find = found.kind === 'status' ? findVisibleStatus : findCollection
  return find(ctx, { id: found.id, viewerId }).then(
    () => found,
    (err: unknown) => {
      if (err instanceof NotFoundError) return null
      throw err
    },
  )
}

async function fetchUnknown(ctx: Ctx, uri: string): Promise<ResolvedObject | null> {
  const host = hostOf(uri)
  if (host === null || isLocalDomain(ctx, host)) return null
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
  const document = await discoverDocument(ctx, { url: uri, budget })
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
  return { kind: 'status', id: await recordFetchedStatus(ctx, { document: note, budget }) }
}
