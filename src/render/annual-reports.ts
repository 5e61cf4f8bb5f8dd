import type { ReportRow, YearFigures } from '../domain/annual-reports/find.ts'
import type { Read } from '../domain/context.ts'
import { keepVisible } from '../domain/statuses/keep-visible.ts'
import type { Account } from '../entities/account.ts'
import type { AnnualReport } from '../entities/annual-report.ts'
import type { Status } from '../entities/status.ts'
import { jsonArray, jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { renderAccounts } from './accounts.ts'
import { renderStatuses } from './statuses.ts'

/** The form of `data` that clients of today know. */
const SCHEMA_VERSION = 2

/** Whoever did less than two things a week mostly read. */
const BUSY_PER_YEAR = 104

/** Reports with what they name, as they are handed out. */
export interface ReportsWithNamed {
  annual_reports: AnnualReport[]
  accounts: Account[]
  statuses: Status[]
}

/** Reports of the viewer, in order. A post that is gone by now is not named. */
export async function renderAnnualReports(
  read: Read,
  { rows, viewerId }: { rows: readonly ReportRow[]; viewerId: string },
): Promise<Json<ReportsWithNamed>> {
  const named = rows.flatMap(({ data }) => data.mostBoostedId ?? [])
  const ids = await keepVisible(read, { ids: named, viewerId })
  const [accounts, statuses] = await Promise.all([
    renderAccounts(read, { ids: rows.length === 0 ? [] : [viewerId] }),
    renderStatuses(read, { ids, viewerId }),
  ])
  const known = new Set(ids)
  return jsonObject<ReportsWithNamed>({
    annual_reports: toJson(rows.map((row) => present(row, known))),
    accounts: jsonArray(accounts),
    statuses: jsonArray(statuses),
  })
}

function present({ account_id, year, data }: ReportRow, known: ReadonlySet<string>): AnnualReport {
  const { posts, replies, boosts, followers, topHashtag, mostBoostedId } = data
  return {
    year,
    data: {
      archetype: archetypeOf(data),
      time_series: [{ month: 12, statuses: posts + replies + boosts, followers }],
      top_hashtags: topHashtag ? [topHashtag] : [],
      top_statuses: {
        by_reblogs: mostBoostedId !== null && known.has(mostBoostedId) ? mostBoostedId : null,
        by_favourites: null,
        by_replies: null,
      },
    },
    schema_version: SCHEMA_VERSION,
    share_url: null,
    account_id,
  }
}

function archetypeOf({ posts, replies, boosts, polls }: YearFigures): AnnualReport['data']['archetype'] {
  if (posts + replies + boosts < BUSY_PER_YEAR) return 'lurker'
  if (boosts > 2 * posts) return 'booster'
  if (polls > posts / 10) return 'pollster'
  return replies > 2 * posts ? 'replier' : 'oracle'
}
