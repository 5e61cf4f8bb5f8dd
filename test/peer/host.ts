import type { ServerResponse } from 'node:http'
import { createActor } from './actor.ts'
import type { ActorTraits, HousedActor, PeerActor } from './actor.ts'
import type { Behaviour, PeerAnswer, PeerRequest } from './behaviour.ts'
import { createInbox } from './inbox.ts'
import type { Activity, PeerInbox, Refused } from './inbox.ts'
import { judgeRequest } from './judge.ts'
import type { KnownDocuments, Load, Verdict } from './judge.ts'
import type { PeerCall, Reply, Via } from './reach.ts'

const DOCUMENT = 'application/activity+json'

interface CollectionTraits {
  /** How many items stand on a page; all of them stand in the collection itself where nothing is said. */
  pageSize?: number
  totalItems?: number
  type?: 'OrderedCollection' | 'Collection'
}

/** A fake server of the fediverse. */
export interface PeerHost {
  readonly name: string
  readonly origin: string
  readonly sharedInboxUrl: string
  /** Everything that was delivered to anybody here, in order. */
  readonly inbox: PeerInbox
  /** What was posted here and not let in. */
  readonly refused: readonly Refused[]
  /** Every request, in order, also those that were treated badly. */
  readonly requests: readonly PeerRequest[]
  /** Which signatures are understood. Others are answered with 401. */
  understands: 'both' | 'cavage' | 'rfc9421'
  /** Whether documents are given only to those who sign. */
  demandsSignatures: boolean
  /** What NodeInfo tells. */
  software: { name: string; version: string }
  createActor(username: string, traits?: ActorTraits): Promise<PeerActor>
  /** Serves a document at its id, which has to be on this host. Gives it back. */
  serve(document: Activity): Activity
  /** Serves something at a path: a document, or what a function says. */
  serveAt(path: string, what: Activity | ((request: PeerRequest) => PeerAnswer)): void
  /** Serves a collection, in pages if there is a size of page. Gives its id. */
  serveCollection(path: string, items: readonly unknown[], traits?: CollectionTraits): string
  /** Stops serving what was at an address or a path. */
  withdraw(where: string): void
  /**
   * From now on, requests whose path is this text or fits this pattern are dealt with so, `times` times. The newest
   * behaviour that fits counts.
   */
  behave(where: string | RegExp, behaviour: Behaviour, options?: { times?: number; method?: string }): void
  /** Everything is as usual again. */
  recover(): void
  /** How often a path was asked for. */
  countRequests(where: string | RegExp, method?: string): number
}

interface HostHome {
  call(call: PeerCall, via: Via | undefined): Promise<Reply>
  load: Load
  defaultInbox(): string
}

export interface ServingHost extends PeerHost {
  handle(request: PeerRequest, response: ServerResponse): Promise<void>
}

export function createHost(name: string, { call, load, defaultInbox }: HostHome): ServingHost {
  const origin = `https://${name}`
  const actors = new Map<string, HousedActor>()
  const served = new Map<string, (request: PeerRequest) => PeerAnswer>()
  const known: KnownDocuments = new Map()
  const inbox = createInbox(name)
  const refused: Refused[] = []
  const requests: PeerRequest[] = []
  let habits: { where: string | RegExp; behaviour: Behaviour; left: number; method: string | undefined }[] = []

  const host: ServingHost = {
    name,
    origin,
    sharedInboxUrl: `${origin}/inbox`,
    inbox,
    refused,
    requests,
    understands: 'both',
    demandsSignatures: false,
    software: { name: 'peer', version: '1.0.0' },
    async createActor(username, traits = {}) {
      const actor = await createActor({ origin, name, serve: host.serve, call, defaultInbox }, { ...traits, username })
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
    serveAt(path, what) {
      served.set(
        path,
        typeof what === 'function' ? (what as (request: PeerRequest) => PeerAnswer) : () => documentAnswer(what),
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
      host.serveAt(path, ({ path: asked }) => {
        const number = Number(new URL(origin + asked).searchParams.get('page') ?? 0)
        if (pageSize && number > 0) return documentAnswer(page(number))
        return documentAnswer({ ...head, id, ...(pageSize ? { first: `${id}?page=1` } : { [list]: items }) })
      })
      return id
    },
    withdraw: (where) => void served.delete(where.startsWith('/') ? where : pathOf(where)),
    behave(where, behaviour, { times = Number.POSITIVE_INFINITY, method } = {}) {
      habits.unshift({ where, behaviour, left: times, method })
    },
    recover: () => void (habits = []),
    countRequests: (where, method) =>
      requests.filter((one) => fits(where, one.path) && (method === undefined || one.method === method)).length,
    async handle(request, response) {
      requests.push(request)
      const respond = async (change: (answer: PeerAnswer) => PeerAnswer = (same) => same) => {
        const { status, headers, body } = change(await answerTo(request))
        if (!response.destroyed) response.writeHead(status, headers).end(body)
      }
      const habit = habits.find(
        ({ where, left, method }) =>
          left > 0 && fits(where, request.path) && (method ?? request.method) === request.method,
      )
      if (!habit) return respond()
      habit.left -= 1
      await habit.behaviour({ request, response, respond })
    },
  }
  return host

  async function answerTo(request: PeerRequest): Promise<PeerAnswer> {
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
    const give = served.get(pathname)
    if (!give) return { status: 404, body: 'nothing here' }
    if (host.demandsSignatures) {
      const verdict = await judge(request)
      if (!verdict.ok) return unauthorized(verdict.reason)
    }
    return give(request)
  }

  async function receive(request: PeerRequest, path: string): Promise<PeerAnswer> {
    const owner = [...actors.values()].find(({ inboxUrl }) => pathOf(inboxUrl) === path)
    if (!owner && path !== '/inbox') return { status: 404 }
    const verdict = await judge(request)
    if (!verdict.ok) {
      refused.push({ reason: verdict.reason, request })
      return unauthorized(verdict.reason)
    }
    let activity: Activity
    try {
      activity = JSON.parse(String(request.body)) as Activity
    } catch {
      refused.push({ reason: 'not JSON', request })
      return { status: 400 }
    }
    const received = { activity, keyId: verdict.keyId, spec: verdict.spec, request }
    inbox.put(received)
    for (const actor of owner ? [owner] : actors.values()) actor.put(received)
    return { status: 202 }
  }

  async function judge(request: PeerRequest): Promise<Verdict> {
    const verdict = await judgeRequest(request, { origin, load, known })
    if (!verdict.ok || host.understands === 'both' || host.understands === verdict.spec) return verdict
    return { ok: false, reason: `${verdict.spec} is not understood here` }
  }

  function finger(resource: string): PeerAnswer {
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

const fits = (where: string | RegExp, path: string): boolean =>
  typeof where === 'string' ? where === path || where === path.replace(/\?.*$/, '') : where.test(path)

const documentAnswer = (document: unknown): PeerAnswer => ({
  status: 200,
  headers: { 'content-type': DOCUMENT },
  body: JSON.stringify(document),
})

const jsonAnswer = (value: unknown): PeerAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

const unauthorized = (error: string): PeerAnswer => ({ ...jsonAnswer({ error }), status: 401 })
