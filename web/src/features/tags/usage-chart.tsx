import type { Tag } from '../../lib/api/entities.ts'
import styles from './usage-chart.module.css'

/** The uses of a hashtag in the last seven days, the oldest first. Decorative: the numbers stand beside it. */
export function UsageChart({ history }: { history: Tag['history'] }) {
  const uses = history.map((day) => Number(day.uses)).toReversed()
  const max = Math.max(1, ...uses)
  return (
    <span className={styles.chart} aria-hidden="true">
      {uses.map((count, index) => (
        <span key={index} style={{ height: `${Math.max(6, (count / max) * 100)}%` }} />
      ))}
    </span>
  )
}
