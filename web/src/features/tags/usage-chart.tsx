import type { Tag } from '../../lib/api/entities.ts'
import { relativeUses } from './usage.ts'
import styles from './usage-chart.module.css'

const BAR = 8
const STEP = 11
const HEIGHT = 32

/** The use of the last days as bars. Decorative: the number stands beside it. */
export function UsageChart({ history }: { history: Tag['history'] }) {
  const uses = relativeUses(history)
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${uses.length * STEP} ${HEIGHT}`}
      width={uses.length * STEP}
      height={HEIGHT}
      aria-hidden="true"
      focusable="false"
    >
      {uses.map((use, index) => {
        const height = Math.max(2, use * HEIGHT)
        return <rect key={index} x={index * STEP} y={HEIGHT - height} width={BAR} height={height} rx={2} />
      })}
    </svg>
  )
}
