import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'

const MINUTE_MS = 60_000

/** Nobody has answered yet what is younger. */
export const YOUNG_MS = 5 * MINUTE_MS

/** A status is not asked for its replies again before. */
export const PAUSE_MS = 15 * MINUTE_MS

/** Then a search is over, whatever is left. */
export const LONGEST_MS = 10 * MINUTE_MS

/** For so many threads others are asked at once: who opens more of them finds what is here. */
const MAX_RUNNING = 8

/** How long it is remembered that a status was asked. */
const KEPT_MS = 24 * 60 * MINUTE_MS

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** How the search for the replies to a status of another server goes. */
export interface ThreadRefresh {
  id: string
  isFinished: boolean
  /** Replies that were not known before. */
  found: number
}

interface RefreshRow {
  /** null: the status was never asked for its replies. */
  id: string | null
  asked_at: Date | null
  finished_at: Date | null
  found: number
}

const findOfStatus = statement<{ params: { statusId: string; createdAt: Date }; row: RefreshRow }>(
  `select r.id, r.asked_at, r.finished_at, r.found
   from statuses s left join thread_refreshes r on r.status_id = s.id
   where s.id = $statusId and not s.local and s.reblog_of_id is null and s.deleted_at is null
     and s.visibility in ('public', 'unlisted') and s.created_at <= $createdAt`,
)
const findById = statement<{ params: { id: string }; row: RefreshRow & { id: string; asked_at: Date } }>(
  `select id, asked_at, finished_at, found from thread_refreshes where id = $id::uuid`,
)
const begin = statement<{
  params: { statusId: string; now: Date; askedBefore: Date; runningSince: Date; maxRunning: number }
  row: { id: string }
}>(
  `insert into thread_refreshes (status_id, asked_at, waiting)
   select s.id, $now, jsonb_build_array(jsonb_build_object('uri', s.uri)) from statuses s
   where s.id = $statusId and (select count(*) from thread_refreshes where finished_at is null
     and asked_at > $runningSince) < $maxRunning::int
   on conflict (status_id) do update set id = gen_random_uuid(), asked_at = excluded.asked_at, finished_at = null,
     found = 0, waiting = excluded.waiting, posts_asked = 0, pages_asked = 0
   where thread_refreshes.asked_at <= $askedBefore
   returning id`,
)
const expire = statement<{ params: { askedAt: Date } }>(`delete from thread_refreshes where asked_at < $askedAt`)

/**
 * Somebody opens the thread of a status of another server: lets others be asked for replies that are not known here,
 * unless that was done lately, or is being done. Gives the search that goes on, null when none does.
 */
export async function refreshThread(ctx: Ctx, { statusId }: { statusId: string }): Promise<ThreadRefresh | null> {
  const now = ctx.now()
  const [row] = await findOfStatus(ctx.db, { statusId, createdAt: new Date(now.getTime() - YOUNG_MS) })
  if (!row) return null
  const known = row.id === null ? null : present({ ...row, id: row.id }, now)
  if (known && !known.isFinished) return known
  if (row.asked_at !== null && row.asked_at.getTime() > now.getTime() - PAUSE_MS) return null
  return ctx.write(async (tx) => beginRefresh(tx, { statusId }))
}

async function beginRefresh(tx: Tx, { statusId }: { statusId: string }): Promise<ThreadRefresh | null> {
  const before = (ms: number) => new Date(tx.now.getTime() - ms)
  const [row] = await begin(tx.db, {
    statusId,
    now: tx.now,
    askedBefore: before(PAUSE_MS),
    runningSince: before(LONGEST_MS),
    maxRunning: MAX_RUNNING,
  })
  if (!row) return null
  tx.emit('replies.asked', { refreshId: row.id })
  return { id: row.id, isFinished: false, found: 0 }
}

/** A search by its id; null when there is none, or none any more. */
export async function findRefresh(
  read: Pick<Read, 'db'>,
  { id, now }: { id: string; now: Date },
): Promise<ThreadRefresh | null> {
  const [row] = UUID.test(id) ? await findById(read.db, { id }) : []
  return row && row.id !== null ? present({ ...row, id: row.id }, now) : null
}

function present({ id, asked_at, finished_at, found }: RefreshRow & { id: string }, now: Date): ThreadRefresh {
  const isOver = asked_at !== null && asked_at.getTime() <= now.getTime() - LONGEST_MS
  return { id, found, isFinished: finished_at !== null || isOver }
}

/** Effect: forgets when statuses were asked for their replies, once that does not matter any more. */
export async function expireRefreshes(ctx: Ctx): Promise<void> {
  await expire(ctx.db, { askedAt: new Date(ctx.now().getTime() - KEPT_MS) })
}
