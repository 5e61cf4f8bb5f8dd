import { useEffect, useId, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { SteadyButton } from '../../../../ui/forms/steady-button.tsx'
import { Toasts } from '../../../../ui/notices/toasts.tsx'
import styles from './admin-dialog.module.css'

/** A dialog with a form. Escape closes it, and the focus returns to what opened it, unless something else has it. */
export function AdminDialog({
  title,
  confirm,
  dangerous = false,
  isBusy = false,
  focus = 'confirm',
  isWide = false,
  failure,
  form,
  onDiscard,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  /** The text of the button that submits the form. */
  confirm: string
  dangerous?: boolean
  isBusy?: boolean
  /** What has the focus at first: the button, so that Enter confirms, or the first field. */
  focus?: 'confirm' | 'first'
  isWide?: boolean
  /** Why the form was not saved. */
  failure?: string
  form?: RefObject<HTMLFormElement | null>
  /** Goes back to what is saved, if something was typed: closing the dialog keeps it. */
  onDiscard?: (() => void) | undefined
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    if (focus === 'confirm') submit.current?.focus({ preventScroll: true })
    return () => {
      const hasFocus = document.activeElement !== null && document.activeElement !== document.body
      if (!hasFocus && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [focus])
  return (
    <dialog
      ref={dialog}
      className={isWide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
    >
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {children}
        <p className={styles.failure} role="alert" data-failure>
          {failure}
        </p>
        <p className={styles.actions}>
          {onDiscard && (
            <button
              type="button"
              className={`button button-line ${styles.discard}`}
              onClick={() => {
                submit.current?.focus()
                onDiscard()
              }}
            >
              {message('web.admin.discard')}
            </button>
          )}
          <button type="button" className="button button-line" onClick={() => dialog.current?.close()}>
            {message('web.cancel')}
          </button>
          <SteadyButton
            ref={submit}
            type="submit"
            className={dangerous ? `button ${styles.dangerous}` : 'button'}
            isUnusable={isBusy}
          >
            {confirm}
          </SteadyButton>
        </p>
      </form>
      <Toasts />
    </dialog>
  )
}
