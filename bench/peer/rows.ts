import type { Requests } from '../load/work.ts'
import type { ComparedServer } from './compared-server.ts'

/** A row of the comparison: requests that a server answers repeatedly. */
export interface PeerRow {
  name: string
  requestsOf(server: ComparedServer): Omit<Requests, 'kind' | 'port'>
}

/** The number of client addresses of anonymous requests. */
const ADDRESSES = 4_000

const asReader =
  (pathsOf: (server: ComparedServer) => string[]): PeerRow['requestsOf'] =>
  (server) => ({ method: 'GET', paths: pathsOf(server), tokens: server.readerTokens })

const asAnyone =
  (pathsOf: (server: ComparedServer) => string[]): PeerRow['requestsOf'] =>
  (server) => ({ method: 'GET', paths: pathsOf(server), addresses: ADDRESSES })

export const PEER_ROWS: readonly PeerRow[] = [
  { name: 'home timeline, 20', requestsOf: asReader(() => ['/api/v1/timelines/home?limit=20']) },
  {
    name: 'local public timeline, 20',
    requestsOf: asReader(() => ['/api/v1/timelines/public?local=true&limit=20']),
  },
  {
    name: 'account statuses, 20',
    requestsOf: asReader(({ authors }) => authors.map(({ id }) => `/api/v1/accounts/${id}/statuses?limit=20`)),
  },
  {
    name: 'relationships, 20',
    requestsOf: asReader(({ authors }) => {
      const ids = authors.slice(0, 20).map(({ id }) => `id[]=${id}`)
      return [`/api/v1/accounts/relationships?${ids.join('&')}`]
    }),
  },
  {
    name: 'followers, 20',
    requestsOf: asReader(({ authors }) => authors.map(({ id }) => `/api/v1/accounts/${id}/followers?limit=20`)),
  },
  { name: 'verify_credentials', requestsOf: asReader(() => ['/api/v1/accounts/verify_credentials']) },
  { name: 'GET /api/v2/instance', requestsOf: asAnyone(() => ['/api/v2/instance']) },
  { name: 'actor', requestsOf: asAnyone((server) => server.authors.map((author) => server.actorPath(author))) },
  {
    name: 'WebFinger',
    requestsOf: asAnyone(({ authors, port }) =>
      authors.map(({ username }) => `/.well-known/webfinger?resource=acct:${username}@localhost:${port}`),
    ),
  },
  {
    name: 'POST status',
    requestsOf: (server) => ({
      method: 'POST',
      paths: ['/api/v1/statuses'],
      tokens: server.readerTokens,
      posts: true,
    }),
  },
]
