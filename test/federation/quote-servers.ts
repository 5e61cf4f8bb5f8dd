import assert from 'node:assert/strict'
import type { Status } from '../../src/entities/statuses/status.ts'
import { openFediverse } from './fediverse.ts'
import type { Fediverse } from './fediverse.ts'
import { PUBLIC } from './peer/actor.ts'
import type { PeerActor } from './peer/actor.ts'
import type { PeerHost } from './peer/host.ts'
import type { Activity } from './peer/inbox.ts'
import { assertEntity } from '../http/entities/entity-schemas.ts'
import type { TestUser } from '../servers/test-server.ts'

/** A local server and two remote ones whose accounts quote each other. */
export interface QuoteServers extends Fediverse {
  remote: PeerHost
  other: PeerHost
  makeActor(host?: PeerHost): Promise<PeerActor>
  /** Posts a status, and returns the entity in the response. */
  post(user: TestUser, body?: Record<string, unknown>): Promise<Status>
  readStatus(user: TestUser, id: string): Promise<Status>
  /** Returns the state of the quote in the status with this URI for a user; null if it shows no quote. */
  stateOf(user: TestUser, uri: unknown): Promise<string | null>
  /** Creates a request of an actor to quote a local status, with the quoting note. */
  requestQuote(actor: PeerActor, quoted: Status, note?: Record<string, unknown>): { note: Activity; request: Activity }
  /** Creates a remote note that every account may quote, and records it locally. Returns its local id. */
  recordNote(
    user: TestUser,
    author: PeerActor,
    fields?: Record<string, unknown>,
  ): Promise<{ id: string; note: Activity }>
  /** Serves the consent of an author to a quote, with the additional fields `more`; returns its URI. */
  serveAuthorization(author: PeerActor, quoting: unknown, quoted: unknown, more?: Record<string, unknown>): string
}

/** The policy of a note that every account may quote. */
export const ANYONE_MAY_QUOTE = { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } }

export async function openQuoteServers(): Promise<QuoteServers> {
  const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
  const { peer, findStatus } = fediverse
  const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
  const { keys } = await remote.createActor('first')
  let names = 0

  async function readStatus({ client }: TestUser, id: string): Promise<Status> {
    const { status, body } = await client.get(`/api/v1/statuses/${id}`)
    assert.equal(status, 200)
    assertEntity('Status', body)
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
    readStatus,
    async stateOf(user, uri) {
      const row = await findStatus(uri)
      assert.ok(row, `${String(uri)} was not recorded`)
      return (await readStatus(user, row.id)).quote?.state ?? null
    },
    requestQuote(actor, quoted, fields = {}) {
      const note = actor.note({ quote: quoted.uri, ...fields })
      return { note, request: actor.activity('QuoteRequest', quoted.uri, { instrument: note }) }
    },
    async recordNote(user, author, fields = {}) {
      const note = author.note({ ...ANYONE_MAY_QUOTE, ...fields })
      const { body } = await user.client.get('/api/v2/search', { q: note['id'], resolve: true, type: 'statuses' })
      assert.equal(body.statuses.length, 1)
      return { id: body.statuses[0].id, note }
    },
    serveAuthorization(author, quoting, quoted, more = {}) {
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
