import { queryOptions } from '@tanstack/react-query'
import { adminApi, adminApiV2 } from '../../../lib/api/admin-api.ts'
import type {
  AdminAccount,
  AdminAppeal,
  AdminCohort,
  AdminDeliveryHost,
  AdminDimension,
  AdminMeasure,
  AdminReport,
} from '../../../lib/api/admin-entities.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const RETENTION_MONTHS = 6

/** The measures of the dashboard, in this order. */
export const MEASURES = ['new_users', 'active_users', 'interactions', 'opened_reports', 'resolved_reports'] as const
export type MeasureKey = (typeof MEASURES)[number]

export const DIMENSIONS = ['servers', 'languages', 'sources', 'space_usage', 'software_versions'] as const
export type DimensionKey = (typeof DIMENSIONS)[number]

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The measures of the last 30 days, with today. */
export const measuresQuery = queryOptions({
  queryKey: ['admin', 'measures'],
  queryFn: async () => {
    const period = { startAt: dayOf(Date.now() - (DAYS - 1) * DAY_MS), endAt: dayOf(Date.now()) }
    return (await adminApi('measures').create({ keys: MEASURES, ...period })) as AdminMeasure[]
  },
})

export const dimensionsQuery = queryOptions({
  queryKey: ['admin', 'dimensions'],
  queryFn: async () => (await adminApi('dimensions').create({ keys: DIMENSIONS, limit: 8 })) as AdminDimension[],
})

/** The users who registered in each of the last months, with the part that came back. */
export const retentionQuery = queryOptions({
  queryKey: ['admin', 'retention'],
  queryFn: async () => {
    const now = new Date()
    const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - RETENTION_MONTHS + 1, 1)
    const period = { startAt: dayOf(start), endAt: dayOf(Date.now()), frequency: 'month' }
    return (await adminApi('retention').create(period)) as AdminCohort[]
  },
})

const LIMIT = 100

/** The rows of a list that wait for the staff. More than fit on a page are not counted. */
export interface OpenWork {
  count: number
  hasMore: boolean
  /** The time of the oldest row of the page; null if rows have no time. */
  oldest: string | null
}

function workOf(times: readonly (string | null)[], { hasMore }: { hasMore: boolean }): OpenWork {
  const oldest = times.filter((time) => time !== null).toSorted()[0] ?? null
  return { count: times.length, hasMore, oldest: hasMore ? null : oldest }
}

/** The kinds of open work, with the requests that list it. */
export const OPEN_WORK = {
  reports: async () => {
    const reports = (await adminApi('reports').fetch({ limit: LIMIT })) as AdminReport[]
    return workOf(times(reports), { hasMore: reports.length === LIMIT })
  },
  approvals: async () => {
    const filters = { origin: 'local', status: 'pending', limit: LIMIT }
    const accounts = (await adminApiV2('accounts').fetch(filters)) as AdminAccount[]
    return workOf(times(accounts), { hasMore: accounts.length === LIMIT })
  },
  appeals: async () => {
    const appeals = (await adminApi('appeals').fetch({ status: 'pending', limit: LIMIT })) as AdminAppeal[]
    return workOf(times(appeals), { hasMore: appeals.length === LIMIT })
  },
  deliveries: async () => {
    const hosts = (await adminApi('deliveries').fetch({ limit: LIMIT })) as AdminDeliveryHost[]
    const failing = hosts.filter((host) => host.unavailableSince !== null || host.failingDays > 0)
    return workOf(
      failing.map((host) => host.unavailableSince),
      { hasMore: failing.length === LIMIT },
    )
  },
} satisfies Record<string, () => Promise<OpenWork>>

export type OpenWorkKind = keyof typeof OPEN_WORK

const times = (rows: readonly { createdAt: string }[]) => rows.map(({ createdAt }) => createdAt)
