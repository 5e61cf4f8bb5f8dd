import type { LoadWork, Requests } from '../load/work.ts'
import type { Pace } from '../measure/pace.ts'
import type { Child } from '../setup/start-child.ts'
import type { ComparedServer } from './compared-server.ts'
import type { RemoteAuthors } from './remote-authors.ts'

/** What a window of a row needs. */
export interface PeerStage {
  server: ComparedServer
  load: Child
  remote: RemoteAuthors
  pace: Pace
}

/** A row of the comparison: what the load process sends to a server. */
export interface PeerRow {
  name: string
  workOf(stage: PeerStage): LoadWork
  /** Whether other users post and favourite meanwhile. */
  duringWrites?: true
  /** Whether the row writes, so that its processor time includes the effects that follow the responses. */
  writes?: true
  /** Whether its rate includes these effects, too. */
  untilProcessed?: true
}

/** The number of client addresses of anonymous requests. */
const ADDRESSES = 4_000

/** The number of activities in a window. GoToSocial takes up to a tenth of a second for each. */
const ACTIVITIES = { full: 2_000, quick: 500 }

type PathsOf = (server: ComparedServer) => string[]

const asReader =
  (pathsOf: PathsOf): PeerRow['workOf'] =>
  ({ server }) =>
    get(server, { paths: pathsOf(server), tokens: server.readerTokens })

const asAnyone =
  (pathsOf: PathsOf): PeerRow['workOf'] =>
  ({ server }) =>
    get(server, { paths: pathsOf(server), addresses: ADDRESSES })

function get({ port }: ComparedServer, request: Pick<Requests, 'paths' | 'tokens' | 'addresses'>): LoadWork {
  return { kind: 'requests', port, method: 'GET', ...request }
}

const homeTimeline = asReader(() => ['/api/v1/timelines/home?limit=20'])

const sendActivities: PeerRow['workOf'] = ({ server, remote, pace }) => ({
  kind: 'activities',
  port: server.port,
  path: server.inboxPath,
  authors: remote.authors,
  count: ACTIVITIES[pace.name],
})

export const PEER_ROWS: readonly PeerRow[] = [
  { name: 'home timeline, 20', workOf: homeTimeline },
  { name: 'home timeline, 20, during writes', workOf: homeTimeline, duringWrites: true },
  {
    name: 'local public timeline, 20',
    workOf: asReader(() => ['/api/v1/timelines/public?local=true&limit=20']),
  },
  {
    name: 'account statuses, 20',
    workOf: asReader(({ authors }) => authors.map(({ id }) => `/api/v1/accounts/${id}/statuses?limit=20`)),
  },
  { name: 'notifications, 20', workOf: asReader(() => ['/api/v1/notifications?limit=20']) },
  {
    name: 'relationships, 20',
    workOf: asReader(({ authors }) => {
      const ids = authors.slice(0, 20).map(({ id }) => `id[]=${id}`)
      return [`/api/v1/accounts/relationships?${ids.join('&')}`]
    }),
  },
  {
    name: 'followers, 20',
    workOf: asReader(({ authors }) => authors.map(({ id }) => `/api/v1/accounts/${id}/followers?limit=20`)),
  },
  { name: 'verify_credentials', workOf: asReader(() => ['/api/v1/accounts/verify_credentials']) },
  { name: 'GET /api/v2/instance', workOf: asAnyone(() => ['/api/v2/instance']) },
  { name: 'actor', workOf: asAnyone((server) => server.authors.map((author) => server.actorPath(author))) },
  {
    name: 'WebFinger',
    workOf: asAnyone(({ authors, port }) =>
      authors.map(({ username }) => `/.well-known/webfinger?resource=acct:${username}@localhost:${port}`),
    ),
  },
  {
    name: 'POST status',
    workOf: ({ server }) => ({
      kind: 'requests',
      port: server.port,
      method: 'POST',
      paths: ['/api/v1/statuses'],
      tokens: server.readerTokens,
      posts: true,
    }),
    writes: true,
  },
  { name: 'inbox: signed Create(Note), accepted', workOf: sendActivities, writes: true },
  { name: 'inbox: the same, through to feeds', workOf: sendActivities, writes: true, untilProcessed: true },
]
