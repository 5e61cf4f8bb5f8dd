import { NotFound } from '../../lib/errors.ts'
import { statusIdAt } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { findCampaignYear } from './campaign.ts'

/** A report that is not done by then will not be, and may be asked for again. */
export const LONGEST_MS = 10 * 60_000

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** What somebody's year was like. */
export interface YearFigures {
  /** Own posts that answer nobody else, answers to others, boosts, and posts with a poll. */
  posts: number
  replies: number
  boosts: number
  polls: number
  /** Followers of now who came in the year. */
  followers: number
  topHashtag: { name: string; count: number } | null
  /** The public post that was boosted most. */
  mostBoostedId: string | null
}

export interface ReportRow {
  account_id: string
  year: number
  data: YearFigures
}

interface Whose {
  accountId: string
  year: number
}

/** The smallest ids of statuses of a year, and of what comes after it. */
export function statusIdsOf(year: number): { firstId: string; endId: string } {
  return { firstId: statusIdAt(new Date(Date.UTC(year, 0))), endId: statusIdAt(new Date(Date.UTC(year + 1, 0))) }
}

const COLUMNS = 'account_id, year, data'
const findUnread = statement<{ params: { accountId: string }; row: ReportRow; notNull: 'data' }>(
  `select ${COLUMNS} from annual_reports where account_id = $accountId and data is not null and read_at is null
    order by year desc`,
)
const findOne = statement<{ params: { accountId: string; year: number }; row: ReportRow; notNull: 'data' }>(
  `select ${COLUMNS} from annual_reports where account_id = $accountId and year = $year and data is not null`,
)
const markRead = statement<{ params: { accountId: string; year: number; now: Date }; row: { id: string } }>(
  `update annual_reports set read_at = coalesce(read_at, $now) where account_id = $accountId and year = $year
    and data is not null
   returning id`,
)
const findAsked = statement<{ params: { accountId: string; year: number }; row: { is_done: boolean; asked_at: Date } }>(
  `select data is not null as is_done, asked_at from annual_reports where account_id = $accountId and year = $year`,
)
const findRefresh = statement<{
  params: { accountId: string; refreshId: string }
  row: { is_done: boolean; asked_at: Date }
}>(
  `select data is not null as is_done, asked_at from annual_reports where account_id = $accountId
    and refresh_id = $refreshId::uuid`,
)
const findAny = statement<{ params: { accountId: string; firstId: string; endId: string } }>(
  `select from statuses where account_id = $accountId and id >= $firstId and id < $endId and deleted_at is null limit 1`,
)

/** Reports that somebody has not read yet, that of the latest year first. */
export async function readUnreadReports(read: Read, { accountId }: { accountId: string }): Promise<ReportRow[]> {
  return findUnread(read.db, { accountId })
}

/** @throws NotFound */
export async function findReport(read: Read, { accountId, year }: Whose): Promise<ReportRow> {
  const [row] = await findOne(read.db, { accountId, year })
  if (!row) throw new NotFound()
  return row
}

/** @throws NotFound */
export async function markReportRead(tx: Tx, { accountId, year }: Whose): Promise<void> {
  const [row] = await markRead(tx.db, { accountId, year, now: tx.now })
  if (!row) throw new NotFound()
}

export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

/** Whether somebody has a report of a year, or can have one: now is the time for it, and they posted something. */
export async function findReportState(
  read: Read,
  { accountId, year, now }: Whose & { now: Date },
): Promise<ReportState> {
  const [row] = await findAsked(read.db, { accountId, year })
  if (row?.is_done) return 'available'
  if (row && !isOver(row, now)) return 'generating'
  if (year !== (await findCampaignYear(read, { now }))) return 'ineligible'
  const posts = await findAny(read.db, { accountId, ...statusIdsOf(year) })
  return posts.length > 0 ? 'eligible' : 'ineligible'
}

/** How the making of somebody's report goes, by the id that they were told; null when it is none. */
export async function findReportRefresh(
  read: Read,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<{ id: string; status: 'running' | 'finished' } | null> {
  const [row] = UUID.test(id) ? await findRefresh(read.db, { accountId, refreshId: id }) : []
  return row ? { id, status: row.is_done || isOver(row, now) ? 'finished' : 'running' } : null
}

function isOver({ asked_at }: { asked_at: Date }, now: Date): boolean {
  return asked_at.getTime() <= now.getTime() - LONGEST_MS
}
