import { ConflictError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** The timelines whose read positions are stored. */
export const MARKER_TIMELINES = ['home', 'notifications'] as const

export type MarkerTimeline = (typeof MARKER_TIMELINES)[number]

/** The read position of a user in a timeline (Mastodon's Marker entity). */
export interface MarkerRow {
  timeline: MarkerTimeline
  last_read_id: string
  version: number
  updated_at: Date
}

const COLUMNS = 'timeline, last_read_id, version, updated_at'
const select = statement<{ params: { accountId: string; timelines: readonly string[] }; row: MarkerRow }>(
  `select ${COLUMNS} from markers where account_id = $accountId and timeline = any($timelines)`,
)
const insert = statement<{
  params: { accountId: string; timeline: string; lastReadId: string; now: Date }
  row: MarkerRow
}>(
  `insert into markers (account_id, timeline, last_read_id, version, updated_at)
   values ($accountId, $timeline, $lastReadId, 0, $now)
   on conflict do nothing returning ${COLUMNS}`,
)
const update = statement<{
  params: { accountId: string; timeline: string; lastReadId: string; now: Date; version: number }
  row: MarkerRow
}>(
  `update markers set last_read_id = $lastReadId, updated_at = $now, version = version + 1
   where account_id = $accountId and timeline = $timeline and version = $version returning ${COLUMNS}`,
)

/** Returns a user's read positions in timelines (Mastodon: GET /api/v1/markers). Omits timelines without one. */
export async function findMarkers(
  read: Pick<Read, 'db'>,
  { accountId, timelines }: { accountId: string; timelines: readonly MarkerTimeline[] },
): Promise<MarkerRow[]> {
  return select(read.db, { accountId, timelines })
}

/**
 * Stores a user's read positions, also if they are lower than before (Mastodon: POST /api/v1/markers). Stores all or
 * none.
 * @throws ConflictError if a concurrent request changed one
 */
export async function saveMarkers(
  tx: Tx,
  { accountId, positions }: { accountId: string; positions: ReadonlyMap<MarkerTimeline, string> },
): Promise<MarkerRow[]> {
  const stored = await select(tx.db, { accountId, timelines: [...positions.keys()] })
  const saved: MarkerRow[] = []
  // Always in this order, so that concurrent requests cannot deadlock.
  for (const timeline of MARKER_TIMELINES) {
    const lastReadId = positions.get(timeline)
    if (lastReadId === undefined) continue
    const values = { accountId, timeline, lastReadId, now: tx.now }
    const before = stored.find((marker) => marker.timeline === timeline)
    const [row] = before ? await update(tx.db, { ...values, version: before.version }) : await insert(tx.db, values)
    if (!row) throw new ConflictError()
    saved.push(row)
  }
  return saved
}
