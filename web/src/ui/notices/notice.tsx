import type { ReactNode } from 'react'
import { Icon } from '../icons/icon.tsx'
import type { IconName } from '../icons/icon.tsx'
import { focusHeadingOnRemoval } from '../page/focus-on-removal.ts'
import styles from './notice.module.css'

/** A message in place of content: an empty list, or an error with a button that tries again. */
export function Notice({
  icon,
  title,
  children,
  role,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  role?: 'alert'
}) {
  return (
    // A button that tries again disappears with the message.
    <div ref={focusHeadingOnRemoval} className={styles.notice} role={role}>
      <Icon name={icon} />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}
