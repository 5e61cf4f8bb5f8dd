import { formatNumber } from '../lib/i18n/formats.ts'
import styles from './badge.module.css'

/** A number beside a link, for example of open requests; nothing if it is 0. */
export function Badge({ count }: { count: number }) {
  return count > 0 && <span className={styles.badge}>{formatNumber(count)}</span>
}
