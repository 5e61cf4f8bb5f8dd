import { useEffect, useRef } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import styles from './logged-out-dialog.module.css'

/** The dialog does not take the keyboard from a user who has typed something within this time. */
const PAUSE_MS = 1_000

/**
 * Asks the user to log in again after the session has ended, as soon as they do not type. Drafts are stored, so nothing
 * is lost.
 */
export function LoggedOutDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    let typedAt = -Infinity
    let timer: ReturnType<typeof setTimeout> | undefined
    const noteTyping = () => {
      typedAt = performance.now()
    }
    const show = () => {
      clearTimeout(timer)
      const remainingMs = typedAt + PAUSE_MS - performance.now()
      if (remainingMs > 0) timer = setTimeout(show, remainingMs)
      else if (!dialog.current?.open) dialog.current?.showModal()
    }
    document.addEventListener('input', noteTyping)
    document.addEventListener('linnet-logged-out', show)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('input', noteTyping)
      document.removeEventListener('linnet-logged-out', show)
    }
  }, [])
  const signIn = `/auth/sign_in?${new URLSearchParams({ force: '1', next: location.pathname }).toString()}`
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="logged-out-title">
      <h2 id="logged-out-title">{message('web.logged-out.title')}</h2>
      <p>{message('web.logged-out.text')}</p>
      <a className="button" href={signIn}>
        {message('web.logged-out.log-in')}
      </a>
    </dialog>
  )
}
