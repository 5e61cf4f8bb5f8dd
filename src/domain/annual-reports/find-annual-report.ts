import { NotFoundError } from '../../lib/errors.ts'
import { firstStatusIdAt } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { findCampaignYear } from './annual-report-campaign.ts'

/** A report that is not finished after this time counts as failed, and can be requested again. */
export const GENERATION_TIMEOUT_MS = 10 * 60_000

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** The figures of a user's year. */
export interface YearFigures {
  /** Posts that are not replies to others. */
  posts: number
  /** Replies to others. */
  replies: number
  reblogs: number
  /** Posts with a poll. */
  polls: number
  /** Present followers who followed within the year. */
  followers: number
  topHashtag: { name: string; count: number } | null
  /** The public post with the most reblogs. */
  mostRebloggedId: string | null
}

export interface ReportRow {
  account_id: string
  year: number
  data: YearFigures
}

interface ReportKey {
  accountId: string
  year: number
}

/** Returns the smallest ids that statuses of a year and of the next year can have. */
export function statusIdRange(year: number): { firstId: string; endId: string } {
  return {
    firstId: firstStatusIdAt(new Date(Date.UTC(year, 0))),
    endId: firstStatusIdAt(new Date(Date.UTC(year + 1, 0))),
  }
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
const findReportStatus = statement<{
  params: { accountId: string; year: number }
  row: { is_done: boolean; requested_at: Date }
}>(
  `select data is not null as is_done, requested_at from annual_reports where account_id = $accountId and year = $year`,
)
const findRefreshRow = statement<{
  params: { accountId: string; refreshId: string }
  row: { is_done: boolean; requested_at: Date }
}>(
  `select data is not null as is_done, requested_at from annual_reports where account_id = $accountId
    and refresh_id = $refreshId::uuid`,
)
const findAnyStatus = statement<{ params: { accountId: string; firstId: string; endId: string } }>(
  `select from statuses where account_id = $accountId and id >= $firstId and id < $endId and deleted_at is null limit 1`,
)

/** Returns a user's unread reports, latest year first (Mastodon: GET /api/v1/annual_reports). */
export async function listUnreadReports(read: Read, { accountId }: { accountId: string }): Promise<ReportRow[]> {
  return findUnread(read.db, { accountId })
}

/** Returns a user's report of a year. @throws NotFoundError */
export async function findReport(read: Read, { accountId, year }: ReportKey): Promise<ReportRow> {
  const [row] = await findOne(read.db, { accountId, year })
  if (!row) throw new NotFoundError()
  return row
}

/** Marks a user's report of a year as read. @throws NotFoundError */
export async function markReportRead(tx: Tx, { accountId, year }: ReportKey): Promise<void> {
  const [row] = await markRead(tx.db, { accountId, year, now: tx.now })
  if (!row) throw new NotFoundError()
}

export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

/** Returns whether a user has a report of a year, or can request one: during its campaign, with at least one post. */
export async function findReportState(
  read: Read,
  { accountId, year, now }: ReportKey & { now: Date },
): Promise<ReportState> {
  const [row] = await findReportStatus(read.db, { accountId, year })
  if (row?.is_done) return 'available'
  if (row && !isTimedOut(row, now)) return 'generating'
  if (year !== (await findCampaignYear(read, { now }))) return 'ineligible'
  const posts = await findAnyStatus(read.db, { accountId, ...statusIdRange(year) })
  return posts.length > 0 ? 'eligible' : 'ineligible'
}

/** Returns the progress of a user's report by the id that `requestAnnualReport` returned; null if the id is unknown. */
export async function findReportRefresh(
  read: Read,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<{ id: string; status: 'running' | 'finished' } | null> {
  const [row] = UUID.test(id) ? await findRefreshRow(read.db, { accountId, refreshId: id }) : []
  return row ? { id, status: row.is_done || isTimedOut(row, now) ? 'finished' : 'running' } : null
}

function isTimedOut({ requested_at }: { requested_at: Date }, now: Date): boolean {
  return requested_at.getTime() <= now.getTime() - GENERATION_TIMEOUT_MS
}
