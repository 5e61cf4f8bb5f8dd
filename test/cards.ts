import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { PreviewCard } from '../src/entities/card.ts'
import type { Status } from '../src/entities/status.ts'
import type { PeerAnswer, PeerRequest } from './peer/behaviour.ts'
import type { Peer } from './peer.ts'
import type { Person, World } from './world.ts'

type Page = PeerAnswer | ((request: PeerRequest) => PeerAnswer | Promise<PeerAnswer>)

/** Pages of other sites, and statuses that link to them. */
export interface Cards {
  /** A page in HTML at an address of its own, or at this one. Returns the address. */
  serve(html: string, where?: { host?: string; path?: string; type?: string }): string
  /** Anything else there. */
  serveAt(url: string, answer: Page): string
  /** How often an address was asked for. */
  asked(url: string): number
  /** The id of a new status; with this text, once all is done that follows. */
  post(person: Person, status: string, more?: object): Promise<string>
  show(id: string, person?: Person): Promise<Status>
  cardOf(id: string, person?: Person): Promise<PreviewCard | null>
  /** What is shown of a page when somebody links to it. */
  cardFor(person: Person, url: string): Promise<PreviewCard | null>
}

export function openCards({ world, peer, host: usual }: { world: World; peer: Peer; host: string }): Cards {
  let count = 0
  const cards: Cards = {
    serve(html, { host = usual, path, type = 'text/html; charset=utf-8' } = {}) {
      count += 1
      const url = `https://${host}${path ?? `/page${count}`}`
      return cards.serveAt(url, { status: 200, headers: { 'content-type': type }, body: html })
    },
    serveAt(url, answer) {
      const { host, pathname } = new URL(url)
      peer.host(host).serveAt(pathname, typeof answer === 'function' ? answer : () => answer)
      return url
    },
    asked(url) {
      const { host, pathname } = new URL(url)
      return peer.host(host).countRequests(pathname)
    },
    async post(person, status, more = {}) {
      const answer = await person.client.post<Status>('/api/v1/statuses', { status, ...more })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await world.settle()
      return answer.body.id
    },
    async show(id, person) {
      return (await (person?.client ?? world.anonymous).get<Status>(`/api/v1/statuses/${id}`)).body
    },
    cardOf: async (id, person) => (await cards.show(id, person)).card,
    cardFor: async (person, url) => cards.cardOf(await cards.post(person, `look: ${url}`), person),
  }
  return cards
}

/** An answer with a picture of one colour. */
export async function pictureAnswer({ width, height }: { width: number; height: number }): Promise<PeerAnswer> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
  return { status: 200, headers: { 'content-type': 'image/png' }, body: await picture.png().toBuffer() }
}
