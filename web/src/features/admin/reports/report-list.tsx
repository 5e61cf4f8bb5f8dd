import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { REPORT_FILTERS, reportsQuery } from './report-queries.ts'
import type { ReportFilter } from './report-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './report-list.module.css'

/** The reports, the newest first. */
export function ReportList({ filter }: { filter: ReportFilter }) {
  const staff = useStaff()
  const query = useInfiniteQuery(reportsQuery(filter, staff?.accountId))
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {REPORT_FILTERS.map((name) => (
          <Link key={name} to="/admin/reports" search={{ filter: name }} aria-current={name === filter}>
            {message(`web.admin.reports.filter.${name}`)}
          </Link>
        ))}
      </nav>
      <AdminList query={query} empty={message('web.admin.reports.empty')}>
        {(report) => <ReportRow report={report} />}
      </AdminList>
    </>
  )
}

function ReportRow({ report }: { report: AdminReport }) {
  const { account } = report.targetAccount
  return (
    <article className={styles.row} tabIndex={0} aria-label={`@${account.acct}`}>
      <Avatar account={account} />
      <div className={styles.body}>
        <Link to="/admin/reports/$id" params={{ id: report.id }} className={styles.link} data-key="o">
          <strong>
            <DisplayName account={account} />
          </strong>{' '}
          <bdi className={admin.soft}>@{account.acct}</bdi>
        </Link>
        {report.comment !== '' && (
          <p className={styles.comment} dir="auto">
            {report.comment}
          </p>
        )}
        <p className={admin.soft}>
          {message(`web.admin.reports.category.${report.category}`)} ·{' '}
          {message('web.admin.reports.posts', { count: report.statuses.length })} · <TimeAgo time={report.createdAt} />
          {report.assignedAccount && (
            <>
              {' · '}
              {message('web.admin.reports.assigned-to', { name: `@${report.assignedAccount.username}` })}
            </>
          )}
        </p>
      </div>
    </article>
  )
}
