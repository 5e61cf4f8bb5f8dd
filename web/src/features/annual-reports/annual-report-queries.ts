import { queryOptions } from '@tanstack/react-query'
import type { AnnualReport, Status } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { saveStatuses } from '../statuses/status-store.ts'

/** Between two requests for the state of a report that the server generates. */
const POLL_MS = 2_000

/** `eligible`: the user can request the report. `ineligible`: there is none, and none can be requested. */
type AnnualReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

/** Endpoints of Mastodon 4.3 to 4.6 that masto.js does not type. */
interface AnnualReports {
  fetch(): Promise<{ annualReports: AnnualReport[] }>
  $select(year: string): {
    fetch(): Promise<{ annualReports: AnnualReport[]; statuses: Status[] }>
    state: { fetch(): Promise<{ state: AnnualReportState }> }
    generate(): Promise<void>
    read(): Promise<void>
  }
}

const reports = () => (api().v1 as unknown as { annualReports: AnnualReports }).annualReports

/** Whether the user has a report of a year, asked again while the server generates it. */
export const annualReportStateQuery = (year: string) =>
  queryOptions({
    queryKey: ['annual-report-state', year],
    queryFn: async () => (await reports().$select(year).state.fetch()).state,
    refetchInterval: ({ state }) => (state.data === 'generating' ? POLL_MS : false),
  })

/** The years of the reports that the user has not read yet. */
export const unreadReportsQuery = queryOptions({
  queryKey: ['annual-reports-unread'],
  queryFn: async () => (await reports().fetch()).annualReports.map(({ year }) => String(year)),
})

/** The report of a year. Its statuses are in the store. */
export const annualReportQuery = (year: string) =>
  queryOptions({
    queryKey: ['annual-report', year],
    queryFn: async () => {
      const { annualReports, statuses } = await reports().$select(year).fetch()
      saveStatuses(statuses)
      return annualReports[0]!
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Requests the report of a year. @throws the error of the request */
export async function generateReport(year: string): Promise<void> {
  await reports().$select(year).generate()
}

/** Records that the user has seen the report of a year. @throws the error of the request */
export async function markReportRead(year: string): Promise<void> {
  await reports().$select(year).read()
}
