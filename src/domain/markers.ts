import { Conflict } from '../lib/errors.ts'
import { statement } from '../platform/db/statement.ts'
import type { Read, Tx } from './context.ts'

/** The places whose reading is remembered. */
export const MARKED_TIMELINES = ['home', 'notifications'] as const

export type MarkedTimeline = (typeof MARKED_TIMELINES)[number]

/** How far somebody has read. */
export interface MarkerRow {
  timeline: MarkedTimeline
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
  `insert into markers (account_id, timeline, last_read_id, updated_at) values ($accountId, $timeline, $lastReadId,
    $now)
   on conflict do nothing returning ${COLUMNS}`,
)
const update = statement<{
  params: { accountId: string; timeline: string; lastReadId: string; now: Date; version: number }
  row: MarkerRow
}>(
  `update markers set last_read_id = $lastReadId, updated_at = $now, version = version + 1
   where account_id = $accountId and timeline = $timeline and version = $version returning ${COLUMNS}`,
)

/** How far somebody has read in these places; those never marked are left out. */
export async function readMarkers(
  read: Pick<Read, 'db'>,
  { accountId, timelines }: { accountId: string; timelines: readonly MarkedTimeline[] },
): Promise<MarkerRow[]> {
  return select(read.db, { accountId, timelines })
}

/**
 * Remembers how far somebody has read, also when that is less far than before. All places or none are written.
 * @throws Conflict when another write came between
 */
export async function saveMarkers(
  tx: Tx,
  { accountId, positions }: { accountId: string; positions: ReadonlyMap<MarkedTimeline, string> },
): Promise<MarkerRow[]> {
  const known = await select(tx.db, { accountId, timelines: [...positions.keys()] })
  const saved: MarkerRow[] = []
  // Always in this order, so that two requests never wait for each other.
  for (const timeline of MARKED_TIMELINES) {
    const lastReadId = positions.get(timeline)
    if (lastReadId === undefined) continue
    const values = { accountId, timeline, lastReadId, now: tx.now }
    const before = known.find((one) => one.timeline === timeline)
    const [row] = before ? await update(tx.db, { ...values, version: before.version }) : await insert(tx.db, values)
    if (!row) throw new Conflict()
    saved.push(row)
  }
  return saved
}
