import { useQuery } from '@tanstack/react-query'
import { message } from '../../../lib/i18n/messages.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { DimensionBars } from './dimension-bars.tsx'
import { DIMENSIONS, dimensionsQuery, MEASURES, measuresQuery, retentionQuery } from './dashboard-queries.ts'
import { MeasureChart } from './measure-chart.tsx'
import { OpenWorkList } from './open-work.tsx'
import { RetentionTable } from './retention-table.tsx'
import admin from '../shared/admin.module.css'
import styles from './dashboard.module.css'

/** The state of the server: open work first, then its numbers. */
export function Dashboard() {
  const staff = useStaff()
  if (!staff) return null
  return (
    <>
      <OpenWorkList staff={staff} />
      {staff.can('viewDashboard') && <Numbers />}
    </>
  )
}

function Numbers() {
  const [measures, retention, dimensions] = [
    useQuery(measuresQuery),
    useQuery(retentionQuery),
    useQuery(dimensionsQuery),
  ]
  return (
    <>
      <section className={admin.part}>
        <h2>{message('web.admin.measure.title')}</h2>
        <QueryResult query={measures}>
          {(found) => (
            <div className={styles.grid}>
              {MEASURES.map((key) => {
                const measure = found.find((candidate) => candidate.key === key)
                return measure && <MeasureChart key={key} measure={{ ...measure, key }} />
              })}
            </div>
          )}
        </QueryResult>
      </section>
      <section className={admin.part}>
        <h2>{message('web.admin.retention.title')}</h2>
        <p className={admin.soft}>{message('web.admin.retention.text')}</p>
        <QueryResult query={retention}>{(cohorts) => <RetentionTable cohorts={cohorts} />}</QueryResult>
      </section>
      <section className={admin.part}>
        <h2>{message('web.admin.dimension.title')}</h2>
        <QueryResult query={dimensions}>
          {(found) => (
            <div className={styles.grid}>
              {DIMENSIONS.map((key) => {
                const dimension = found.find((candidate) => candidate.key === key)
                return dimension && <DimensionBars key={key} dimension={{ ...dimension, key }} />
              })}
            </div>
          )}
        </QueryResult>
      </section>
    </>
  )
}
