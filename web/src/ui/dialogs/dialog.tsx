import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../icons/icon.tsx'
import { Toasts } from '../notices/toasts.tsx'
import styles from './dialog.module.css'

/**
 * A modal dialog with a title, which is open as long as it is rendered. `onClose` runs after Escape and the buttons of a
 * `<form method="dialog">` too; the focus has then returned to where it was.
 */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string
  onClose: (returnValue: string) => void
  wide?: boolean
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (!dialog.current || dialog.current.open) return
    dialog.current.showModal()
    // A form begins with its first field, if that is a text.
    const first = dialog.current.querySelector<HTMLElement>('input, select, textarea')
    if (first?.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea')) first.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue)}
    >
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <button
          type="button"
          className={styles.close}
          aria-label={message('web.close')}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
      <Toasts />
    </dialog>
  )
}
