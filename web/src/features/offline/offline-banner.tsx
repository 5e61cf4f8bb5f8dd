import { message } from '../../lib/i18n/messages.ts'
import { useQueueLength } from '../../lib/store/action-queue.ts'
import { useOnline } from '../../lib/use-online.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import styles from './offline-banner.module.css'

/** Says that the device has no network, so that what is shown may be old, and how many actions wait for one. */
export function OfflineBanner() {
  const isOnline = useOnline()
  const count = useQueueLength()
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.banner}>
          <Icon name="warning" />
          <span>
            {message('web.offline')} {count > 0 && message('web.queue.count', { count })}
          </span>
        </p>
      )}
    </div>
  )
}
