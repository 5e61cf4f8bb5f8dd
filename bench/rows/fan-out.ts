import { sql } from 'kysely'
import { costOf } from '../apply-load.ts'
import { createAuthor, gatherFans } from '../crowds.ts'
import { median } from '../median.ts'
import { post } from '../post.ts'
import type { Limit, Row, Sample } from '../row.ts'
import type { Stage } from '../stage.ts'
import { waitFor, waitForJobs } from '../wait.ts'

/** For one window. */
const POSTS = { full: 5, quick: 3 }

const LOOK_MS = 2

/** The rows of one post, written by one statement that asks nothing. */
const INSERT: Limit = {
  title: 'as many rows by one plain insert',
  async measure(stage) {
    const fans = await gatherFans(stage)
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
        select fan, ${id}, ${id} from unnest(${fans}::bigint[]) fan on conflict do nothing`.execute(stage.db)
      times.push(performance.now() - start)
      await sql`
        delete from feed_entries where status_id = ${id} and account_id = any(${fans}::bigint[])`.execute(stage.db)
    }
    const { databaseUs } = costOf({ before, after: stage.readCpu(), count: times.length * fans.length })
    return { ...summarise(times, fans.length), databaseUs }
  },
}

/** From the answer to a post until it stands in the feed of each of ten thousand followers. */
export function fanOut(): Row {
  let author: { accountId: string; token: string }
  let fans: string[] = []
  return {
    name: 'one post into 10,000 local feeds',
    goals: [{ of: 'p50', atMost: 150 }],
    limits: [INSERT],
    async prepare(stage) {
      fans = await gatherFans(stage)
      author = await createAuthor(stage, { name: 'star', followerIds: fans })
      await measureOne(stage, { token: author.token, fans })
    },
    async measure(stage) {
      const times: number[] = []
      const before = stage.readCpu()
      for (let n = 0; n < POSTS[stage.pace.name]; n += 1) {
        times.push(await measureOne(stage, { token: author.token, fans }))
      }
      const cost = costOf({ before, after: stage.readCpu(), count: times.length * fans.length })
      return { ...summarise(times, fans.length), ...cost }
    },
  }
}

async function measureOne(stage: Stage, { token, fans }: { token: string; fans: readonly string[] }): Promise<number> {
  const { id, at } = await post(stage, { token, text: 'A post for very many, of usual length and nothing special.' })
  const last = fans.at(-1)!
  // To ask for all of them while they are being written would take the database's time.
  await waitFor('the last feed', () => hasEntry(stage, { id, accountId: last }), { lookMs: LOOK_MS })
  await waitFor('all feeds', async () => (await countEntries(stage, id)) >= fans.length, { lookMs: LOOK_MS })
  const ms = performance.now() - at
  await waitForJobs(stage)
  return ms
}

async function hasEntry({ db }: Stage, { id, accountId }: { id: string; accountId: string }): Promise<boolean> {
  const { rows } = await sql`select from feed_entries where account_id = ${accountId} and status_id = ${id}`.execute(db)
  return rows.length > 0
}

async function countEntries({ db }: Stage, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from feed_entries where status_id = ${id}`.execute(db)
  return rows[0]!.count
}

/** `rate` is rows in a second; of so few the worst stands for the 99th percentile. */
function summarise(times: readonly number[], rows: number): Sample {
  const ms = median(times)
  return { rate: (rows * 1000) / ms, p50: ms, p99: Math.max(...times), failures: 0 }
}
