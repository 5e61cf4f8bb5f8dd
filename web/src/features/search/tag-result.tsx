import { Link } from '@tanstack/react-router'
import type { Tag } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { UsageChart } from '../tags/usage-chart.tsx'
import { recentUsageOf } from '../tags/usage.ts'
import styles from './tag-result.module.css'

/** A hashtag in a list, with its use in the last week. */
export function TagResult({ tag }: { tag: Tag }) {
  return (
    <li>
      <Link to="/tags/$tag" params={{ tag: tag.name }} className={styles.tag}>
        <span className={styles.names}>
          <strong className={styles.name} dir="auto">
            #{tag.name}
          </strong>
          <span className={styles.use}>
            {message('web.search.tag-use', { count: recentUsageOf(tag.history).people })}
          </span>
        </span>
        <UsageChart history={tag.history} />
      </Link>
    </li>
  )
}
