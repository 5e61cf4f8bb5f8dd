import { useId } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { AdminDimension } from '../../../lib/api/admin-entities.ts'
import type { DimensionKey } from './dashboard-queries.ts'
import styles from './dimension-bars.module.css'

/** The most frequent values of a property of the server, each with a bar. */
export function DimensionBars({ dimension: { key, data } }: { dimension: AdminDimension & { key: DimensionKey } }) {
  const id = useId()
  const isVersions = key === 'software_versions'
  const maximum = Math.max(1, ...data.map(({ value }) => Number(value)))
  return (
    <section className={styles.dimension} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {message(`web.admin.dimension.${key}`)}
      </h3>
      {data.length === 0 && <p>{message('web.admin.dimension.empty')}</p>}
      <ul>
        {data.map((row) => (
          <li key={row.key} className={styles.row}>
            <bdi className={styles.name}>{row.humanKey}</bdi>
            <bdi className={styles.value}>{row.humanValue ?? formatNumber(Number(row.value))}</bdi>
            {!isVersions && (
              <span className={styles.bar} aria-hidden="true">
                <span style={{ width: `${(Number(row.value) / maximum) * 100}%` }} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
