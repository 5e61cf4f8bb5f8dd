import { useParams } from '@tanstack/react-router'
import { AnnualReport } from '../../features/annual-reports/annual-report.tsx'
import { message } from '../../lib/i18n/messages.ts'
import { PageHead } from '../../ui/page/page-head.tsx'

export function AnnualReportPage() {
  const { year } = useParams({ from: '/annual_reports/$year' })
  return (
    <>
      <PageHead title={message('web.annual-report.title', { year })} back />
      <AnnualReport key={year} year={year} />
    </>
  )
}
