import { sql } from 'kysely'
import { endPoll } from '../../src/domain/polls/end-poll.ts'
import { voteInPoll } from '../../src/domain/polls/vote-in-poll.ts'
import { authorizeFollowRequest } from '../../src/domain/relationships/follows/follow-requests.ts'
import { reblogStatus } from '../../src/domain/statuses/interactions/reblog-status.ts'
import { editStatus } from '../../src/domain/statuses/write/edit-status.ts'
import { favouriteStatus } from '../../src/domain/statuses/interactions/favourite-status.ts'
import { refreshTrends } from '../../src/domain/trends/refresh-trends.ts'
import { NotFoundError } from '../../src/lib/errors.ts'
import type { CreatedUser } from '../../test/servers/create-user.ts'
import type { Random } from '../../test/oracles/random.ts'
import { waitForJobs } from '../../test/jobs/wait-for-jobs.ts'
import { SAMPLE_REPLIES } from './sample-replies.ts'
import type { SpecialPost, DemoPoll } from './special-posts.ts'
import { recordDemoCard } from './record-demo-card.ts'
import type { DemoAccount } from './demo-account.ts'
import { postDemoStatus } from './post-demo-status.ts'
import type { DemoPost } from './post-demo-status.ts'
import type { Topic } from './topics.ts'
import type { Clock } from './with-backdated-ids.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

export interface DemoUser extends CreatedUser {
  demoAccount: DemoAccount
  /** The accounts that the user follows. */
  following: readonly DemoUser[]
}

interface SimulationOptions {
  demoUsers: readonly DemoUser[]
  extras: readonly SpecialPost[]
  topics: readonly Topic[]
  random: Random
  clock: Clock
  folder: string
  /** The end of the simulated time, in milliseconds since 1970. */
  end: number
  onProgress(done: number): void
}

interface ScheduledAction {
  at: number
  run(): Promise<void>
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The number of actions after which the simulation waits for their effects. */
const BATCH = 20
/** The number of actions before the second analysis of the tables. Each further one comes after twice as many. */
const FIRST_ANALYSIS = 5 * BATCH

/** The time before the end at which topics start, and the interval between the posts of a topic. */
const TOPICS_MS = 150 * MINUTE_MS
const TOPIC_STEP_MS = 3 * MINUTE_MS
/** The favourites of the first post of a topic, enough to trend for hours. */
const TOPIC_FAVOURITES = 18

/** Simulates posts of all accounts over some days, with favourites, reblogs, replies, votes and trends. */
export async function simulateActivity(ctx: BuilderCtx, options: SimulationOptions): Promise<void> {
  const { demoUsers, random, clock, end } = options
  const start = clock.now().getTime()
  const schedule: ScheduledAction[] = []
  const scheduleAt = (at: number, run: () => Promise<void>) => {
    if (at < end) schedule.push({ at, run })
  }

  const react = (author: DemoUser, statusId: string, at: number, depth: number): void => {
    const followers = demoUsers.filter(({ following }) => following.includes(author))
    const later = () => at + random.between(2, 60) * MINUTE_MS * (1 + random.next() * 8)
    for (const follower of random.some(followers, random.between(0, depth === 0 ? 7 : 2))) {
      scheduleAt(later(), () =>
        ignoreNotVisible(ctx.write((tx) => favouriteStatus(tx, { accountId: follower.accountId, statusId }))),
      )
    }
    if (random.next() < (depth === 0 ? 0.4 : 0.1)) {
      for (const follower of random.some(followers, random.between(1, 3))) {
        scheduleAt(later(), () =>
          ignoreNotVisible(ctx.write((tx) => reblogStatus(tx, { accountId: follower.accountId, statusId }))),
        )
      }
    }
    if (depth > 3 || random.next() > 0.45) return
    for (const follower of random.some(
      followers.filter(({ demoAccount }) => !demoAccount.bot),
      random.between(1, 2),
    )) {
      const when = later()
      scheduleAt(when, () => ignoreNotVisible(reply(follower, { author, statusId, at: when, depth })))
    }
  }

  const reply = async (
    replier: DemoUser,
    { author, statusId, at, depth }: { author: DemoUser; statusId: string; at: number; depth: number },
  ): Promise<void> => {
    const language =
      random.next() < 0.6 && SAMPLE_REPLIES[author.demoAccount.language] ? author.demoAccount.language : 'en'
    const text = `@${author.username} ${random.pick(SAMPLE_REPLIES[language]!)}`
    const id = await post(replier, { text, language, inReplyToId: statusId })
    react(replier, id, at, depth + 1)
    // The author often replies, too.
    if (random.next() > 0.5 || author.demoAccount.bot) return
    const when = at + random.between(3, 50) * MINUTE_MS
    scheduleAt(when, () =>
      ignoreNotVisible(reply(author, { author: replier, statusId: id, at: when, depth: depth + 2 })),
    )
  }

  const post = (author: DemoUser, draft: Omit<DemoPost, 'language'> & { language?: string }): Promise<string> => {
    const demoPost = { language: author.demoAccount.language, ...draft }
    return postDemoStatus(ctx, { author, demoPost, random, folder: options.folder })
  }

  const poll = async (
    author: DemoUser,
    statusId: string,
    at: number,
    { options: pollOptions, days, multiple }: DemoPoll,
  ) => {
    const { id: pollId } = await ctx.db
      .selectFrom('polls')
      .select('id')
      .where('status_id', '=', statusId)
      .executeTakeFirstOrThrow()
    const ends = at + days * DAY_MS
    const others = demoUsers.filter((other) => other !== author)
    for (const { accountId } of random.some(others, random.between(9, 16))) {
      const optionIndexes = random.some([...pollOptions.keys()], multiple ? random.between(1, 2) : 1)
      const when = at + random.next() * (Math.min(ends, end) - at)
      scheduleAt(when, () => ctx.write((tx) => voteInPoll(tx, { accountId, pollId, choices: optionIndexes })))
    }
    // The job queue uses the database's clock. `endPoll` of a poll that ends later schedules its job for the real time.
    scheduleAt(Math.min(ends, end - MINUTE_MS), () => endPoll(ctx, { pollId }))
  }

  for (const demoUser of demoUsers) {
    const { posts } = demoUser.demoAccount
    posts.forEach((text, n) => {
      const at = start + ((n + 0.4 + random.next() * 0.6) / posts.length) * (end - start)
      scheduleAt(at, async () => react(demoUser, await post(demoUser, { text }), at, 0))
    })
  }
  const postedIds = options.extras.map(({ name }) => ({ name, id: '', at: 0 }))
  options.extras.forEach((extra, n) => {
    const { author: username, threaded, quotes, editedTo, ...draft } = extra
    const author = findDemoUser(demoUsers, username)
    const [own, before] = [postedIds[n]!, threaded ? postedIds[n - 1] : undefined]
    const quoted = quotes === undefined ? undefined : postedIds.find(({ name }) => name === quotes)
    own.at = start + random.next() * (end - start - DAY_MS)
    if (before) own.at = before.at + 4 * MINUTE_MS
    if (quoted) own.at = quoted.at + random.between(20, 300) * MINUTE_MS
    scheduleAt(own.at, async () => {
      const references = { ...(before && { inReplyToId: before.id }), ...(quoted && { quotedId: quoted.id }) }
      own.id = await post(author, { ...draft, ...references })
      if (extra.visibility !== 'direct') react(author, own.id, own.at, 0)
      if (extra.poll) await poll(author, own.id, own.at, extra.poll)
      if (editedTo !== undefined)
        scheduleAt(own.at + 9 * MINUTE_MS, () => editDemoStatus(ctx, { author, id: own.id, text: editedTo }))
    })
  })

  for (const { page, posts } of options.topics) {
    const from = startOfTopic(end, posts.length)
    posts.forEach(([username, text], n) => {
      const author = findDemoUser(demoUsers, username)
      const at = from + n * TOPIC_STEP_MS
      scheduleAt(at, async () => {
        const statusId = await post(author, { text: text.replace('{page}', page.url) })
        react(author, statusId, at, 0)
        if (n === 0) {
          await recordDemoCard(ctx, { page, random, folder: options.folder })
          const followers = random.some(
            demoUsers.filter((other) => other !== author),
            TOPIC_FAVOURITES,
          )
          for (const { accountId } of followers) await ctx.write((tx) => favouriteStatus(tx, { accountId, statusId }))
        }
        await refreshTrends(ctx)
      })
    })
  }
  planRequests(ctx, { demoUsers, random, plan: scheduleAt, start, end })

  let done = 0
  let nextAnalysis = 1
  for (;;) {
    schedule.sort((a, b) => b.at - a.at)
    const next = schedule.pop()
    if (next === undefined) break
    clock.set(new Date(next.at))
    await next.run()
    done += 1
    if (done % BATCH === 0) await waitForJobs(ctx)
    // The tables grow so fast that statements planned for empty tables would become slow.
    if (done === nextAnalysis) {
      await sql`analyze`.execute(ctx.db)
      nextAnalysis = Math.max(2 * done, FIRST_ANALYSIS)
    }
    options.onProgress((next.at - start) / (end - start))
  }
  await waitForJobs(ctx)
  clock.set(new Date(end))
  await refreshTrends(ctx)
}

function findDemoUser(demoUsers: readonly DemoUser[], name: string): DemoUser {
  const found = demoUsers.find(({ username }) => username === name)
  if (!found) throw new Error(`There is no demo account ${name}`)
  return found
}

/** Returns the start of a topic. All of its posts are on one day in UTC, because trends count by day. */
function startOfTopic(end: number, posts: number): number {
  const [from, midnight] = [end - TOPICS_MS, Math.floor(end / DAY_MS) * DAY_MS]
  const duration = posts * TOPIC_STEP_MS
  return from < midnight && from + duration > midnight ? midnight - duration : from
}

/** Schedules the approval of about half of the follow requests of each locked account; the others remain pending. */
function planRequests(
  ctx: BuilderCtx,
  {
    demoUsers,
    random,
    plan,
    start,
    end,
  }: {
    demoUsers: readonly DemoUser[]
    random: Random
    plan(at: number, run: () => Promise<void>): void
    start: number
    end: number
  },
): void {
  for (const { accountId } of demoUsers.filter(({ demoAccount }) => demoAccount.locked)) {
    plan(start + random.next() * (end - start), async () => {
      const { rows } = await sql<{ account_id: string }>`
        select account_id from follow_requests where target_account_id = ${accountId} order by id`.execute(ctx.db)
      for (const { account_id: requesterId } of rows.slice(0, Math.ceil(rows.length / 2))) {
        await ctx.write((tx) => authorizeFollowRequest(tx, { accountId, requesterId }))
      }
    })
  }
}

async function editDemoStatus(
  ctx: BuilderCtx,
  { author, id, text }: { author: DemoUser; id: string; text: string },
): Promise<void> {
  const revision = { text, spoilerText: '', sensitive: false, mediaIds: [], mediaChanges: [] }
  await ctx.write((tx) => editStatus(tx, { accountId: author.accountId, statusId: id, revision }))
}

/** Ignores that an interaction fails because the status is not visible to the user. */
async function ignoreNotVisible(work: Promise<unknown>): Promise<void> {
  await work.catch((err: unknown) => {
    if (!(err instanceof NotFoundError)) throw err
  })
}
