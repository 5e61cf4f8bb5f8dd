import type { ReactNode } from 'react'
import styles from './list-toolbar.module.css'

/** Actions on a whole list, above it. */
export function ListToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>
}
