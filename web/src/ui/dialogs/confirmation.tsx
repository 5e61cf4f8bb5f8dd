import type { MouseEvent, ReactNode } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Dialog } from './dialog.tsx'
import styles from './confirmation.module.css'

/** A dialog that asks before something that is hard to undo. */
export function Confirmation({
  title,
  text,
  confirm,
  onConfirm,
  onClose,
}: {
  title: string
  text: ReactNode
  confirm: string
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <DialogActions>
        <button
          type="button"
          className="button"
          onClick={(event) => {
            onConfirm()
            closeDialog(event)
          }}
        >
          {confirm}
        </button>
      </DialogActions>
    </Dialog>
  )
}

/** The buttons at the end of a dialog, with one that closes it. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <p className={styles.actions}>
      <button type="button" className="button button-line" onClick={closeDialog}>
        {message('web.cancel')}
      </button>
      {children}
    </p>
  )
}

/** Closes the dialog of a button, so that the browser returns the focus to its opener. */
export function closeDialog({ currentTarget }: MouseEvent): void {
  currentTarget.closest('dialog')?.close()
}
