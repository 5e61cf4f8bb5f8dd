import type { Ctx } from '../../domain/context.ts'
import { LONGEST_MS, PAUSE_MS, YOUNG_MS } from '../../domain/statuses/refresh-thread.ts'
import { statement } from '../../platform/db/statement.ts'
import { Postponed } from '../../platform/jobs/postponed.ts'
import type { WireObject, WireValue } from '../wire/normalise.ts'
import { dateOf, hostOf, idOf, isSameHost, listOf, objectOf } from '../wire/read.ts'
import { isOurs } from './ask.ts'
import { createBudget } from './budget.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { isForeseen } from './refusals.ts'
import { fetchNote, recordFound } from './status.ts'

/** For one thread. */
const MAX_POSTS = 1_000
const MAX_PAGES = 500

/** What one collection of replies may bring. */
const MAX_REPLIES = 500

/** What is asked for at once. */
const AT_ONCE = 4

/** For each status: itself, its author, and who finds that one; and for each page. */
const MAX_FETCHES = 8
const TIMEOUT_MS = 10_000

/** All threads together make their requests as one sender: threads of slow hosts delay only each other. */
const SENDER = 'threads'

/** Then other work has its turn before this goes on. */
const TURN_MS = 10_000

/** A status that is to be asked for. */
interface Post {
  uri: string
  /** What it answers; absent: the search began with it. */
  of?: string
}

/** A page of the replies to a status. */
interface Page {
  uri: string
  /** Whose replies these are. */
  of: string
  /** How many of them may still come. */
  left: number
}

type Step = Post | Page

interface Search {
  waiting: Step[]
  posts_asked: number
  pages_asked: number
  is_over: boolean
}

/** What became of one step. */
interface Outcome {
  next: Step[]
  isNew: boolean
  /** The step itself is to be tried again after this time. */
  postponedMs?: number
}

interface Known {
  id: string
  created_at: Date
  asked_at: Date | null
}

const NOTHING: Outcome = { next: [], isNew: false }

const findSearch = statement<{ params: { refreshId: string; askedAt: Date }; row: Search }>(
  `select waiting, posts_asked, pages_asked, asked_at <= $askedAt as is_over from thread_refreshes
   where id = $refreshId::uuid and finished_at is null`,
)
const saveSearch = statement<{
  params: { refreshId: string; waiting: string; posts: number; pages: number; newOnes: number; finishedAt: Date | null }
  row: { id: string }
}>(
  `update thread_refreshes set waiting = $waiting, posts_asked = $posts, pages_asked = $pages, found = found + $newOnes, finished_at = $finishedAt
   where id = $refreshId::uuid and finished_at is null returning id`,
)
const findKnown = statement<{ params: { uri: string }; row: Known }>(
  `select s.id, s.created_at, r.asked_at from statuses s left join thread_refreshes r on r.status_id = s.id
   where s.uri = $uri and s.deleted_at is null`,
)
const noteAsked = statement<{ params: { statusId: string; askedAt: Date } }>(
  `insert into thread_refreshes (status_id, asked_at, finished_at) values ($statusId, $askedAt, $askedAt)
   on conflict (status_id) do update set asked_at = excluded.asked_at where thread_refreshes.finished_at is not null`,
)

/**
 * Effect: asks the servers of a thread's statuses for the replies to them, level by level, and records those that are
 * for everybody. It goes on where it stopped, and lets other work pass by.
 */
export async function fetchReplies(ctx: Ctx, { refreshId }: { refreshId: string }): Promise<void> {
  const [found] = await findSearch(ctx.db, { refreshId, askedAt: new Date(ctx.now().getTime() - LONGEST_MS) })
  if (!found) return
  let { waiting, posts_asked: posts, pages_asked: pages } = found
  const until = performance.now() + TURN_MS
  if (found.is_over) waiting = []
  for (;;) {
    const batch = waiting.splice(0, AT_ONCE).filter((step) => {
      if (isPage(step)) return (pages += 1) <= MAX_PAGES
      return (posts += 1) <= MAX_POSTS
    })
    const outcomes = await Promise.all(batch.map(async (step) => take(ctx, step)))
    waiting = join(waiting, outcomes, MAX_POSTS - posts)
    const newOnes = outcomes.filter(({ isNew }) => isNew).length
    const isLast = waiting.length === 0
    for (const { postponedMs, next } of outcomes) {
      if (postponedMs === undefined) continue
      if (isPage(next[0]!)) pages -= 1
      else posts -= 1
    }
    // As long as some of them are done, the others go with the next ones.
    const pauseMs = outcomes.length === 0 ? 0 : Math.min(...outcomes.map(({ postponedMs = 0 }) => postponedMs))
    const isPause = !isLast && (pauseMs > 0 || performance.now() > until)
    const goesOn = await ctx.write(async (tx) => {
      const state = {
        refreshId,
        waiting: JSON.stringify(waiting),
        posts,
        pages,
        newOnes,
        finishedAt: isLast ? tx.now : null,
      }
      const [row] = await saveSearch(tx.db, state)
      if (row && isPause)
        tx.emit('replies.asked', { refreshId }, pauseMs > 0 ? new Date(tx.now.getTime() + pauseMs) : undefined)
      return row !== undefined && !isPause && !isLast
    })
    if (!goesOn) return
  }
}

/** What waits, and what came to it, each once, and no more statuses than may still be asked for. */
function join(waiting: readonly Step[], outcomes: readonly Outcome[], most: number): Step[] {
  const all = new Map([...waiting, ...outcomes.flatMap(({ next }) => next)].map((step) => [step.uri, step]))
  let statuses = 0
  return [...all.values()].filter((step) => isPage(step) || (statuses += 1) <= most)
}

function isPage(step: Step): step is Page {
  return 'left' in step
}

async function take(ctx: Ctx, step: Step): Promise<Outcome> {
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, maxDepth: 0, sender: SENDER })
  try {
    return isPage(step) ? await takePage(ctx, { step, budget }) : await takeStatus(ctx, { step, budget })
  } catch (err) {
    if (err instanceof Postponed) return { next: [step], isNew: false, postponedMs: err.delayMs }
    if (!isForeseen(err)) throw err
    ctx.log.debug({ err }, 'part of a thread could not be fetched')
    return NOTHING
  }
}

async function takeStatus(ctx: Ctx, { step, budget }: { step: Post; budget: Budget }): Promise<Outcome> {
  const { uri, of } = step
  const now = ctx.now().getTime()
  // What answers people of here came here by itself.
  if (isOurs(ctx, hostOf(uri) ?? '')) return NOTHING
  const before = await findKnownPost(ctx, uri)
  const isAsked = before?.asked_at != null && before.asked_at.getTime() > now - PAUSE_MS
  if (of !== undefined && before && (isAsked || isYoung(before.created_at, now))) return NOTHING
  const document = await fetchNote(ctx, { uri, budget })
  // A collection can hold anything. Only what says itself that it is a reply is one.
  if (of !== undefined && idOf(document['inReplyTo']) !== of) return NOTHING
  const id = idOf(document)!
  const known = id === uri ? before : await findKnownPost(ctx, id)
  const statusId = known?.id ?? (await recordFound(ctx, { document, budget }))
  if (of !== undefined) await noteAsked(ctx.db, { statusId, askedAt: ctx.now() })
  const next = isYoung(dateOf(document['published']), now) ? [] : readReplies(document, id)
  return { next, isNew: known === null }
}

async function takePage(ctx: Ctx, { step, budget }: { step: Page; budget: Budget }): Promise<Outcome> {
  const page = await fetchDocument(ctx, { uri: step.uri, budget })
  return { next: readPage(page, step), isNew: false }
}

async function findKnownPost(ctx: Ctx, uri: string): Promise<Known | null> {
  const [known] = await findKnown(ctx.db, { uri })
  return known ?? null
}

function isYoung(at: Date | null, now: number): boolean {
  return at !== null && at.getTime() > now - YOUNG_MS
}

/** The replies that a status names itself, and where it says that there are more. */
function readReplies(status: WireObject, of: string): Step[] {
  const collection = objectOf(status['replies'])
  const isWritten = ['first', 'items', 'orderedItems'].some((name) => collection?.[name] !== undefined)
  if (collection && isWritten) return readPage(collection, { of, left: MAX_REPLIES })
  return pageAt(status['replies'], { of, left: MAX_REPLIES })
}

/** The same of a collection, or of a page. */
function readPage(page: WireObject, { of, left }: Omit<Page, 'uri'>): Step[] {
  const items = [...listOf(page['orderedItems']), ...listOf(page['items'])]
  const uris = items.map((item) => idOf(item)).filter((uri) => uri !== null)
  const steps = uris.slice(0, left).map((uri) => ({ uri, of }))
  // An empty page counts, too, so that there is an end.
  const rest = { of, left: left - Math.max(1, items.length) }
  const first = objectOf(page['first'])
  const more = first ? readPage(first, rest) : pageAt(page['first'] ?? page['next'], rest)
  return [...steps, ...more]
}

function pageAt(value: WireValue | undefined, { of, left }: Omit<Page, 'uri'>): Step[] {
  const uri = idOf(value)
  return uri !== null && left > 0 && isSameHost(uri, of) ? [{ uri, of, left }] : []
}
