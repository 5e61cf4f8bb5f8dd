import { sql } from 'kysely'
import { Halt } from '../../src/cli/failure.ts'
import { costOf } from '../apply-load.ts'
import { createAuthor, createFollowersElsewhere } from '../crowds.ts'
import { median } from '../median.ts'
import { post } from '../post.ts'
import type { Fact, Limit, Row, Sample } from '../row.ts'
import type { Stage } from '../stage.ts'
import { waitForJobs } from '../wait.ts'

const REPLIES = 10_000

/** On so many servers, which share the work of the deliveries. */
const FOLLOWERS = { full: 1_000_000, quick: 100_000 }
const HOSTS = 100

const QUIET_MS = 2_000

/** Somebody reads their home timeline, again and again, while the work goes on. @throws Halt when they are refused */
async function readMeanwhile(stage: Stage, work: Promise<unknown>): Promise<Sample> {
  let goesOn = true
  const end = work.finally(() => (goesOn = false))
  const times: number[] = []
  const start = performance.now()
  const before = stage.readCpu()
  while (goesOn) {
    const at = performance.now()
    await read(stage, {
      path: '/api/v1/timelines/home?limit=20',
      token: stage.tokens[times.length % stage.tokens.length]!,
    })
    times.push(performance.now() - at)
  }
  await end
  const cost = costOf({ before, after: stage.readCpu(), count: times.length })
  const rate = (times.length * 1000) / (performance.now() - start)
  return {
    rate,
    p50: median(times),
    p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!,
    ...cost,
    failures: 0,
  }
}

async function read({ port }: Stage, { path, token }: { path: string; token: string }): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.text()
  if (!answer.ok) throw new Halt(`GET ${path} was refused with ${answer.status}: ${body}`)
  return body
}

const ALONE: Limit = {
  title: 'while nothing else is done',
  measure: (stage) => readMeanwhile(stage, new Promise((resolve) => setTimeout(resolve, QUIET_MS))),
}

/** What others notice of somebody who reads a thread of ten thousand replies. */
export function giantThread(): Row {
  let path: string
  const times: number[] = []
  let bytes = 0
  return {
    name: `home timeline while a thread of ${REPLIES.toLocaleString('en')} replies is read`,
    limits: [ALONE],
    async prepare(stage) {
      const root = await post(stage, { token: stage.tokens[0]!, text: 'What do you all think of it?' })
      await sql`
        insert into statuses (account_id, uri, url, content, visibility, local, in_reply_to_id, in_reply_to_account_id,
          conversation_id)
        select (${stage.accountIds}::bigint[])[1 + n % ${stage.accountIds.length}::int], 'https://giant.test/' || n, '',
          '<p>Reply number ' || n || ' of very many, of usual length.</p>', 'public', true, s.id, s.account_id,
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
      return readMeanwhile(stage, work())
    },
    facts: () => [
      { name: 'the thread itself', value: `${median(times).toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB` },
    ],
  }
}

/** What others notice of a post that goes to a million followers on a hundred other servers. */
export function giantAudience(): Row {
  const answers: number[] = []
  const ends: number[] = []
  let author: { accountId: string; token: string }
  let size = 0
  return {
    name: 'home timeline while one of very many followers posts',
    limits: [ALONE],
    async prepare(stage) {
      size = FOLLOWERS[stage.pace.name]
      author = await createAuthor(stage, { name: 'giant', followerIds: [] })
      await createFollowersElsewhere(stage, { accountId: author.accountId, count: size, hosts: HOSTS })
    },
    measure: (stage) => {
      const work = async () => {
        const start = performance.now()
        const { at } = await post(stage, { token: author.token, text: 'To all of you.' })
        answers.push(at - start)
        await waitForJobs(stage)
        ends.push(performance.now() - start)
      }
      return readMeanwhile(stage, work())
    },
    facts: (): Fact[] => [
      {
        name: `a post to ${size.toLocaleString('en')} followers on ${HOSTS} servers`,
        value: `answered after ${median(answers).toFixed(0)} ms, delivered to all after ${(median(ends) / 1000).toFixed(1)} s`,
      },
    ],
  }
}
