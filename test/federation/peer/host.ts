import type { ServerResponse } from 'node:http'
import { createActor } from './actor.ts'
import type { ActorOptions, HostedActor, PeerActor } from './actor.ts'
import type { Behaviour, PeerResponse, PeerRequest } from './behaviour.ts'
import { createInbox } from './inbox.ts'
import type { Activity, PeerInbox, RejectedRequest } from './inbox.ts'
import { verifyRequest } from './verify-request.ts'
import type { KnownDocuments, LoadDocument, VerificationResult } from './verify-request.ts'
import type { PeerCall, PeerReply, ServerTarget } from './send-request.ts'

const DOCUMENT = 'application/activity+json'

interface CollectionOptions {
  /** The number of items per page; default: all items are in the collection itself. */
  pageSize?: number
  totalItems?: number
  type?: 'OrderedCollection' | 'Collection'
}

/** A fake server of the fediverse. */
export interface PeerHost {
  readonly name: string
  readonly origin: string
  readonly sharedInboxUrl: string
  /** The accepted activities for all actors of this host, in order. */
  readonly inbox: PeerInbox
  /** The rejected deliveries. */
  readonly rejected: readonly RejectedRequest[]
  /** All requests, in order, including those that a behaviour handled. */
  readonly requests: readonly PeerRequest[]
  /** The accepted signatures; the host answers others with 401. */
  acceptedSpecs: 'both' | 'cavage' | 'rfc9421'
  /** The actor that signs requests for the keys of senders; null: these requests are not signed. */
  keyFetcher: PeerActor | null
  /** Whether documents require a signed request. */
  requiresSignatures: boolean
  /** The software in NodeInfo. */
  software: { name: string; version: string }
  createActor(username: string, traits?: ActorOptions): Promise<PeerActor>
  /** Serves a document at its id, which must be on this host, and returns the document. */
  serve(document: Activity): Activity
  /** Serves a document, or the responses of a function, at a path. */
  serveAt(path: string, content: Activity | ((request: PeerRequest) => PeerResponse)): void
  /** Serves a collection, in pages if `pageSize` is set, and returns its id. */
  serveCollection(path: string, items: readonly unknown[], traits?: CollectionOptions): string
  /** Removes the document at a URL or path. */
  withdraw(where: string): void
  /**
   * Handles the next `times` requests whose path equals or matches `where` by this behaviour. The newest matching
   * behaviour applies.
   */
  behave(where: string | RegExp, behaviour: Behaviour, options?: { times?: number; method?: string }): void
  /** Removes all behaviours. */
  recover(): void
  /** Returns the number of requests for a path. */
  countRequests(where: string | RegExp, method?: string): number
}

interface HostEnvironment {
  call(call: PeerCall, via: ServerTarget | undefined): Promise<PeerReply>
  load: LoadDocument
  defaultInbox(): string
}

export interface ServingHost extends PeerHost {
  handle(request: PeerRequest, response: ServerResponse): Promise<void>
}

export function createHost(name: string, { call, load, defaultInbox }: HostEnvironment): ServingHost {
  const origin = `https://${name}`
  const actors = new Map<string, HostedActor>()
  const served = new Map<string, (request: PeerRequest) => PeerResponse>()
  const known: KnownDocuments = new Map()
  const inbox = createInbox(name)
  const rejected: RejectedRequest[] = []
  const requests: PeerRequest[] = []
  let behaviours: { where: string | RegExp; behaviour: Behaviour; remaining: number; method: string | undefined }[] = []

  const host: ServingHost = {
    name,
    origin,
    sharedInboxUrl: `${origin}/inbox`,
    inbox,
    rejected,
    requests,
    acceptedSpecs: 'both',
    keyFetcher: null,
    requiresSignatures: false,
    software: { name: 'peer', version: '1.0.0' },
    async createActor(username, options = {}) {
      const actor = await createActor({ origin, name, serve: host.serve, call, defaultInbox }, { ...options, username })
      actors.set(username, actor)
      host.serveAt(pathOf(actor.id), () => documentAnswer(actor.document))
      for (const list of ['outbox', 'followers', 'following', 'featured'])
        host.serveCollection(`/users/${username}/${list}`, [])
      return actor
    },
    serve(document) {
      const id = String(document['id'])
      if (!id.startsWith(`${origin}/`)) throw new Error(`${id} is not on ${name}`)
      host.serveAt(pathOf(id), document)
      return document
    },
    serveAt(path, content) {
      served.set(
        path,
        typeof content === 'function'
          ? (content as (request: PeerRequest) => PeerResponse)
          : () => documentAnswer(content),
      )
    },
    serveCollection(path, items, { pageSize, totalItems = items.length, type = 'OrderedCollection' } = {}) {
      const id = origin + path
      const list = type === 'Collection' ? 'items' : 'orderedItems'
      const head = { '@context': 'https://www.w3.org/ns/activitystreams', type, totalItems }
      const page = (number: number) => {
        const end = number * pageSize!
        return {
          ...head,
          id: `${id}?page=${number}`,
          type: `${type}Page`,
          partOf: id,
          [list]: items.slice(end - pageSize!, end),
          ...(end < items.length && { next: `${id}?page=${number + 1}` }),
        }
      }
      host.serveAt(path, ({ path: requestedPage }) => {
        const number = Number(new URL(origin + requestedPage).searchParams.get('page') ?? 0)
        if (pageSize && number > 0) return documentAnswer(page(number))
        return documentAnswer({ ...head, id, ...(pageSize ? { first: `${id}?page=1` } : { [list]: items }) })
      })
      return id
    },
    withdraw: (where) => void served.delete(where.startsWith('/') ? where : pathOf(where)),
    behave(where, behaviour, { times = Number.POSITIVE_INFINITY, method } = {}) {
      behaviours.unshift({ where, behaviour, remaining: times, method })
    },
    recover: () => void (behaviours = []),
    countRequests: (where, method) =>
      requests.filter((one) => matchesPath(where, one.path) && (method === undefined || one.method === method)).length,
    async handle(request, response) {
      requests.push(request)
      const respond = async (change: (answer: PeerResponse) => PeerResponse = (unchanged) => unchanged) => {
        const { status, headers, body } = change(await answerTo(request))
        if (!response.destroyed) response.writeHead(status, headers).end(body)
      }
      const rule = behaviours.find(
        ({ where, remaining, method }) =>
          remaining > 0 && matchesPath(where, request.path) && (method ?? request.method) === request.method,
      )
      if (!rule) return respond()
      rule.remaining -= 1
      await rule.behaviour({ request, response, respond })
    },
  }
  return host

  async function answerTo(request: PeerRequest): Promise<PeerResponse> {
    const { pathname, searchParams } = new URL(origin + request.path)
    if (request.method === 'POST') return receive(request, pathname)
    if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405 }
    if (pathname === '/.well-known/webfinger') return finger(searchParams.get('resource') ?? '')
    if (pathname === '/.well-known/nodeinfo') {
      const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.1'
      return jsonAnswer({ links: [{ rel, href: `${origin}/nodeinfo/2.1` }] })
    }
    if (pathname === '/nodeinfo/2.1')
      return jsonAnswer({ version: '2.1', software: host.software, protocols: ['activitypub'] })
    const respond = served.get(pathname)
    if (!respond) return { status: 404, body: 'not found' }
    if (host.requiresSignatures) {
      const result = await verify(request)
      if (!result.ok) return unauthorized(result.reason)
    }
    return respond(request)
  }

  async function receive(request: PeerRequest, path: string): Promise<PeerResponse> {
    const owner = [...actors.values()].find(({ inboxUrl }) => pathOf(inboxUrl) === path)
    if (!owner && path !== '/inbox') return { status: 404 }
    const result = await verify(request)
    if (!result.ok) {
      rejected.push({ reason: result.reason, request })
      return unauthorized(result.reason)
    }
    let activity: Activity
    try {
      activity = JSON.parse(String(request.body)) as Activity
    } catch {
      rejected.push({ reason: 'not JSON', request })
      return { status: 400 }
    }
    const received = { activity, keyId: result.keyId, spec: result.spec, request }
    inbox.put(received)
    for (const actor of owner ? [owner] : actors.values()) actor.put(received)
    return { status: 202 }
  }

  async function loadKey(url: string): Promise<unknown> {
    if (host.keyFetcher === null) return load(url)
    const { status, json } = await host.keyFetcher.get(url)
    if (status !== 200 || json === null) throw new Error(`${url} answered ${status}`)
    return json
  }

  async function verify(request: PeerRequest): Promise<VerificationResult> {
    const result = await verifyRequest(request, { origin, load: loadKey, known })
    if (!result.ok || host.acceptedSpecs === 'both' || host.acceptedSpecs === result.spec) return result
    return { ok: false, reason: `${result.spec} is not accepted here` }
  }

  function finger(resource: string): PeerResponse {
    const actor = [...actors.values()].find(({ id, handle }) => resource === id || resource === `acct:${handle}`)
    if (!actor) return { status: 404 }
    const links = [
      { rel: 'self', type: DOCUMENT, href: actor.id },
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `${origin}/@${actor.username}` },
    ]
    return {
      status: 200,
      headers: { 'content-type': 'application/jrd+json' },
      body: JSON.stringify({ subject: `acct:${actor.handle}`, aliases: [actor.id], links }),
    }
  }
}

const pathOf = (address: string): string => new URL(address).pathname

const matchesPath = (where: string | RegExp, path: string): boolean =>
  typeof where === 'string' ? where === path || where === path.replace(/\?.*$/, '') : where.test(path)

const documentAnswer = (document: unknown): PeerResponse => ({
  status: 200,
  headers: { 'content-type': DOCUMENT },
  body: JSON.stringify(document),
})

const jsonAnswer = (value: unknown): PeerResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

const unauthorized = (error: string): PeerResponse => ({ ...jsonAnswer({ error }), status: 401 })
