import { sql } from 'kysely'
import { cpuCostPerItem } from '../measure/apply-load.ts'
import { createAuthor, createFollowersOnce } from '../setup/create-crowds.ts'
import { median } from '../report/median.ts'
import { post } from '../setup/post-status.ts'
import type { Limit, Row, Sample } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { waitFor, waitForJobs } from '../setup/wait-for.ts'

/** The number of posts per window. */
const POSTS = { full: 5, quick: 3 }

const POLL_MS = 2

/** The limit: the rows of one post, inserted by one statement without conditions. */
const INSERT: Limit = {
  title: 'as many rows by one plain insert',
  async measure(stage) {
    const followers = await createFollowersOnce(stage)
    const times: number[] = []
    const before = stage.readCpu()
    for (let n = 0; n < POSTS[stage.pace.name]; n += 1) {
      const { rows } = await sql<{ id: string }>`
        select id from statuses where reblog_of_id is null and deleted_at is null order by id limit 1 offset ${n}`.execute(
        stage.db,
      )
      const id = rows[0]!.id
      const start = performance.now()
      await sql`
        insert into feed_entries (account_id, status_id, original_id)
        select fan, ${id}, ${id} from unnest(${followers}::bigint[]) fan on conflict do nothing`.execute(stage.db)
      times.push(performance.now() - start)
      await sql`
        delete from feed_entries where status_id = ${id} and account_id = any(${followers}::bigint[])`.execute(stage.db)
    }
    const { databaseUs } = cpuCostPerItem({ before, after: stage.readCpu(), count: times.length * followers.length })
    return { ...summarise(times, followers.length), databaseUs }
  },
}

/** Measures the time from the response to a post until it is in the feeds of ten thousand followers. */
export function fanOut(): Row {
  let author: { accountId: string; token: string }
  let followers: string[] = []
  return {
    name: 'one post into 10,000 local feeds',
    goals: [{ of: 'p50', atMost: 150 }],
    limits: [INSERT],
    async prepare(stage) {
      followers = await createFollowersOnce(stage)
      author = await createAuthor(stage, { name: 'star', followerIds: followers })
      await measureOne(stage, { token: author.token, followers })
    },
    async measure(stage) {
      const times: number[] = []
      const before = stage.readCpu()
      for (let n = 0; n < POSTS[stage.pace.name]; n += 1) {
        times.push(await measureOne(stage, { token: author.token, followers }))
      }
      const cost = cpuCostPerItem({ before, after: stage.readCpu(), count: times.length * followers.length })
      return { ...summarise(times, followers.length), ...cost }
    },
  }
}

async function measureOne(
  stage: BenchStage,
  { token, followers }: { token: string; followers: readonly string[] },
): Promise<number> {
  const { id, at } = await post(stage, { token, text: 'A post of average length for very many followers.' })
  const last = followers.at(-1)!
  // Counting all entries while they are written would use the database's time.
  await waitFor('the last feed', () => hasEntry(stage, { id, accountId: last }), { pollMs: POLL_MS })
  await waitFor('all feeds', async () => (await countEntries(stage, id)) >= followers.length, { pollMs: POLL_MS })
  const ms = performance.now() - at
  await waitForJobs(stage)
  return ms
}

async function hasEntry({ db }: BenchStage, { id, accountId }: { id: string; accountId: string }): Promise<boolean> {
  const { rows } = await sql`select from feed_entries where account_id = ${accountId} and status_id = ${id}`.execute(db)
  return rows.length > 0
}

async function countEntries({ db }: BenchStage, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from feed_entries where status_id = ${id}`.execute(db)
  return rows[0]!.count
}

/** `rate` is rows per second. With so few posts, the slowest one is reported as the 99th percentile. */
function summarise(times: readonly number[], rows: number): Sample {
  const ms = median(times)
  return { rate: (rows * 1000) / ms, p50: ms, p99: Math.max(...times), failures: 0 }
}
