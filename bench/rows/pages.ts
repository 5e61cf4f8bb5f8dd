import { applyLoad } from '../measure/apply-load.ts'
import { COMMITS, FASTIFY, HTTP } from '../measure/limits.ts'
import type { Requests } from '../load/work.ts'
import { median } from '../report/median.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { waitForJobs } from '../setup/wait-for.ts'

/** The number of client addresses of anonymous requests. */
const ADDRESSES = 4_000

/** The number of requested actors: few, because the first request for each waits until its key is generated. */
const ACTORS = 20

/** The number of relationships in one request. */
const RELATIONSHIPS = 40

/** Prefixes and parts of names, as users type them. */
const WORDS = ['person1', 'person12', 'person3', 'ada', 'Birch', 'Kaori Q', 'mara j', 'tove', 'sto', 'person4321']

/** Search queries: common and rare words, phrases, operators, another script, and an absent word. */
const QUERIES = [
  'the',
  'rain',
  'clouds program',
  '"every mast a pencil"',
  'garten -quitten',
  'from:me the',
  'has:image kettle',
  'in:library kettle',
  '窓辺で天気',
  'nobodywrotethis',
]

/** Returns the rows of pages, which request one or several paths repeatedly. */
export function pages(): Row[] {
  const asUsers = (pathsOf: (stage: BenchStage) => string[]) => (stage: BenchStage) => ({
    paths: pathsOf(stage),
    tokens: stage.tokens,
  })
  const asAnonymous = (pathsOf: (stage: BenchStage) => string[]) => (stage: BenchStage) => ({
    paths: pathsOf(stage),
    addresses: ADDRESSES,
  })
  const actorsOf = ({ accountIds }: BenchStage) => accountIds.slice(0, ACTORS)
  return [
    page(
      'home timeline, 20',
      asUsers(() => ['/api/v1/timelines/home?limit=20']),
      {
        limits: [HTTP, FASTIFY],
        goals: [
          { of: 'share', atLeast: 0.12 },
          { of: 'p99', atMost: 30 },
        ],
      },
    ),
    page('home timeline, 20, any of its pages', async (stage) => ({
      paths: (await findCursors(stage)).map((id) => `/api/v1/timelines/home?limit=20&max_id=${id}`),
      tokens: stage.tokens,
    })),
    page(
      'local public timeline, 20',
      asAnonymous(() => ['/api/v1/timelines/public?local=true&limit=20']),
    ),
    page(
      'account statuses, 20',
      asAnonymous(({ accountIds }) => accountIds.map((id) => `/api/v1/accounts/${id}/statuses?limit=20`)),
    ),
    page(
      'notifications, 20',
      asUsers(() => ['/api/v1/notifications?limit=20']),
    ),
    page(
      'notifications in groups, 20',
      asUsers(() => ['/api/v2/notifications?limit=20']),
    ),
    page('relationships, 40', asUsers(relationshipPaths)),
    page(
      'followers, 40',
      asUsers(({ accountIds }) => accountIds.map((id) => `/api/v1/accounts/${id}/followers?limit=40`)),
    ),
    page(
      'account search, 40',
      asUsers(() => WORDS.map((word) => `/api/v1/accounts/search?q=${encodeURIComponent(word)}&limit=40`)),
    ),
    page(
      'status search, 20',
      asUsers(() => QUERIES.map((q) => `/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`)),
    ),
    page(
      'verify_credentials',
      asUsers(() => ['/api/v1/accounts/verify_credentials']),
      { limits: [HTTP, FASTIFY] },
    ),
    page(
      'GET /api/v2/instance',
      asAnonymous(() => ['/api/v2/instance']),
    ),
    page(
      'actor',
      asAnonymous((stage) => actorsOf(stage).map((id) => `/ap/users/${id}`)),
    ),
    page(
      'WebFinger',
      asAnonymous((stage) =>
        actorsOf(stage).map(
          (id) => `/.well-known/webfinger?resource=${encodeURIComponent(`${stage.origin}/ap/users/${id}`)}`,
        ),
      ),
    ),
  ]
}

type PageRequests = Pick<Requests, 'paths' | 'tokens' | 'addresses'>

function page(
  name: string,
  requestsOf: (stage: BenchStage) => PageRequests | Promise<PageRequests>,
  { limits = [HTTP], goals = [] }: Pick<Row, 'limits' | 'goals'> = {},
): Row {
  return {
    name,
    goals,
    limits,
    measure: async (stage) =>
      applyLoad(stage, { kind: 'requests', method: 'GET', port: stage.port, ...(await requestsOf(stage)) }),
  }
}

/** Returns ids spread over a feed, so many that the same page is rarely requested again. */
async function findCursors({ db, accountIds }: BenchStage): Promise<string[]> {
  const rows = await db
    .selectFrom('feed_entries')
    .select('status_id')
    .where('account_id', '=', accountIds[0]!)
    .orderBy('status_id', 'desc')
    .execute()
  const ids = rows.map((row) => row.status_id)
  // Every seventh id; 97 of them, because the number of accounts is not a multiple of 97.
  return ids.filter((_, n) => n % 7 === 0).slice(0, 97)
}

/** Returns paths for the relationships with different accounts. */
function relationshipPaths({ accountIds }: BenchStage): string[] {
  return accountIds.map((_, n) => {
    const ids = Array.from({ length: RELATIONSHIPS }, (_, k) => accountIds[(n + k * 7) % accountIds.length])
    return `/api/v1/accounts/relationships?${ids.map((id) => `id[]=${id}`).join('&')}`
  })
}

/** Measures posts by many users while the effects of earlier posts run. */
export function posts(): Row {
  const drainSeconds: number[] = []
  return {
    name: 'POST status',
    goals: [{ of: 'share', atLeast: 0.5 }],
    limits: [COMMITS],
    async measure(stage) {
      const { port, tokens } = stage
      const sample = await applyLoad(stage, {
        kind: 'requests',
        method: 'POST',
        port,
        paths: ['/api/v1/statuses'],
        tokens,
        posts: true,
      })
      const start = performance.now()
      await waitForJobs(stage)
      drainSeconds.push((performance.now() - start) / 1000)
      return sample
    },
    facts: () =>
      drainSeconds.length === 0
        ? []
        : [{ name: 'remaining effects of POST status', value: `done after ${median(drainSeconds).toFixed(1)} s` }],
  }
}
