import { message } from '../../../lib/i18n/messages.ts'
import styles from './status-skeleton.module.css'

/** Grey shapes where statuses will appear. */
export function StatusSkeletons({ count = 5 }: { count?: number }) {
  return (
    <div role="status">
      <span className="unseen">{message('web.loading')}</span>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.skeleton} aria-hidden="true">
          <div className={styles.avatar} />
          <div className={styles.lines}>
            <div />
            <div />
            <div />
          </div>
        </div>
      ))}
    </div>
  )
}
