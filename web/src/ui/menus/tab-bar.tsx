import type { ReactNode } from 'react'
import styles from './tab-bar.module.css'

/** Links to the parts of a page. `children`: the links; that of the shown part has `aria-current`. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
