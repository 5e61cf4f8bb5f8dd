import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import type { Status } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { api } from '../../../lib/session.ts'
import { saveStatus } from '../../statuses/status-store.ts'
import { listQuery } from '../shared/list/list-query.ts'

/** Which reports a list contains. */
export type ReportFilter = 'unresolved' | 'mine' | 'resolved'
export const REPORT_FILTERS: readonly ReportFilter[] = ['unresolved', 'mine', 'resolved']

const fetchReports = async (parameters: object) => (await adminApi('reports').fetch(parameters)) as AdminReport[]

/** `staffId`: the account whose assigned reports are `mine`. */
export const reportsQuery = (filter: ReportFilter, staffId: string | undefined) =>
  listQuery(['reports', filter], (page) =>
    fetchReports({
      ...page,
      resolved: filter === 'resolved',
      ...(filter === 'mine' && { assignedAccountId: staffId }),
    }),
  )

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'report', id],
    queryFn: async () => (await adminApi('reports', id).fetch()) as AdminReport,
  })

/** All reports about an account, the newest first. */
export const reportsAboutQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['admin', 'reports', 'about', accountId],
    queryFn: () => fetchReports({ targetAccountId: accountId, resolved: true, unresolved: true }),
  })

/** All reports by an account. */
export const reportsByQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['admin', 'reports', 'by', accountId],
    queryFn: () => fetchReports({ accountId, resolved: true, unresolved: true }),
  })

/** The id of the status to which a reported status replies; null if it is not visible any more. */
export const parentQuery = (parentId: string) =>
  queryOptions({
    queryKey: ['admin', 'parent', parentId],
    queryFn: async () => {
      try {
        return saveStatus((await api().v1.statuses.$select(parentId).fetch()) as unknown as Status)
      } catch {
        return null
      }
    },
  })

/** Returns the id of the open report after this one in the list, from the start if it is the last one; else null. */
export async function findNextReport(id: string): Promise<string | null> {
  const [older] = await fetchReports({ maxId: id, limit: 1 })
  if (older) return older.id
  const newest = await fetchReports({ limit: 2 })
  return newest.find((report) => report.id !== id)?.id ?? null
}

/** Returns the sentence that names who resolved a report. */
export function describeResolution({ actionTakenByAccount: decider }: AdminReport): string {
  return decider
    ? message('web.admin.reports.resolved-by', { name: `@${decider.username}` })
    : message('web.admin.reports.resolved')
}
