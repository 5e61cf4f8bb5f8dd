import { join } from 'node:path'
import { sql } from 'kysely'
import type { Ctx } from '../../src/domain/context.ts'
import { uploadMedia } from '../../src/domain/media/upload.ts'
import { authoriseRequest } from '../../src/domain/relationships/follow-requests.ts'
import { boostStatus } from '../../src/domain/statuses/boost.ts'
import { editStatus } from '../../src/domain/statuses/edit.ts'
import { favouriteStatus } from '../../src/domain/statuses/favourite.ts'
import { postStatus } from '../../src/domain/statuses/post.ts'
import { NotFound } from '../../src/lib/errors.ts'
import type { CreatedPerson } from '../../test/create-person.ts'
import type { Random } from '../../test/random.ts'
import { settle } from '../../test/settle.ts'
import { drawPicture } from '../draw.ts'
import { ANSWERS, DESCRIPTIONS } from './extras.ts'
import type { Extra } from './extras.ts'
import type { Resident } from './resident.ts'
import type { Clock } from './turn-back.ts'

export interface Neighbour extends CreatedPerson {
  resident: Resident
  /** Whom they follow. */
  friends: readonly Neighbour[]
}

interface Life {
  neighbours: readonly Neighbour[]
  extras: readonly Extra[]
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

/** Everybody posts what they have to say, spread over the days; others favourite, boost and answer it. */
export async function live(ctx: Ctx, life: Life): Promise<void> {
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
    const words = ANSWERS[author.resident.language] ?? ANSWERS['en']!
    const text = `@${author.username} ${random.pick(random.next() < 0.6 ? words : ANSWERS['en']!)}`
    const id = await say(by, { text, inReplyToId: statusId })
    react(by, id, at, depth + 1)
    // The author often has the last word.
    if (random.next() > 0.5 || author.resident.bot) return
    const when = at + random.between(3, 50) * MINUTE_MS
    plan(when, () => ignoreHidden(answer(author, { author: by, statusId: id, at: when, depth: depth + 2 })))
  }

  const say = async (
    by: Neighbour,
    extra: Partial<Extra> & { text: string; inReplyToId?: string },
  ): Promise<string> => {
    const { accountId } = by
    const blanks = [...extra.text.matchAll(/ ?\{picture\}/g)].map(() => random.pick(DESCRIPTIONS))
    const mediaIds: string[] = []
    for (const description of [...(extra.pictures ?? []), ...blanks]) {
      const path = join(life.folder, 'picture.jpeg')
      const [width, height] = random.pick<[number, number]>([
        [960, 640],
        [640, 960],
        [800, 800],
      ])
      await drawPicture({ random, width, height, path })
      mediaIds.push(
        await uploadMedia(ctx, {
          accountId,
          path,
          thumbnailPath: null,
          description,
          focus: null,
          waits: true,
        }),
      )
    }
    const draft = {
      text: extra.text.replaceAll(/ ?\{picture\}/g, ''),
      spoilerText: extra.spoilerText ?? '',
      visibility: extra.visibility ?? 'public',
      sensitive: extra.sensitive ?? false,
      language: by.resident.language,
      mediaIds,
      localOnly: extra.localOnly ?? false,
      ...(extra.inReplyToId === undefined ? {} : { inReplyToId: extra.inReplyToId }),
    }
    return ctx.write((tx) => postStatus(tx, { accountId, applicationId: null, draft }))
  }

  for (const neighbour of neighbours) {
    const { posts } = neighbour.resident
    posts.forEach((text, n) => {
      const at = start + ((n + 0.4 + random.next() * 0.6) / posts.length) * (end - start)
      plan(at, async () => react(neighbour, await say(neighbour, { text }), at, 0))
    })
  }
  const said = life.extras.map(() => ({ id: '', at: 0 }))
  life.extras.forEach((extra, n) => {
    const by = neighbours.find(({ username }) => username === extra.by)!
    const [own, before] = [said[n]!, extra.threaded ? said[n - 1] : undefined]
    own.at = before ? before.at + 4 * MINUTE_MS : start + random.next() * (end - start - DAY_MS)
    plan(own.at, async () => {
      own.id = await say(by, { ...extra, ...(before && { inReplyToId: before.id }) })
      if (extra.visibility !== 'direct') react(by, own.id, own.at, 0)
      const { editedTo } = extra
      if (editedTo !== undefined) plan(own.at + 9 * MINUTE_MS, () => correct(ctx, { by, id: own.id, text: editedTo }))
    })
  })
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
}

/** Whoever is locked grants about half of the requests; the rest still wait. */
function planRequests(
  ctx: Ctx,
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

async function correct(ctx: Ctx, { by, id, text }: { by: Neighbour; id: string; text: string }): Promise<void> {
  const revision = { text, spoilerText: '', sensitive: false, mediaIds: [], mediaChanges: [] }
  await ctx.write((tx) => editStatus(tx, { accountId: by.accountId, statusId: id, revision }))
}

/** What is for others' eyes only can be neither favourited, boosted nor answered. */
async function ignoreHidden(work: Promise<unknown>): Promise<void> {
  await work.catch((err: unknown) => {
    if (!(err instanceof NotFound)) throw err
  })
}
