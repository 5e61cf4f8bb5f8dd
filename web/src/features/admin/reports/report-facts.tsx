import { useQuery } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { instanceQuery } from '../../instance/instance.ts'
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
  const change = (changes: { category: string; ruleIds?: string[] }) =>
    void runOrReport(async () => {
      await adminApi('reports', report.id).update(changes)
      await onChange()
    })
  return (
    <section className={admin.part}>
      <div className={styles.head}>
        <label className={styles.category}>
          <span className="unseen">{message('web.admin.reports.category')}</span>
          <select
            className={admin.field}
            value={category}
            onChange={({ target }) => change({ category: target.value })}
          >
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
      {category === 'violation' && (
        <ViolatedRules rules={rules} onChange={(ruleIds) => change({ category: 'violation', ruleIds })} />
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

/** The rules of the server and deleted ones that the report names, of which those that are violated are checked. */
function ViolatedRules({ rules, onChange }: { rules: AdminReport['rules']; onChange: (ruleIds: string[]) => void }) {
  const { data: instance } = useQuery(instanceQuery)
  const violated = new Set(rules.map(({ id }) => id))
  const current = instance?.rules ?? []
  const deleted = rules.filter(({ id }) => instance && !current.some((rule) => rule.id === id))
  return (
    <fieldset className={styles.rules}>
      <legend>{message('web.admin.reports.rules')}</legend>
      {[...(instance ? current : rules), ...deleted].map(({ id, text }) => (
        <label key={id} className={admin.check}>
          <input
            type="checkbox"
            checked={violated.has(id)}
            onChange={({ target }) =>
              onChange([...[...violated].filter((one) => one !== id), ...(target.checked ? [id] : [])])
            }
          />
          <span dir="auto">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
