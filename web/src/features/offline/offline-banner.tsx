import { message } from '../../lib/i18n/messages.ts'
import { useOnline } from '../../lib/use-online.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './offline-banner.module.css'

/** Says that the device has no network, so that what is shown may be old. */
export function OfflineBanner() {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.banner}>
          <Icon name="warning" />
          {message('web.offline')}
        </p>
      )}
    </div>
  )
}
