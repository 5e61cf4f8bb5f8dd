import { message } from '../../../lib/i18n/messages.ts'
import styles from './account-skeletons.module.css'

/** Grey shapes where accounts will appear. */
export function AccountSkeletons({ count = 6 }: { count?: number }) {
  return (
    <div role="status">
      <span className="unseen">{message('web.loading')}</span>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.row} aria-hidden="true">
          <div className={styles.avatar} />
          <div className={styles.lines}>
            <div />
            <div />
          </div>
        </div>
      ))}
    </div>
  )
}
