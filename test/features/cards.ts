import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { PreviewCard } from '../../src/entities/statuses/card.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import type { PeerResponse, PeerRequest } from '../federation/peer/behaviour.ts'
import type { Peer } from '../federation/peer/open-peer.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

type Page = PeerResponse | ((request: PeerRequest) => PeerResponse | Promise<PeerResponse>)

/** Pages of other sites, and statuses that link to them. */
export interface CardServer {
  /** Serves an HTML page, by default at a new path, and returns its URL. */
  serve(html: string, where?: { host?: string; path?: string; type?: string }): string
  /** Serves any response at a URL, and returns the URL. */
  serveAt(url: string, answer: Page): string
  /** Returns the number of requests for a URL. */
  requestsFor(url: string): number
  /** Posts a status, waits for its effects, and returns its id. */
  post(user: TestUser, status: string, more?: object): Promise<string>
  show(id: string, user?: TestUser): Promise<Status>
  cardOf(id: string, user?: TestUser): Promise<PreviewCard | null>
  /** Posts a status that links to a page, and returns its card. */
  cardFor(user: TestUser, url: string): Promise<PreviewCard | null>
}

export function openCardServer({
  testServer,
  peer,
  host: defaultHost,
}: {
  testServer: TestServer
  peer: Peer
  host: string
}): CardServer {
  let count = 0
  const cards: CardServer = {
    serve(html, { host = defaultHost, path, type = 'text/html; charset=utf-8' } = {}) {
      count += 1
      const url = `https://${host}${path ?? `/page${count}`}`
      return cards.serveAt(url, { status: 200, headers: { 'content-type': type }, body: html })
    },
    serveAt(url, answer) {
      const { host, pathname } = new URL(url)
      peer.host(host).serveAt(pathname, typeof answer === 'function' ? answer : () => answer)
      return url
    },
    requestsFor(url) {
      const { host, pathname } = new URL(url)
      return peer.host(host).countRequests(pathname)
    },
    async post(user, status, more = {}) {
      const answer = await user.client.post<Status>('/api/v1/statuses', { status, ...more })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await testServer.waitForJobs()
      return answer.body.id
    },
    async show(id, user) {
      return (await (user?.client ?? testServer.anonymous).get<Status>(`/api/v1/statuses/${id}`)).body
    },
    cardOf: async (id, user) => (await cards.show(id, user)).card,
    cardFor: async (user, url) => cards.cardOf(await cards.post(user, `look: ${url}`), user),
  }
  return cards
}

/** Returns a response with an image of one colour. */
export async function imageResponse({ width, height }: { width: number; height: number }): Promise<PeerResponse> {
  const image = sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
  return { status: 200, headers: { 'content-type': 'image/png' }, body: await image.png().toBuffer() }
}
