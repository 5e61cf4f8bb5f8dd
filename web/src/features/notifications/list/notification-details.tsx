import { Link } from '@tanstack/react-router'
import type { LoadedGroup } from '../notification-groups.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { CollectionLink } from '../../collections/lists/collection-link.tsx'
import { explanationOf } from './notification-sentence.ts'
import styles from './notification-details.module.css'

/** What follows the sentence of a notification that has no post: its explanation and a link to more. */
export function NotificationDetails({ group, fallback }: { group: LoadedGroup; fallback: string | null }) {
  const text = fallback ?? explanationOf(group)
  const { event, report, moderationWarning, annualReport, collection } = group
  return (
    <>
      {text && <p className={styles.text}>{text}</p>}
      {report && report.comment !== '' && (
        <p className={styles.text} dir="auto">
          {report.comment}
        </p>
      )}
      {report && (
        <a className={styles.more} href={`/admin/reports/${report.id}`} data-key="o">
          {message('web.notifications.open-report')}
        </a>
      )}
      {event && (
        <a className={styles.more} href="/severed_relationships" data-key="o">
          {message('web.notifications.severed.show')}
        </a>
      )}
      {moderationWarning && (
        <a className={styles.more} href={`/settings/strikes/${moderationWarning.id}`} data-key="o">
          {message('web.notifications.open-warning')}
        </a>
      )}
      {annualReport && (
        <Link to="/annual_reports/$year" params={{ year: annualReport.year }} className={styles.more} data-key="o">
          {message('web.notifications.open-annual-report')}
        </Link>
      )}
      {collection && <CollectionLink collection={collection} isBoxed />}
    </>
  )
}
