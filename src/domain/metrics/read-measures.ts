import type { Read } from '../context.ts'
import {
  selectActiveUsers,
  selectInstanceAccounts,
  selectInstanceFollowers,
  selectInstanceFollows,
  selectInstanceMedia,
  selectInstanceReports,
  selectInstanceStatuses,
  selectInteractions,
  selectNewUsers,
  selectOpenedReports,
  selectResolvedReports,
  selectTagAccounts,
  selectTagServers,
  selectTagUses,
} from './measure-statements.ts'
import type { MeasureRow } from './measure-statements.ts'
import { boundsOf, daysOf, findUntallied } from './period.ts'
import type { Period, PeriodIds, PeriodTimes, UntalliedCounts, UntalliedUses } from './period.ts'
import { requireTag } from './tagged-statuses.ts'

type Params = PeriodTimes & PeriodIds & UntalliedCounts & UntalliedUses
type Select<More> = (db: Read['db'], params: Params & More) => Promise<MeasureRow[]>

const SERVER_MEASURES = {
  active_users: selectActiveUsers,
  new_users: selectNewUsers,
  interactions: selectInteractions,
  opened_reports: selectOpenedReports,
  resolved_reports: selectResolvedReports,
} satisfies Record<string, Select<object>>

const TAG_MEASURES = {
  tag_accounts: selectTagAccounts,
  tag_uses: selectTagUses,
  tag_servers: selectTagServers,
} satisfies Record<string, Select<{ tagId: string }>>

// Their total is that of all times, so they have none for the period before.
const INSTANCE_MEASURES = {
  instance_accounts: selectInstanceAccounts,
  instance_media_attachments: selectInstanceMedia,
  instance_reports: selectInstanceReports,
  instance_statuses: selectInstanceStatuses,
  instance_follows: selectInstanceFollows,
  instance_followers: selectInstanceFollowers,
} satisfies Record<string, Select<{ domain: string }>>

type ServerMeasureKey = keyof typeof SERVER_MEASURES
type TagMeasureKey = keyof typeof TAG_MEASURES
type InstanceMeasureKey = keyof typeof INSTANCE_MEASURES

export const SERVER_MEASURE_KEYS = Object.keys(SERVER_MEASURES) as ServerMeasureKey[]
export const TAG_MEASURE_KEYS = Object.keys(TAG_MEASURES) as TagMeasureKey[]
export const INSTANCE_MEASURE_KEYS = Object.keys(INSTANCE_MEASURES) as InstanceMeasureKey[]

/** A requested measure: its key, and the hashtag or the server that it is about. */
export type MeasureRequest =
  | { key: ServerMeasureKey }
  | { key: TagMeasureKey; tagId: string }
  | { key: InstanceMeasureKey; domain: string }

/** Numbers are decimal strings. */
export interface Measure {
  key: MeasureRequest['key']
  /** Of the period; for `instance_` measures, of all times. */
  total: string
  /** Of the preceding period of the same length; null for `instance_` measures. */
  previousTotal: string | null
  /** The values of the days of the period. */
  days: string[]
}

/** Reads measures, each with one statement (Mastodon: POST /api/v1/admin/measures). @throws NotFoundError */
export async function readMeasures(
  read: Read,
  { requests, period }: { requests: readonly MeasureRequest[]; period: Period },
): Promise<Measure[]> {
  const measures: Measure[] = []
  if (requests.length === 0) return measures
  const params = { ...boundsOf(period), ...(await findUntallied(read)) }
  for (const request of requests) {
    const rows = await selectMeasure(read, request, params)
    measures.push(measureOf(request, { rows, period }))
  }
  return measures
}

async function selectMeasure(read: Read, request: MeasureRequest, bounds: Params): Promise<MeasureRow[]> {
  if ('tagId' in request) {
    await requireTag(read, { id: request.tagId })
    return TAG_MEASURES[request.key](read.db, { ...bounds, tagId: request.tagId })
  }
  if ('domain' in request) return INSTANCE_MEASURES[request.key](read.db, { ...bounds, domain: request.domain })
  return SERVER_MEASURES[request.key](read.db, bounds)
}

function measureOf(
  request: MeasureRequest,
  { rows, period }: { rows: readonly MeasureRow[]; period: Period },
): Measure {
  const totalOf = (isCurrent: boolean) =>
    rows.find((row) => row.day === null && row.is_current === isCurrent)?.value ?? '0'
  const byDay = new Map(rows.map((row) => [row.day, row.value]))
  return {
    key: request.key,
    total: totalOf(true),
    previousTotal: 'domain' in request ? null : totalOf(false),
    days: Array.from({ length: daysOf(period) }, (_, n) => byDay.get(period.firstDay + n) ?? '0'),
  }
}
