import { lazy } from 'react'
import { loadMessages } from '../../lib/i18n/messages.ts'
import { startData } from '../../lib/start-data.ts'
import { LazyPart } from '../../ui/lazy-part.tsx'

const AnnualReportBar = lazy(async () => {
  const [{ AnnualReportBar }] = await Promise.all([import('./annual-report-bar.tsx'), loadMessages('annual-report')])
  return { default: AnnualReportBar }
})

/** The announcement of the annual report in the weeks in which the server has reports. */
export function AnnualReportEntry() {
  const year = startData.annualReportYear
  return <LazyPart isOptional>{year !== null && <AnnualReportBar year={String(year)} />}</LazyPart>
}
