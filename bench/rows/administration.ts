import { sql } from 'kysely'
import { SERVER_DIMENSION_KEYS } from '../../src/domain/metrics/read-dimensions.ts'
import { SERVER_MEASURE_KEYS, TAG_MEASURE_KEYS } from '../../src/domain/metrics/read-measures.ts'
import { cpuCostPerItem, applyLoad } from '../measure/apply-load.ts'
import { HTTP } from '../measure/limits.ts'
import type { Row } from '../measure/row.ts'
import { createAccountsOfHost, createStaff } from '../setup/create-crowds.ts'
import { SUSPENDED_HOST } from '../setup/open-sink.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { waitForJobs } from '../setup/wait-for.ts'

/** The number of administrators, among whom the requests are divided, so that no rate limit is reached. */
const STAFF = 100

/** The number of accounts of the suspended domain. */
const SUSPENDED_ACCOUNTS = 10_000

const MEASURED_DAYS = 90

/** Queries of the list of accounts: without filters, with each kind of filter, and with several. */
const ACCOUNT_QUERIES = [
  'origin=local&status=active',
  'origin=remote',
  'status=suspended',
  'permissions=staff',
  'username=person12',
  'display_name=Ada',
  'email=person7',
  'ip=198.18.0.0/16',
  'origin=local&status=active&username=person&email=person1',
]

/** Measures pages of the list of all accounts (the large dataset has 200,000), with one filter after the other. */
export function adminAccounts(): Row {
  let tokens: string[] = []
  return {
    name: 'admin accounts, 100',
    limits: [HTTP],
    async prepare(stage) {
      tokens = await createStaff(stage, { name: 'lister', count: STAFF })
    },
    measure: (stage) =>
      applyLoad(stage, {
        kind: 'requests',
        method: 'GET',
        port: stage.port,
        paths: ACCOUNT_QUERIES.map((query) => `/api/v2/admin/accounts?limit=100&${query}`),
        tokens,
      }),
  }
}

/** Measures each measure of the server and of its most used hashtag over 90 days, one request at a time. */
export function adminMeasures(): Row {
  return dashboardRow(
    { name: 'admin measures over 90 days', path: '/api/v1/admin/measures', staff: 'measurer' },
    (tagId) => [
      ...SERVER_MEASURE_KEYS.map((key) => ({ keys: [key] })),
      ...TAG_MEASURE_KEYS.map((key) => ({ keys: [key], [key]: { id: tagId } })),
    ],
  )
}

/** Measures each dimension of the server over 90 days, one request at a time. */
export function adminDimensions(): Row {
  return dashboardRow(
    { name: 'admin dimensions over 90 days', path: '/api/v1/admin/dimensions', staff: 'analyst' },
    () => SERVER_DIMENSION_KEYS.map((key) => ({ keys: [key], limit: 10 })),
  )
}

/** Measures the retention of the users who signed up within 90 days, by days and by months, one request at a time. */
export function adminRetention(): Row {
  return dashboardRow({ name: 'admin retention over 90 days', path: '/api/v1/admin/retention', staff: 'counter' }, () =>
    ['day', 'month'].map((frequency) => ({ frequency })),
  )
}

function dashboardRow(
  { name, path, staff }: { name: string; path: string; staff: string },
  keysOf: (tagId: string) => object[],
): Row {
  let tokens: string[] = []
  let bodies: string[] = []
  return {
    name,
    goals: [{ of: 'p99', atMost: 100 }],
    async prepare(stage) {
      tokens = await createStaff(stage, { name: staff, count: STAFF })
      const { rows } = await sql<{ tag_id: string; start_at: Date; end_at: Date }>`
        select tag_id, now() - (${MEASURED_DAYS} - 1) * interval '1 day' as start_at, now() as end_at
        from status_tags group by tag_id order by count(*) desc limit 1`.execute(stage.db)
      const { tag_id: tagId, start_at, end_at } = rows[0]!
      bodies = keysOf(tagId).map((keys) => JSON.stringify({ ...keys, start_at, end_at }))
    },
    measure: (stage) =>
      applyLoad(
        stage,
        { kind: 'requests', method: 'POST', port: stage.port, paths: [path], bodies, tokens },
        { connections: 1 },
      ),
  }
}

/** Measures the suspension of a domain with 10,000 followed accounts, until all effects are done; then removes it. */
export function domainSuspension(): Row {
  const undoSeconds: number[] = []
  let token = ''
  return {
    name: 'suspension of a domain with 10,000 accounts',
    async prepare(stage) {
      ;[token] = (await createStaff(stage, { name: 'suspender', count: 1 })) as [string]
      await createAccountsOfHost(stage, { name: 'resident', host: SUSPENDED_HOST, count: SUSPENDED_ACCOUNTS })
    },
    async measure(stage) {
      await acceptFollows(stage)
      const before = stage.readCpu()
      const start = performance.now()
      const block = await request(stage, {
        method: 'POST',
        token,
        body: { domain: SUSPENDED_HOST, severity: 'suspend' },
      })
      await waitForJobs(stage)
      const seconds = (performance.now() - start) / 1000
      const cost = cpuCostPerItem({ before, after: stage.readCpu(), count: SUSPENDED_ACCOUNTS })
      const missing = await countUnsuspended(stage)
      const undone = performance.now()
      await request(stage, { method: 'DELETE', token, path: `/${block.id}` })
      await waitForJobs(stage)
      undoSeconds.push((performance.now() - undone) / 1000)
      return { rate: SUSPENDED_ACCOUNTS / seconds, ...cost, failures: missing }
    },
    facts: () =>
      undoSeconds.length === 0
        ? []
        : [
            {
              name: 'undo of the suspension of a domain with 10,000 accounts',
              value: `done after ${Math.max(...undoSeconds).toFixed(1)} s at worst`,
            },
          ],
  }
}

/**
 * Turns the follow requests that the last round's undo sent into follows, as if the remote servers had accepted them, so
 * that each round ends the same follows.
 * @throws Error if an account of the domain has no follower
 */
async function acceptFollows({ db }: BenchStage): Promise<void> {
  await sql`
    with requested as (
      delete from follow_requests r using accounts t where t.id = r.target_account_id and t.domain = ${SUSPENDED_HOST}
      returning r.account_id, r.target_account_id, r.show_reblogs, r.notify, r.languages, r.uri
    ), accepted as (
      insert into follows (account_id, target_account_id, show_reblogs, notify, languages, uri)
      select * from requested returning account_id, target_account_id
    ), counts as (
      select id, count(*) filter (where is_follower)::int as following, count(*) filter (where not is_follower)::int as followers
      from accepted, lateral (values (account_id, true), (target_account_id, false)) side (id, is_follower) group by id
    )
    update account_stats s set following_count = s.following_count + c.following,
      followers_count = s.followers_count + c.followers
    from counts c where s.account_id = c.id`.execute(db)
  const { rows } = await sql<{ n: number }>`
    select count(distinct f.target_account_id)::int as n from follows f join accounts t on t.id = f.target_account_id
    where t.domain = ${SUSPENDED_HOST}`.execute(db)
  const followed = rows[0]!.n
  if (followed < SUSPENDED_ACCOUNTS) throw new Error(`Only ${followed} accounts of the domain are followed`)
}

async function countUnsuspended({ db }: BenchStage): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from accounts where domain = ${SUSPENDED_HOST} and suspended_at is null`.execute(db)
  return rows[0]!.n
}

async function request(
  { port }: BenchStage,
  { method, token, path = '', body }: { method: string; token: string; path?: string; body?: object },
): Promise<{ id: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/admin/domain_blocks${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}
