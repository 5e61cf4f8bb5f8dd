import { applyLoad } from '../apply-load.ts'
import { COMMITS, FASTIFY, HTTP } from '../limits.ts'
import type { Requests } from '../load/work.ts'
import { median } from '../median.ts'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'
import { waitForJobs } from '../wait.ts'

/** Addresses that anonymous requests seem to come from. */
const ADDRESSES = 4_000

/** Whose documents are asked for: few, because the first reader of each waits until its key is made. */
const ACTORS = 20

/** A page may ask for so many relationships. */
const RELATIONSHIPS = 40

/** Beginnings and parts of names, as people type them. */
const WORDS = ['person1', 'person12', 'person3', 'ada', 'Birch', 'Kaori Q', 'mara j', 'tove', 'sto', 'person4321']

/** What people look for in posts: common words and rare ones, phrases, operators, another writing, nothing that is there. */
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

/** Pages: the path, or paths, that are asked for again and again. */
export function pages(): Row[] {
  const asPeople = (pathsOf: (stage: Stage) => string[]) => (stage: Stage) => ({
    paths: pathsOf(stage),
    tokens: stage.tokens,
  })
  const asAnybody = (pathsOf: (stage: Stage) => string[]) => (stage: Stage) => ({
    paths: pathsOf(stage),
    addresses: ADDRESSES,
  })
  const actorsOf = ({ accountIds }: Stage) => accountIds.slice(0, ACTORS)
  return [
    page(
      'home timeline, 20',
      asPeople(() => ['/api/v1/timelines/home?limit=20']),
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
      asAnybody(() => ['/api/v1/timelines/public?local=true&limit=20']),
    ),
    page(
      'account statuses, 20',
      asAnybody(({ accountIds }) => accountIds.map((id) => `/api/v1/accounts/${id}/statuses?limit=20`)),
    ),
    page(
      'notifications, 20',
      asPeople(() => ['/api/v1/notifications?limit=20']),
    ),
    page(
      'notifications in groups, 20',
      asPeople(() => ['/api/v2/notifications?limit=20']),
    ),
    page('relationships, 40', asPeople(askRelationships)),
    page(
      'followers, 40',
      asPeople(({ accountIds }) => accountIds.map((id) => `/api/v1/accounts/${id}/followers?limit=40`)),
    ),
    page(
      'account search, 40',
      asPeople(() => WORDS.map((word) => `/api/v1/accounts/search?q=${encodeURIComponent(word)}&limit=40`)),
    ),
    page(
      'status search, 20',
      asPeople(() => QUERIES.map((q) => `/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`)),
    ),
    page(
      'verify_credentials',
      asPeople(() => ['/api/v1/accounts/verify_credentials']),
      { limits: [HTTP, FASTIFY] },
    ),
    page(
      'GET /api/v2/instance',
      asAnybody(() => ['/api/v2/instance']),
    ),
    page(
      'actor',
      asAnybody((stage) => actorsOf(stage).map((id) => `/ap/users/${id}`)),
    ),
    page(
      'WebFinger',
      asAnybody((stage) =>
        actorsOf(stage).map(
          (id) => `/.well-known/webfinger?resource=${encodeURIComponent(`${stage.origin}/ap/users/${id}`)}`,
        ),
      ),
    ),
  ]
}

type Asked = Pick<Requests, 'paths' | 'tokens' | 'addresses'>

function page(
  name: string,
  requestsOf: (stage: Stage) => Asked | Promise<Asked>,
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

/** Ids all over what feeds hold, so many that hardly anybody asks for the same page again. */
async function findCursors({ db, accountIds }: Stage): Promise<string[]> {
  const rows = await db
    .selectFrom('feed_entries')
    .select('status_id')
    .where('account_id', '=', accountIds[0]!)
    .orderBy('status_id', 'desc')
    .execute()
  const ids = rows.map((row) => row.status_id)
  // One in seven, and a number of them that the number of people is no multiple of.
  return ids.filter((_, n) => n % 7 === 0).slice(0, 97)
}

/** Each page asks about other people. */
function askRelationships({ accountIds }: Stage): string[] {
  return accountIds.map((_, n) => {
    const ids = Array.from({ length: RELATIONSHIPS }, (_, k) => accountIds[(n + k * 7) % accountIds.length])
    return `/api/v1/accounts/relationships?${ids.map((id) => `id[]=${id}`).join('&')}`
  })
}

/** Posts by many people, while the effects of the earlier ones are being done. */
export function posts(): Row {
  const left: number[] = []
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
      left.push((performance.now() - start) / 1000)
      return sample
    },
    facts: () =>
      left.length === 0
        ? []
        : [{ name: 'effects left after POST status', value: `done after ${median(left).toFixed(1)} s` }],
  }
}
