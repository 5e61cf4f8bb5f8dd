import { useQuery } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { runOrReport } from '../shared/decisions/undo.ts'
import { reportsByQuery } from './report-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './report-facts.module.css'

const CATEGORIES: readonly AdminReport['category'][] = ['spam', 'legal', 'violation', 'other']

/** Who reports what, and why. */
export function ReportFacts({ report, onChange }: { report: AdminReport; onChange: () => Promise<void> }) {
  const { account: reporter, comment, rules, category } = report
  const { data: earlier } = useQuery(reportsByQuery(reporter.id))
  const setCategory = (next: string) =>
    void runOrReport(async () => {
      await adminApi('reports', report.id).update({ category: next })
      await onChange()
    })
  return (
    <section className={admin.part}>
      <div className={styles.head}>
        <label className={styles.category}>
          <span className="unseen">{message('web.admin.reports.category')}</span>
          <select className={admin.field} value={category} onChange={({ target }) => setCategory(target.value)}>
            {CATEGORIES.map((name) => (
              <option key={name} value={name}>
                {message(`web.admin.reports.category.${name}`)}
              </option>
            ))}
          </select>
        </label>
        <span className={admin.soft}>
          <TimeAgo time={report.createdAt} />
        </span>
      </div>
      {rules.length > 0 && (
        <ul className={styles.rules}>
          {rules.map((rule) => (
            <li key={rule.id} dir="auto">
              {rule.text}
            </li>
          ))}
        </ul>
      )}
      <blockquote className={styles.comment} dir="auto">
        {comment === '' ? message('web.admin.reports.no-comment') : comment}
      </blockquote>
      <div className={styles.head}>
        <AccountLine account={reporter.account} size="s" />
        <span className={admin.soft}>
          {earlier && message('web.admin.reports.by-reporter', { count: earlier.length })}
        </span>
      </div>
    </section>
  )
}
