import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { AdminCohort } from '../../../lib/api/admin-entities.ts'
import { formatMonth, formatRate } from './format-days.ts'
import styles from './retention-table.module.css'

/** The part of the users of each month who came back in later months. Darker cells mean more users. */
export function RetentionTable({ cohorts }: { cohorts: readonly AdminCohort[] }) {
  const columns = Math.max(0, ...cohorts.map(({ data }) => data.length))
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={message('web.admin.retention.title')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{message('web.admin.retention.month')}</th>
            <th scope="col">{message('web.admin.retention.new')}</th>
            {Array.from({ length: Math.max(0, columns - 1) }, (_, index) => (
              <th key={index} scope="col">
                +{formatNumber(index + 1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ period, data: [registered, ...later] }) => (
            <tr key={period}>
              <th scope="row">{formatMonth(period)}</th>
              <td>{formatNumber(Number(registered?.value ?? 0))}</td>
              {later.map(({ date, rate }) => (
                <td
                  key={date}
                  style={{ background: `color-mix(in srgb, var(--accent) ${Math.round(rate * 40)}%, transparent)` }}
                >
                  {formatRate(rate)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
