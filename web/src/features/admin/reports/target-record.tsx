import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { formatAge, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { AccountStates } from '../shared/list/account-states.tsx'
import { StrikeList } from '../shared/notes/strike-list.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { postsPerDay } from './posting-rate.ts'
import { reportsAboutQuery } from './report-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './target-record.module.css'

/** The reported account: its age, its posting rate, and earlier reports and strikes. */
export function TargetRecord({ report }: { report: AdminReport }) {
  const staff = useStaff()
  const { targetAccount } = report
  const { account } = targetAccount
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.reports.target')}</h2>
      <AccountLine account={account} />
      <AccountStates account={targetAccount} />
      {staff?.can('manageUsers') && (
        <Link to="/admin/accounts/$id" params={{ id: targetAccount.id }} className={styles.other}>
          {message('web.admin.accounts.open')}
        </Link>
      )}
      <dl className={admin.facts}>
        <dt>{message('web.admin.reports.joined')}</dt>
        <dd>{formatAge(new Date(targetAccount.createdAt), new Date())}</dd>
        <dt>{message('web.admin.reports.rate')}</dt>
        <dd>{formatNumber(postsPerDay(account, new Date()))}</dd>
        <dt>{message('web.admin.reports.followers')}</dt>
        <dd>{formatNumber(account.followersCount)}</dd>
        {targetAccount.domain !== null && (
          <>
            <dt>{message('web.admin.reports.server')}</dt>
            <dd>
              <bdi>{targetAccount.domain}</bdi>
            </dd>
          </>
        )}
      </dl>
      <OtherReports report={report} />
      {staff?.can('manageUsers') && <StrikeList accountId={targetAccount.id} />}
    </section>
  )
}

function OtherReports({ report }: { report: AdminReport }) {
  const { data: reports } = useQuery(reportsAboutQuery(report.targetAccount.id))
  const others = reports?.filter(({ id }) => id !== report.id)
  if (!others) return null
  return (
    <>
      <h3 className={styles.heading}>{message('web.admin.reports.others', { count: others.length })}</h3>
      <ul>
        {others.slice(0, 5).map((other) => (
          <li key={other.id}>
            <Link to="/admin/reports/$id" params={{ id: other.id }} className={styles.other}>
              {message(`web.admin.reports.category.${other.category}`)} ·{' '}
              {message(other.actionTaken ? 'web.admin.reports.closed' : 'web.admin.reports.open')} ·{' '}
              <TimeAgo time={other.createdAt} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
