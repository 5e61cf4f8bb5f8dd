import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { loadMessages } from '../../lib/i18n/messages.ts'
import { instanceQuery } from '../instance/instance.ts'

const AnnualReportBar = lazy(async () => {
  const [{ AnnualReportBar }] = await Promise.all([import('./annual-report-bar.tsx'), loadMessages('annual-report')])
  return { default: AnnualReportBar }
})

/** The announcement of the annual report in the weeks in which the server has reports. */
export function AnnualReportEntry() {
  const { data: instance } = useQuery(instanceQuery)
  const year = instance?.wrapstodon
  return <Suspense fallback={null}>{typeof year === 'number' && <AnnualReportBar year={String(year)} />}</Suspense>
}
