import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { clientSettings, useClientSettings } from '../../lib/settings.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { annualReportStateQuery, unreadReportsQuery } from './annual-report-queries.ts'
import styles from './annual-report-bar.module.css'

/** Announces that the user can request or open the report of a year, until it was read or the bar was closed. */
export function AnnualReportBar({ year }: { year: string }) {
  const { dismissedReport } = useClientSettings()
  const isDismissed = dismissedReport === year
  const { data: state } = useQuery({ ...annualReportStateQuery(year), enabled: !isDismissed, refetchInterval: false })
  const { data: unread } = useQuery({ ...unreadReportsQuery, enabled: state === 'available' })
  const isOpen = state === 'available' ? unread?.includes(year) : state === 'eligible' || state === 'generating'
  if (isDismissed || !isOpen) return null
  const dismiss = () => {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    clientSettings.change({ dismissedReport: year })
  }
  return (
    <section className={styles.bar} aria-labelledby="annual-report-title">
      <Icon name="chart" />
      <div className={styles.texts}>
        <h2 id="annual-report-title" className={styles.title}>
          {message('web.annual-report.title', { year })}
        </h2>
        <p>{message(state === 'available' ? 'web.annual-report.ready' : 'web.annual-report.offer')}</p>
        <p className={styles.action}>
          <Link to="/annual_reports/$year" params={{ year }} className="button button-small">
            {message('web.annual-report.open')}
          </Link>
        </p>
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label={message('web.annual-report.dismiss')}
        title={message('web.annual-report.dismiss')}
        onClick={dismiss}
      >
        <Icon name="close" />
      </button>
    </section>
  )
}
