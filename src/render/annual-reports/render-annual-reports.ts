import type { ReportRow, YearFigures } from '../../domain/annual-reports/find.ts'
import type { CachedRead } from '../../domain/context.ts'
import { keepVisible } from '../../domain/statuses/keep-visible.ts'
import type { Account } from '../../entities/account.ts'
import type { AnnualReport } from '../../entities/annual-report.ts'
import type { Status } from '../../entities/status.ts'
import { entity, entityJson } from '../../lib/entity-json.ts'
import type { EntityJson } from '../../lib/entity-json.ts'
import { renderAccounts } from '../accounts/render-accounts.ts'
import { renderStatuses } from '../statuses/render-statuses.ts'

/** The version of `data` that clients know. */
const SCHEMA_VERSION = 2

/** Accounts with less than two statuses a week are lurkers. */
const BUSY_PER_YEAR = 104

/** Annual reports with the accounts and statuses that they name. */
export interface AnnualReports {
  annual_reports: AnnualReport[]
  accounts: Account[]
  statuses: Status[]
}

/** Returns the viewer's annual reports in order. They do not name a status that the viewer can no longer see. */
export async function renderAnnualReports(
  read: CachedRead,
  { rows, viewerId }: { rows: readonly ReportRow[]; viewerId: string },
): Promise<EntityJson<AnnualReports>> {
  const named = rows.flatMap(({ data }) => data.mostBoostedId ?? [])
  const ids = await keepVisible(read, { ids: named, viewerId })
  const [accounts, statuses] = await Promise.all([
    renderAccounts(read, { ids: rows.length === 0 ? [] : [viewerId] }),
    renderStatuses(read, { ids, viewerId }),
  ])
  const visible = new Set(ids)
  return entityJson<AnnualReports>({
    annual_reports: rows.map((row) => annualReportOf(row, visible)),
    accounts,
    statuses,
  })
}

function annualReportOf({ account_id, year, data }: ReportRow, visible: ReadonlySet<string>): AnnualReport {
  const { posts, replies, boosts, followers, topHashtag, mostBoostedId } = data
  return entity<AnnualReport>({
    year,
    data: {
      archetype: archetypeOf(data),
      time_series: [{ month: 12, statuses: posts + replies + boosts, followers }],
      top_hashtags: topHashtag ? [topHashtag] : [],
      top_statuses: {
        by_reblogs: mostBoostedId !== null && visible.has(mostBoostedId) ? mostBoostedId : null,
        by_favourites: null,
        by_replies: null,
      },
    },
    schema_version: SCHEMA_VERSION,
    share_url: null,
    account_id,
  })
}

function archetypeOf({ posts, replies, boosts, polls }: YearFigures): AnnualReport['data']['archetype'] {
  if (posts + replies + boosts < BUSY_PER_YEAR) return 'lurker'
  if (boosts > 2 * posts) return 'booster'
  if (polls > posts / 10) return 'pollster'
  return replies > 2 * posts ? 'replier' : 'oracle'
}
