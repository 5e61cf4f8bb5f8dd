import assert from 'node:assert/strict'
import type { Status } from '../src/entities/status.ts'
import { openFediverse } from './fediverse.ts'
import type { Fediverse } from './fediverse.ts'
import { PUBLIC } from './peer/actor.ts'
import type { PeerActor } from './peer/actor.ts'
import type { PeerHost } from './peer/host.ts'
import type { Activity } from './peer/inbox.ts'
import { assertOnWire } from './wire.ts'
import type { Person } from './world.ts'

/** A server of ours and two others whose people quote each other. */
export interface Quoting extends Fediverse {
  remote: PeerHost
  other: PeerHost
  makeActor(host?: PeerHost): Promise<PeerActor>
  /** Posts, and gives what the answer shows. */
  post(person: Person, body?: Record<string, unknown>): Promise<Status>
  see(person: Person, id: string): Promise<Status>
  /** The state of the quote in what lies at an address, as somebody sees it; null where none is shown. */
  stateOf(person: Person, uri: unknown): Promise<string | null>
  /** A request of an actor to quote something of here, with a note that says so. */
  ask(actor: PeerActor, quoted: Status, note?: Record<string, unknown>): { note: Activity; request: Activity }
  /** A note of somebody elsewhere that everybody may quote, known here by its id. */
  recordNote(
    person: Person,
    author: PeerActor,
    fields?: Record<string, unknown>,
  ): Promise<{ id: string; note: Activity }>
  /** Serves that an author agrees to a quote; gives the address. `more` joins the document. */
  serveConsent(author: PeerActor, quoting: unknown, quoted: unknown, more?: Record<string, unknown>): string
}

/** Whom everybody may quote. */
export const OPEN = { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } }

export async function openQuoting(): Promise<Quoting> {
  const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
  const { peer, findStatus } = fediverse
  const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
  const { keys } = await remote.createActor('first')
  let names = 0

  async function see({ client }: Person, id: string): Promise<Status> {
    const { status, body } = await client.get(`/api/v1/statuses/${id}`)
    assert.equal(status, 200)
    assertOnWire('Status', body)
    return body
  }

  return {
    ...fediverse,
    remote,
    other,
    makeActor: async (host = remote) => host.createActor(`actor${(names += 1)}`, { keys }),
    async post({ client }, body = {}) {
      const answer = await client.post('/api/v1/statuses', { status: 'hello', ...body })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    see,
    async stateOf(person, uri) {
      const row = await findStatus(uri)
      assert.ok(row, `${String(uri)} was not recorded`)
      return (await see(person, row.id)).quote?.state ?? null
    },
    ask(actor, quoted, fields = {}) {
      const note = actor.note({ quote: quoted.uri, ...fields })
      return { note, request: actor.activity('QuoteRequest', quoted.uri, { instrument: note }) }
    },
    async recordNote(person, author, fields = {}) {
      const note = author.note({ ...OPEN, ...fields })
      const { body } = await person.client.get('/api/v2/search', { q: note['id'], resolve: true, type: 'statuses' })
      assert.equal(body.statuses.length, 1)
      return { id: body.statuses[0].id, note }
    },
    serveConsent(author, quoting, quoted, more = {}) {
      const id = `${author.id}/stamps/${crypto.randomUUID()}`
      const host = id.startsWith(remote.origin) ? remote : other
      host.serve({
        '@context': 'https://www.w3.org/ns/activitystreams',
        id,
        type: 'QuoteAuthorization',
        attributedTo: author.id,
        interactingObject: quoting,
        interactionTarget: quoted,
        ...more,
      })
      return id
    },
  }
}
