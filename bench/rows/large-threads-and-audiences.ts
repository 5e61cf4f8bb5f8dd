import { sql } from 'kysely'
import { CommandError } from '../../src/cli/command-error.ts'
import { cpuCostPerItem } from '../measure/apply-load.ts'
import { createAuthor, createRemoteFollowers } from '../setup/create-crowds.ts'
import { median } from '../report/median.ts'
import { post } from '../setup/post-status.ts'
import type { Fact, Limit, Row, Sample } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { waitForJobs } from '../setup/wait-for.ts'

const REPLIES = 10_000

/** The number of remote followers, on `HOSTS` servers. */
const FOLLOWERS = { full: 1_000_000, quick: 100_000 }
const HOSTS = 100

const QUIET_MS = 2_000

/** Measures repeated requests for the home timeline while `work` runs. @throws CommandError if one is rejected */
async function readHomeDuring(stage: BenchStage, work: Promise<unknown>): Promise<Sample> {
  let running = true
  const end = work.finally(() => (running = false))
  const times: number[] = []
  const start = performance.now()
  const before = stage.readCpu()
  while (running) {
    const at = performance.now()
    await read(stage, {
      path: '/api/v1/timelines/home?limit=20',
      token: stage.tokens[times.length % stage.tokens.length]!,
    })
    times.push(performance.now() - at)
  }
  await end
  const cost = cpuCostPerItem({ before, after: stage.readCpu(), count: times.length })
  const rate = (times.length * 1000) / (performance.now() - start)
  return {
    rate,
    p50: median(times),
    p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!,
    ...cost,
    failures: 0,
  }
}

async function read({ port }: BenchStage, { path, token }: { path: string; token: string }): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.text()
  if (!answer.ok) throw new CommandError(`GET ${path} failed with ${answer.status}: ${body}`)
  return body
}

const UNDISTURBED: Limit = {
  title: 'while nothing else is done',
  measure: (stage) => readHomeDuring(stage, new Promise((resolve) => setTimeout(resolve, QUIET_MS))),
}

/** Measures the effect on other users when a user reads a thread of ten thousand replies. */
export function largeThread(): Row {
  let path: string
  const times: number[] = []
  let bytes = 0
  return {
    name: `home timeline while a thread of ${REPLIES.toLocaleString('en')} replies is read`,
    limits: [UNDISTURBED],
    async prepare(stage) {
      const root = await post(stage, { token: stage.tokens[0]!, text: 'The first post of a long thread' })
      await sql`
        insert into statuses (account_id, uri, url, content, visibility, local, in_reply_to_id, in_reply_to_account_id,
          conversation_id)
        select (${stage.accountIds}::bigint[])[1 + n % ${stage.accountIds.length}::int], 'https://giant.test/' || n, '',
          '<p>Reply number ' || n || ' of very many, of average length.</p>', 'public', true, s.id, s.account_id,
          s.conversation_id
        from statuses s, generate_series(1, ${REPLIES}::int) n where s.id = ${root.id}`.execute(stage.db)
      await sql`insert into status_stats (status_id) select id from statuses where in_reply_to_id = ${root.id}
        on conflict do nothing`.execute(stage.db)
      await sql`analyze statuses, status_stats`.execute(stage.db)
      path = `/api/v1/statuses/${root.id}/context`
    },
    measure: (stage) => {
      const work = async () => {
        for (let n = 0; n < 3; n += 1) {
          const at = performance.now()
          bytes = (await read(stage, { path, token: stage.tokens[n + 1]! })).length
          times.push(performance.now() - at)
        }
      }
      return readHomeDuring(stage, work())
    },
    facts: () => [
      { name: 'the thread itself', value: `${median(times).toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB` },
    ],
  }
}

/** Measures the effect on other users of a post to a million followers on a hundred remote servers. */
export function largeAudience(): Row {
  const responseTimes: number[] = []
  const deliveryTimes: number[] = []
  let author: { accountId: string; token: string }
  let size = 0
  return {
    name: 'home timeline while one of very many followers posts',
    limits: [UNDISTURBED],
    async prepare(stage) {
      size = FOLLOWERS[stage.pace.name]
      author = await createAuthor(stage, { name: 'giant', followerIds: [] })
      await createRemoteFollowers(stage, { accountId: author.accountId, count: size, hosts: HOSTS })
    },
    measure: (stage) => {
      const work = async () => {
        const start = performance.now()
        const { at } = await post(stage, { token: author.token, text: 'To all followers.' })
        responseTimes.push(at - start)
        await waitForJobs(stage)
        deliveryTimes.push(performance.now() - start)
      }
      return readHomeDuring(stage, work())
    },
    facts: (): Fact[] => [
      {
        name: `a post to ${size.toLocaleString('en')} followers on ${HOSTS} servers`,
        value: `answered after ${median(responseTimes).toFixed(0)} ms, delivered to all after ${(median(deliveryTimes) / 1000).toFixed(1)} s`,
      },
    ],
  }
}
