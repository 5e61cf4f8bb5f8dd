import { lazy, Suspense } from 'react'
import { loadMessages } from '../../lib/i18n/messages.ts'
import { startData } from '../../lib/start-data.ts'

const AnnualReportBar = lazy(async () => {
  const [{ AnnualReportBar }] = await Promise.all([import('./annual-report-bar.tsx'), loadMessages('annual-report')])
  return { default: AnnualReportBar }
})

/** The announcement of the annual report in the weeks in which the server has reports. */
export function AnnualReportEntry() {
  const year = startData.annualReportYear
  return <Suspense fallback={null}>{year !== null && <AnnualReportBar year={String(year)} />}</Suspense>
}
