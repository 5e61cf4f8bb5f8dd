import { sql } from 'kysely'
import { endPoll } from '../../src/domain/polls/end.ts'
import { voteInPoll } from '../../src/domain/polls/vote.ts'
import { authoriseRequest } from '../../src/domain/relationships/follow-requests.ts'
import { boostStatus } from '../../src/domain/statuses/boost.ts'
import { editStatus } from '../../src/domain/statuses/edit.ts'
import { favouriteStatus } from '../../src/domain/statuses/favourite.ts'
import { refreshTrends } from '../../src/domain/trends/refresh.ts'
import { NotFound } from '../../src/lib/errors.ts'
import type { CreatedPerson } from '../../test/create-person.ts'
import type { Random } from '../../test/random.ts'
import { settle } from '../../test/settle.ts'
import { ANSWERS } from './answers.ts'
import type { Extra, Poll } from './extras.ts'
import { recordPage } from './record-page.ts'
import type { Resident } from './resident.ts'
import { say } from './say.ts'
import type { Saying } from './say.ts'
import type { Topic } from './topics.ts'
import type { Clock } from './turn-back.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

export interface Neighbour extends CreatedPerson {
  resident: Resident
  /** Whom they follow. */
  friends: readonly Neighbour[]
}

interface Life {
  neighbours: readonly Neighbour[]
  extras: readonly Extra[]
  topics: readonly Topic[]
  random: Random
  clock: Clock
  folder: string
  /** When it ends, in milliseconds. */
  end: number
  onProgress(done: number): void
}

interface Happening {
  at: number
  happen(): Promise<void>
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** So much happens before the effects of it are waited for. */
const BATCH = 20
const ANALYSED = 5 * BATCH

/** Topics come up so long before the end, each post of one a little after the one before it. */
const TOPICS_MS = 150 * MINUTE_MS
const TOPIC_STEP_MS = 3 * MINUTE_MS
/** So many favourite the first post of a topic: enough to trend for hours. */
const TOPIC_FANS = 18

/** Everybody posts what they have to say, spread over the days; others favourite, boost and answer it. */
export async function live(ctx: BuilderCtx, life: Life): Promise<void> {
  const { neighbours, random, clock, end } = life
  const start = clock.now().getTime()
  const agenda: Happening[] = []
  const plan = (at: number, happen: () => Promise<void>) => {
    if (at < end) agenda.push({ at, happen })
  }

  const react = (author: Neighbour, statusId: string, at: number, depth: number): void => {
    const followers = neighbours.filter(({ friends }) => friends.includes(author))
    const later = () => at + random.between(2, 60) * MINUTE_MS * (1 + random.next() * 8)
    for (const fan of random.some(followers, random.between(0, depth === 0 ? 7 : 2))) {
      plan(later(), () => ignoreHidden(ctx.write((tx) => favouriteStatus(tx, { accountId: fan.accountId, statusId }))))
    }
    if (random.next() < (depth === 0 ? 0.4 : 0.1)) {
      for (const fan of random.some(followers, random.between(1, 3))) {
        plan(later(), () => ignoreHidden(ctx.write((tx) => boostStatus(tx, { accountId: fan.accountId, statusId }))))
      }
    }
    if (depth > 3 || random.next() > 0.45) return
    for (const fan of random.some(
      followers.filter(({ resident }) => !resident.bot),
      random.between(1, 2),
    )) {
      const when = later()
      plan(when, () => ignoreHidden(answer(fan, { author, statusId, at: when, depth })))
    }
  }

  const answer = async (
    by: Neighbour,
    { author, statusId, at, depth }: { author: Neighbour; statusId: string; at: number; depth: number },
  ): Promise<void> => {
    const language = random.next() < 0.6 && ANSWERS[author.resident.language] ? author.resident.language : 'en'
    const text = `@${author.username} ${random.pick(ANSWERS[language]!)}`
    const id = await post(by, { text, language, inReplyToId: statusId })
    react(by, id, at, depth + 1)
    // The author often has the last word.
    if (random.next() > 0.5 || author.resident.bot) return
    const when = at + random.between(3, 50) * MINUTE_MS
    plan(when, () => ignoreHidden(answer(author, { author: by, statusId: id, at: when, depth: depth + 2 })))
  }

  const post = (by: Neighbour, saying: Omit<Saying, 'language'> & { language?: string }): Promise<string> =>
    say(ctx, { by, saying: { language: by.resident.language, ...saying }, random, folder: life.folder })

  const poll = async (author: Neighbour, statusId: string, at: number, { options, days, multiple }: Poll) => {
    const { id: pollId } = await ctx.db
      .selectFrom('polls')
      .select('id')
      .where('status_id', '=', statusId)
      .executeTakeFirstOrThrow()
    const ends = at + days * DAY_MS
    const others = neighbours.filter((other) => other !== author)
    for (const { accountId } of random.some(others, random.between(9, 16))) {
      const places = random.some([...options.keys()], multiple ? random.between(1, 2) : 1)
      const when = at + random.next() * (Math.min(ends, end) - at)
      plan(when, () => ctx.write((tx) => voteInPoll(tx, { accountId, pollId, choices: places })))
    }
    // The queue goes by the database's clock: one that ends later gets its place there anew, at the end of the story.
    plan(Math.min(ends, end - MINUTE_MS), () => endPoll(ctx, { pollId }))
  }

  for (const neighbour of neighbours) {
    const { posts } = neighbour.resident
    posts.forEach((text, n) => {
      const at = start + ((n + 0.4 + random.next() * 0.6) / posts.length) * (end - start)
      plan(at, async () => react(neighbour, await post(neighbour, { text }), at, 0))
    })
  }
  const said = life.extras.map(({ name }) => ({ name, id: '', at: 0 }))
  life.extras.forEach((extra, n) => {
    const { by: username, threaded, quotes, editedTo, ...saying } = extra
    const by = findNeighbour(neighbours, username)
    const [own, before] = [said[n]!, threaded ? said[n - 1] : undefined]
    const quoted = quotes === undefined ? undefined : said.find(({ name }) => name === quotes)
    own.at = start + random.next() * (end - start - DAY_MS)
    if (before) own.at = before.at + 4 * MINUTE_MS
    if (quoted) own.at = quoted.at + random.between(20, 300) * MINUTE_MS
    plan(own.at, async () => {
      const refers = { ...(before && { inReplyToId: before.id }), ...(quoted && { quotedId: quoted.id }) }
      own.id = await post(by, { ...saying, ...refers })
      if (extra.visibility !== 'direct') react(by, own.id, own.at, 0)
      if (extra.poll) await poll(by, own.id, own.at, extra.poll)
      if (editedTo !== undefined) plan(own.at + 9 * MINUTE_MS, () => correct(ctx, { by, id: own.id, text: editedTo }))
    })
  })

  for (const { page, posts } of life.topics) {
    const from = startOfTopic(end, posts.length)
    posts.forEach(([username, text], n) => {
      const by = findNeighbour(neighbours, username)
      const at = from + n * TOPIC_STEP_MS
      plan(at, async () => {
        const statusId = await post(by, { text: text.replace('{page}', page.url) })
        react(by, statusId, at, 0)
        if (n === 0) {
          await recordPage(ctx, { page, random, folder: life.folder })
          const fans = random.some(
            neighbours.filter((other) => other !== by),
            TOPIC_FANS,
          )
          for (const { accountId } of fans) await ctx.write((tx) => favouriteStatus(tx, { accountId, statusId }))
        }
        await refreshTrends(ctx)
      })
    })
  }
  planRequests(ctx, { neighbours, random, plan, start, end })

  let done = 0
  for (;;) {
    agenda.sort((a, b) => b.at - a.at)
    const next = agenda.pop()
    if (next === undefined) break
    clock.set(new Date(next.at))
    await next.happen()
    done += 1
    if (done % BATCH === 0) await settle(ctx)
    // So fast do tables fill at no other time; statements that were planned for empty ones would become slow.
    if (done % ANALYSED === 1) await sql`analyze`.execute(ctx.db)
    life.onProgress((next.at - start) / (end - start))
  }
  await settle(ctx)
  clock.set(new Date(end))
  await refreshTrends(ctx)
}

function findNeighbour(neighbours: readonly Neighbour[], name: string): Neighbour {
  const found = neighbours.find(({ username }) => username === name)
  if (!found) throw new Error(`Nobody here is called ${name}`)
  return found
}

/** When a topic comes up: trends are counted by days in UTC, so all of its posts are of one. */
function startOfTopic(end: number, posts: number): number {
  const [from, midnight] = [end - TOPICS_MS, Math.floor(end / DAY_MS) * DAY_MS]
  const lasts = posts * TOPIC_STEP_MS
  return from < midnight && from + lasts > midnight ? midnight - lasts : from
}

/** Whoever is locked grants about half of the requests; the rest still wait. */
function planRequests(
  ctx: BuilderCtx,
  {
    neighbours,
    random,
    plan,
    start,
    end,
  }: {
    neighbours: readonly Neighbour[]
    random: Random
    plan(at: number, happen: () => Promise<void>): void
    start: number
    end: number
  },
): void {
  for (const { accountId } of neighbours.filter(({ resident }) => resident.locked)) {
    plan(start + random.next() * (end - start), async () => {
      const { rows } = await sql<{ account_id: string }>`
        select account_id from follow_requests where target_account_id = ${accountId} order by id`.execute(ctx.db)
      for (const { account_id: requesterId } of rows.slice(0, Math.ceil(rows.length / 2))) {
        await ctx.write((tx) => authoriseRequest(tx, { accountId, requesterId }))
      }
    })
  }
}

async function correct(ctx: BuilderCtx, { by, id, text }: { by: Neighbour; id: string; text: string }): Promise<void> {
  const revision = { text, spoilerText: '', sensitive: false, mediaIds: [], mediaChanges: [] }
  await ctx.write((tx) => editStatus(tx, { accountId: by.accountId, statusId: id, revision }))
}

/** What is for others' eyes only can be neither favourited, boosted nor answered. */
async function ignoreHidden(work: Promise<unknown>): Promise<void> {
  await work.catch((err: unknown) => {
    if (!(err instanceof NotFound)) throw err
  })
}
