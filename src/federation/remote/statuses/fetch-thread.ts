import type { Ctx } from '../../../domain/context.ts'
import {
  REFRESH_TIMEOUT_MS,
  REFRESH_COOLDOWN_MS,
  MIN_STATUS_AGE_MS,
} from '../../../domain/statuses/remote/refresh-thread.ts'
import { statement } from '../../../platform/db/statement.ts'
import { PostponedError } from '../../../platform/jobs/postponed-error.ts'
import type { WireObject, WireValue } from '../../wire/normalise.ts'
import { dateOf, hostOf, idOf, isSameHost, listOf, objectOf } from '../../wire/read-values.ts'
import { isLocalDomain } from '../fetch/request-remote.ts'
import { createBudget } from '../fetch/budget.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'
import { removeIfGone } from './remove-if-gone.ts'
import { fetchNote, linkRepliesToPage, recordFetchedStatus } from './resolve-status.ts'
import { checkQuoteApproval } from './verify-quote.ts'

/** Statuses and pages that are fetched for one thread. */
const MAX_STATUSES = 1_000
const MAX_PAGES = 500

/** Replies that are read from one collection. */
const MAX_REPLIES = 500

/** Concurrent steps. */
const MAX_CONCURRENT_STEPS = 4

/** Fetches per step: the status, its author and the author's WebFinger; or the page. */
const MAX_FETCHES = 8
const TIMEOUT_MS = 10_000

/** All thread refreshes share one sender in the fetch limiter, so that threads of slow hosts delay only each other. */
const THREAD_SENDER = 'threads'

/** The time after which the job yields to other jobs and continues later. */
const MAX_RUN_MS = 10_000

/** A status to be fetched. */
interface StatusStep {
  uri: string
  /** The URI of its parent; absent for the status with which the refresh started. */
  inReplyTo?: string
}

/** A page of the replies to a status. */
interface PageStep {
  uri: string
  /** The URI of the status that they reply to. */
  repliesTo: string
  /** How many more replies may be read from the collection. */
  remaining: number
}

type Step = StatusStep | PageStep

interface ThreadRefresh {
  pending: Step[]
  statuses_fetched: number
  pages_fetched: number
  is_over: boolean
}

/** The result of one step. */
interface StepResult {
  next: Step[]
  isNew: boolean
  /** The step itself has to be retried after this time. */
  postponedMs?: number
}

interface KnownStatus {
  id: string
  created_at: Date
  requested_at: Date | null
}

const NO_RESULT: StepResult = { next: [], isNew: false }

const findThreadRefresh = statement<{ params: { refreshId: string; requestedAt: Date }; row: ThreadRefresh }>(
  `select pending_pages as pending, statuses_fetched, pages_fetched, requested_at <= $requestedAt as is_over
   from thread_refreshes where id = $refreshId::uuid and finished_at is null`,
)
const saveThreadRefresh = statement<{
  params: {
    refreshId: string
    pendingPages: string
    statusesFetched: number
    pagesFetched: number
    newStatusesCount: number
    finishedAt: Date | null
  }
  row: { id: string }
}>(
  `update thread_refreshes set pending_pages = $pendingPages, statuses_fetched = $statusesFetched,
     pages_fetched = $pagesFetched, found_count = found_count + $newStatusesCount, finished_at = $finishedAt
   where id = $refreshId::uuid and finished_at is null returning id`,
)
const findKnown = statement<{ params: { uri: string }; row: KnownStatus }>(
  `select s.id, s.created_at, r.requested_at from statuses s left join thread_refreshes r on r.status_id = s.id
   where s.uri = $uri and s.deleted_at is null`,
)
const findPage = statement<{ params: { uri: string; url: string }; row: { id: string } }>(
  `select id from statuses where uri = $uri and url = $url and deleted_at is null`,
)
const recordFetchTime = statement<{ params: { statusId: string; requestedAt: Date } }>(
  `insert into thread_refreshes (status_id, requested_at, finished_at) values ($statusId, $requestedAt, $requestedAt)
   on conflict (status_id) do update set requested_at = excluded.requested_at
   where thread_refreshes.finished_at is not null`,
)

/**
 * Effect: fetches the replies to a thread's statuses from their servers, level by level, and records the publicly
 * visible ones. The state is stored, so that the job can yield to other jobs and continue where it stopped.
 */
export async function fetchReplies(ctx: Ctx, { refreshId }: { refreshId: string }): Promise<void> {
  const [refresh] = await findThreadRefresh(ctx.db, {
    refreshId,
    requestedAt: new Date(ctx.now().getTime() - REFRESH_TIMEOUT_MS),
  })
  if (!refresh) return
  let { pending, statuses_fetched: statuses, pages_fetched: pages } = refresh
  const until = performance.now() + MAX_RUN_MS
  if (refresh.is_over) pending = []
  for (;;) {
    const batch = pending.splice(0, MAX_CONCURRENT_STEPS).filter((step) => {
      if (isPage(step)) return (pages += 1) <= MAX_PAGES
      return (statuses += 1) <= MAX_STATUSES
    })
    const results = await Promise.all(batch.map(async (step) => runStep(ctx, step)))
    pending = mergeSteps(pending, results, MAX_STATUSES - statuses)
    const newStatuses = results.filter(({ isNew }) => isNew).length
    const isLast = pending.length === 0
    for (const { postponedMs, next } of results) {
      if (postponedMs === undefined) continue
      if (isPage(next[0]!)) pages -= 1
      else statuses -= 1
    }
    // If only some steps of the batch were postponed, they are retried together with the next steps, without a pause.
    const pauseMs = results.length === 0 ? 0 : Math.min(...results.map(({ postponedMs = 0 }) => postponedMs))
    const isPause = !isLast && (pauseMs > 0 || performance.now() > until)
    const continues = await ctx.write(async (tx) => {
      const state = {
        refreshId,
        pendingPages: JSON.stringify(pending),
        statusesFetched: statuses,
        pagesFetched: pages,
        newStatusesCount: newStatuses,
        finishedAt: isLast ? tx.now : null,
      }
      const [row] = await saveThreadRefresh(tx.db, state)
      if (row && isPause)
        tx.emit(
          'replies.refresh_requested',
          { refreshId },
          pauseMs > 0 ? new Date(tx.now.getTime() + pauseMs) : undefined,
        )
      return row !== undefined && !isPause && !isLast
    })
    if (!continues) return
  }
}

/**
 * Effect: fetches the replies that a delivered status lists itself, but not the replies to these. Does nothing if the
 * status was deleted meanwhile.
 */
export async function fetchListedReplies(
  ctx: Ctx,
  { statusUri, replyUris }: { statusUri: string; replyUris: readonly string[] },
): Promise<void> {
  if ((await findKnownStatusRow(ctx, statusUri)) === null) return
  const results = await Promise.all(replyUris.map(async (uri) => runStep(ctx, { uri, inReplyTo: statusUri })))
  const delayMs = Math.max(...results.map(({ postponedMs = 0 }) => postponedMs))
  if (delayMs > 0) throw new PostponedError('Some replies could not be fetched yet', { delayMs })
}

/** Returns the pending and the new steps, without duplicates and with at most `maxStatuses` statuses. */
function mergeSteps(pending: readonly Step[], results: readonly StepResult[], maxStatuses: number): Step[] {
  const all = new Map([...pending, ...results.flatMap(({ next }) => next)].map((step) => [step.uri, step]))
  let statuses = 0
  return [...all.values()].filter((step) => isPage(step) || (statuses += 1) <= maxStatuses)
}

function isPage(step: Step): step is PageStep {
  return 'remaining' in step
}

async function runStep(ctx: Ctx, step: Step): Promise<StepResult> {
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, maxDepth: 0, sender: THREAD_SENDER })
  try {
    return isPage(step) ? await fetchRepliesPage(ctx, { step, budget }) : await fetchReply(ctx, { step, budget })
  } catch (err) {
    if (err instanceof PostponedError) return { next: [step], isNew: false, postponedMs: err.delayMs }
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Part of a thread could not be fetched')
    return NO_RESULT
  }
}

async function fetchReply(ctx: Ctx, { step, budget }: { step: StatusStep; budget: FetchBudget }): Promise<StepResult> {
  const { uri, inReplyTo } = step
  const now = ctx.now().getTime()
  // Local statuses are stored already.
  if (isLocalDomain(ctx, hostOf(uri) ?? '')) return NO_RESULT
  const knownBefore = await findKnownStatusRow(ctx, uri)
  const wasFetchedRecently =
    knownBefore?.requested_at != null && knownBefore.requested_at.getTime() > now - REFRESH_COOLDOWN_MS
  if (inReplyTo !== undefined && knownBefore && (wasFetchedRecently || isRecent(knownBefore.created_at, now)))
    return NO_RESULT
  const document = await removeIfGone(ctx, { uri, fetching: fetchNote(ctx, { uri, budget }) })
  // A collection can contain anything. A status is a reply only if its own document says so.
  const named = idOf(document['inReplyTo'])
  const isReply = inReplyTo === undefined || named === inReplyTo
  const parentId = isReply || named === null ? null : await findByPage(ctx, { uri: inReplyTo, url: named })
  if (!isReply && parentId === null) return NO_RESULT
  const id = idOf(document)!
  const known = id === uri ? knownBefore : await findKnownStatusRow(ctx, id)
  const statusId = known?.id ?? (await recordFetchedStatus(ctx, { document, budget }))
  if (named !== null && parentId !== null) await linkRepliesToPage(ctx, { statusId: parentId, url: named })
  if (inReplyTo === undefined) await checkQuoteApproval(ctx, { statusUri: id, budget })
  else await recordFetchTime(ctx.db, { statusId, requestedAt: ctx.now() })
  const next = isRecent(dateOf(document['published']), now) ? [] : readReplySteps(document, id)
  return { next, isNew: known === null }
}

/** Returns the id of a stored status by its URI and the URL of its page; null if that is on another server. */
async function findByPage(ctx: Ctx, { uri, url }: { uri: string; url: string }): Promise<string | null> {
  const [row] = isSameHost(uri, url) ? await findPage(ctx.db, { uri, url }) : []
  return row?.id ?? null
}

async function fetchRepliesPage(
  ctx: Ctx,
  { step, budget }: { step: PageStep; budget: FetchBudget },
): Promise<StepResult> {
  const page = await fetchDocument(ctx, { uri: step.uri, budget })
  return { next: readPageSteps(page, step), isNew: false }
}

async function findKnownStatusRow(ctx: Ctx, uri: string): Promise<KnownStatus | null> {
  const [known] = await findKnown(ctx.db, { uri })
  return known ?? null
}

function isRecent(at: Date | null, now: number): boolean {
  return at !== null && at.getTime() > now - MIN_STATUS_AGE_MS
}

/** Returns the steps for the replies that a status embeds, and for the first page of its replies collection. */
function readReplySteps(status: WireObject, uri: string): Step[] {
  const collection = objectOf(status['replies'])
  const isEmbedded = ['first', 'items', 'orderedItems'].some((name) => collection?.[name] !== undefined)
  if (collection && isEmbedded) return readPageSteps(collection, { repliesTo: uri, remaining: MAX_REPLIES })
  return pageStepsFor(status['replies'], { repliesTo: uri, remaining: MAX_REPLIES })
}

/** Returns the steps for the items of a collection or page, and for its next page. */
function readPageSteps(page: WireObject, { repliesTo, remaining }: Omit<PageStep, 'uri'>): Step[] {
  const items = [...listOf(page['orderedItems']), ...listOf(page['items'])]
  const uris = items.map((item) => idOf(item)).filter((uri) => uri !== null)
  const steps = uris.slice(0, remaining).map((uri): StatusStep => ({ uri, inReplyTo: repliesTo }))
  // An empty page counts as one reply, so that the sequence of pages ends.
  const rest = { repliesTo, remaining: remaining - Math.max(1, items.length) }
  const first = objectOf(page['first'])
  const more = first ? readPageSteps(first, rest) : pageStepsFor(page['first'] ?? page['next'], rest)
  return [...steps, ...more]
}

function pageStepsFor(value: WireValue | undefined, { repliesTo, remaining }: Omit<PageStep, 'uri'>): PageStep[] {
  const uri = idOf(value)
  return uri !== null && remaining > 0 && isSameHost(uri, repliesTo) ? [{ uri, repliesTo, remaining }] : []
}
