import type { Ctx } from '../../../domain/context.ts'
import {
  REFRESH_TIMEOUT_MS,
  REFRESH_COOLDOWN_MS,
  MIN_STATUS_AGE_MS,
} from '../../../domain/statuses/remote/refresh-thread.ts'
import { statement } from '../../../platform/db/statement.ts'
import { PostponedError } from '../../../platform/jobs/postponed-error.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { dateOf, hostOf, idOf, isSameHost, listOf } from '../../wire/read-values.ts'
import { isLocalDomain } from '../fetch/request-remote.ts'
import { createBudget } from '../fetch/budget.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'
import { removeIfGone } from './remove-if-gone.ts'
import { fetchNote, linkRepliesToPage, recordFetchedStatus } from './resolve-status.ts'
import { isPage, mergeSteps, readPageSteps, readReplySteps, readThreadSteps } from './thread-steps.ts'
import type { PageStep, StatusStep, Step, ThreadReference } from './thread-steps.ts'
import { checkQuoteApproval } from './verify-quote.ts'

/** Statuses and pages that are fetched for one thread. */
const MAX_STATUSES = 1_000
const MAX_PAGES = 500

/** Concurrent steps. */
const MAX_CONCURRENT_STEPS = 4

/** Fetches per step: the status, its author and the author's WebFinger; or the page. */
const MAX_FETCHES = 8
const TIMEOUT_MS = 10_000

/** All thread refreshes share one sender in the fetch limiter, so that threads of slow hosts delay only each other. */
const THREAD_SENDER = 'threads'

/** The time after which the job yields to other jobs and continues later. */
const MAX_RUN_MS = 10_000

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
const findThreadOf = statement<{
  params: { statusUri: string; names: readonly string[]; parentUri: string | null }
}>(
  `select from statuses s join conversations thread on thread.id = s.conversation_id
   where s.uri = $statusUri and (thread.uri = any($names) or exists (
     select from statuses parent
     where parent.uri = $parentUri and parent.conversation_id = thread.id and parent.deleted_at is null))`,
)
const recordFetchTime = statement<{ params: { statusId: string; requestedAt: Date } }>(
  `insert into thread_refreshes (status_id, requested_at, finished_at) values ($statusId, $requestedAt, $requestedAt)
   on conflict (status_id) do update set requested_at = excluded.requested_at
   where thread_refreshes.finished_at is not null`,
)

/**
 * Effect: fetches the replies to a thread's statuses from their servers, level by level, and the statuses in the
 * collection of the thread, and records the publicly visible ones. The state is stored, so that the job can yield to other jobs and continue where it stopped.
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
    pending = mergeSteps(
      pending,
      results.flatMap(({ next }) => next),
      MAX_STATUSES - statuses,
    )
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

async function runStep(ctx: Ctx, step: Step): Promise<StepResult> {
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, maxDepth: 0, sender: THREAD_SENDER })
  try {
    return isPage(step) ? await fetchPage(ctx, { step, budget }) : await fetchListedStatus(ctx, { step, budget })
  } catch (err) {
    if (err instanceof PostponedError) return { next: [step], isNew: false, postponedMs: err.delayMs }
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Part of a thread could not be fetched')
    return NO_RESULT
  }
}

async function fetchListedStatus(
  ctx: Ctx,
  { step, budget }: { step: StatusStep; budget: FetchBudget },
): Promise<StepResult> {
  const { uri, inReplyTo, thread } = step
  const isStart = inReplyTo === undefined && thread === undefined
  const now = ctx.now().getTime()
  // Local statuses are stored already.
  if (isLocalHost(ctx, uri)) return NO_RESULT
  const knownBefore = await findKnownStatusRow(ctx, uri)
  const wasFetchedRecently =
    knownBefore?.requested_at != null && knownBefore.requested_at.getTime() > now - REFRESH_COOLDOWN_MS
  const isCurrent = knownBefore && (thread || wasFetchedRecently || isRecent(knownBefore.created_at, now))
  if (!isStart && isCurrent) return NO_RESULT
  const document = await removeIfGone(ctx, { uri, fetching: fetchNote(ctx, { uri, budget }) })
  // A collection can contain anything. A status is what it lists only if its own document says so.
  const named = idOf(document['inReplyTo'])
  const isListed = isStart || named === inReplyTo || (thread && (await isOfThread(ctx, { document, thread })))
  const parentId = isListed ? null : await findByPage(ctx, { uri: inReplyTo, url: named })
  if (!isListed && parentId === null) return NO_RESULT
  const id = idOf(document)!
  const known = id === uri ? knownBefore : await findKnownStatusRow(ctx, id)
  const statusId = known?.id ?? (await recordFetchedStatus(ctx, { document, budget }))
  if (named !== null && parentId !== null) await linkRepliesToPage(ctx, { statusId: parentId, url: named })
  if (isStart) await checkQuoteApproval(ctx, { statusUri: id, budget })
  else await recordFetchTime(ctx.db, { statusId, requestedAt: ctx.now() })
  const replies = isRecent(dateOf(document['published']), now) ? [] : readReplySteps(document, id)
  const pages = isStart ? readThreadSteps(document, id).filter((page) => !isLocalHost(ctx, page.uri)) : []
  return { next: [...replies, ...pages], isNew: known === null }
}

const isLocalHost = (ctx: Ctx, uri: string) => isLocalDomain(ctx, hostOf(uri) ?? '')

/** Returns whether a status names a thread, or replies to a stored status of the thread. */
async function isOfThread(
  ctx: Ctx,
  { document, thread: { uri, statusUri } }: { document: WireObject; thread: ThreadReference },
): Promise<boolean> {
  const names = ['context', 'conversation']
    .map((name) => listOf(document[name])[0])
    .filter((name) => typeof name === 'string')
  if (names.includes(uri)) return true
  return (await findThreadOf(ctx.db, { statusUri, names, parentUri: idOf(document['inReplyTo']) })).length > 0
}

/** Returns the id of a stored status by its URI and the URL of its page; null if that is on another server. */
async function findByPage(
  ctx: Ctx,
  { uri, url }: { uri: string | undefined; url: string | null },
): Promise<string | null> {
  const [row] = uri !== undefined && url !== null && isSameHost(uri, url) ? await findPage(ctx.db, { uri, url }) : []
  return row?.id ?? null
}

async function fetchPage(ctx: Ctx, { step, budget }: { step: PageStep; budget: FetchBudget }): Promise<StepResult> {
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
