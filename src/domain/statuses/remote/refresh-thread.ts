import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'

const MINUTE_MS = 60_000

/** A younger status is not refreshed: it hardly has replies yet. */
export const MIN_STATUS_AGE_MS = 5 * MINUTE_MS

/** The minimum time between two refreshes of the same status. */
export const REFRESH_COOLDOWN_MS = 15 * MINUTE_MS

/** A refresh ends after this time, even if pages are left to fetch. */
export const REFRESH_TIMEOUT_MS = 10 * MINUTE_MS

/** The maximum number of parallel refreshes. If more threads are opened, they show only the replies known here. */
const MAX_RUNNING = 8

/** How long a refresh is stored after its start. */
const RETENTION_MS = 24 * 60 * MINUTE_MS

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** The progress of fetching the replies to a remote status. The API calls it an asynchronous refresh. */
export interface ThreadRefresh {
  id: string
  isFinished: boolean
  /** The number of replies that were not known before. */
  foundCount: number
}

interface RefreshRow {
  /** null: there was no refresh of the status. */
  id: string | null
  requested_at: Date | null
  finished_at: Date | null
  found_count: number
}

const findOfStatus = statement<{ params: { statusId: string; createdAt: Date }; row: RefreshRow }>(
  `select r.id, r.requested_at, r.finished_at, r.found_count
   from statuses s left join thread_refreshes r on r.status_id = s.id
   where s.id = $statusId and not s.local and s.reblog_of_id is null and s.deleted_at is null
     and s.visibility in ('public', 'unlisted') and s.created_at <= $createdAt`,
)
const findById = statement<{ params: { id: string }; row: RefreshRow & { id: string; requested_at: Date } }>(
  `select id, requested_at, finished_at, found_count from thread_refreshes where id = $id::uuid`,
)
const startRefreshRow = statement<{
  params: { statusId: string; now: Date; requestedBefore: Date; runningSince: Date; maxRunning: number }
  row: { id: string }
}>(
  `insert into thread_refreshes (status_id, requested_at, pending_pages)
   select s.id, $now, jsonb_build_array(jsonb_build_object('uri', s.uri)) from statuses s
   where s.id = $statusId and (select count(*) from thread_refreshes where finished_at is null
     and requested_at > $runningSince) < $maxRunning::int
   on conflict (status_id) do update set id = gen_random_uuid(), requested_at = excluded.requested_at, finished_at = null,
     found_count = 0, pending_pages = excluded.pending_pages, statuses_fetched = 0, pages_fetched = 0
   where thread_refreshes.requested_at <= $requestedBefore
   returning id`,
)
const expire = statement<{ params: { requestedAt: Date } }>(
  `delete from thread_refreshes where requested_at < $requestedAt`,
)

/**
 * Starts to fetch the unknown replies to a remote status, whose thread a user opened, from other servers, unless its
 * last refresh is too recent. Returns the running refresh, null if none is running.
 */
export async function refreshThread(ctx: Ctx, { statusId }: { statusId: string }): Promise<ThreadRefresh | null> {
  const now = ctx.now()
  const [row] = await findOfStatus(ctx.db, { statusId, createdAt: new Date(now.getTime() - MIN_STATUS_AGE_MS) })
  if (!row) return null
  const latest = row.id === null ? null : toThreadRefresh({ ...row, id: row.id }, now)
  if (latest && !latest.isFinished) return latest
  if (row.requested_at !== null && row.requested_at.getTime() > now.getTime() - REFRESH_COOLDOWN_MS) return null
  return ctx.write(async (tx) => startRefresh(tx, { statusId }))
}

async function startRefresh(tx: Tx, { statusId }: { statusId: string }): Promise<ThreadRefresh | null> {
  const before = (ms: number) => new Date(tx.now.getTime() - ms)
  const [row] = await startRefreshRow(tx.db, {
    statusId,
    now: tx.now,
    requestedBefore: before(REFRESH_COOLDOWN_MS),
    runningSince: before(REFRESH_TIMEOUT_MS),
    maxRunning: MAX_RUNNING,
  })
  if (!row) return null
  tx.emit('replies.refresh_requested', { refreshId: row.id })
  return { id: row.id, isFinished: false, foundCount: 0 }
}

/** Returns a refresh by its id; null if it does not exist, or not any more. */
export async function findThreadRefresh(
  read: Pick<Read, 'db'>,
  { id, now }: { id: string; now: Date },
): Promise<ThreadRefresh | null> {
  const [row] = UUID.test(id) ? await findById(read.db, { id }) : []
  return row && row.id !== null ? toThreadRefresh({ ...row, id: row.id }, now) : null
}

function toThreadRefresh(
  { id, requested_at, finished_at, found_count }: RefreshRow & { id: string },
  now: Date,
): ThreadRefresh {
  const isTimedOut = requested_at !== null && requested_at.getTime() <= now.getTime() - REFRESH_TIMEOUT_MS
  return { id, foundCount: found_count, isFinished: finished_at !== null || isTimedOut }
}

/** Effect: deletes refreshes that started more than a day ago. */
export async function expireThreadRefreshes(ctx: Ctx): Promise<void> {
  await expire(ctx.db, { requestedAt: new Date(ctx.now().getTime() - RETENTION_MS) })
}
