import type { ReportRow, YearFigures } from '../../domain/annual-reports/find-annual-report.ts'
import type { CachedRead } from '../../domain/context.ts'
import { filterVisibleStatuses } from '../../domain/access/find-visible-statuses.ts'
import type { Account } from '../../entities/accounts/account.ts'
import type { AnnualReport } from '../../entities/notifications/annual-report.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { entity, entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccounts } from '../accounts/render-accounts.ts'
import { renderStatuses } from '../statuses/render-statuses.ts'

/** The version of `data` that clients support. */
const SCHEMA_VERSION = 2

/** Accounts with fewer statuses are lurkers: two a week. */
const MIN_STATUSES_PER_YEAR = 104

/** Annual reports with the accounts and statuses that they refer to. */
export interface AnnualReports {
  annual_reports: AnnualReport[]
  accounts: Account[]
  statuses: Status[]
}

/** Returns the viewer's annual reports in order. Omits statuses that the viewer can no longer see. */
export async function renderAnnualReports(
  read: CachedRead,
  { rows, viewerId }: { rows: readonly ReportRow[]; viewerId: string },
): Promise<EntityJson<AnnualReports>> {
  const statusIds = rows.flatMap(({ data }) => data.mostRebloggedId ?? [])
  const ids = await filterVisibleStatuses(read, { ids: statusIds, viewerId })
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
  const { posts, replies, reblogs, followers, topHashtag, mostRebloggedId } = data
  return entity<AnnualReport>({
    year,
    data: {
      archetype: archetypeOf(data),
      time_series: [{ month: 12, statuses: posts + replies + reblogs, followers }],
      top_hashtags: topHashtag ? [topHashtag] : [],
      top_statuses: {
        by_reblogs: mostRebloggedId !== null && visible.has(mostRebloggedId) ? mostRebloggedId : null,
        by_favourites: null,
        by_replies: null,
      },
    },
    schema_version: SCHEMA_VERSION,
    share_url: null,
    account_id,
  })
}

function archetypeOf({ posts, replies, reblogs, polls }: YearFigures): AnnualReport['data']['archetype'] {
  if (posts + replies + reblogs < MIN_STATUSES_PER_YEAR) return 'lurker'
  if (reblogs > 2 * posts) return 'booster'
  if (polls > posts / 10) return 'pollster'
  return replies > 2 * posts ? 'replier' : 'oracle'
}
