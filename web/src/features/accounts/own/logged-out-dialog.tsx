import { useEffect, useRef, useState } from 'react'
import { logInPath } from '../../../lib/auth/authorize.ts'
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
  const [path, setPath] = useState('')
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
      else if (!dialog.current?.open) {
        // Of the page that is open now; the component is not rendered again with each page.
        setPath(logInPath())
        dialog.current?.showModal()
      }
    }
    document.addEventListener('input', noteTyping)
    document.addEventListener('linnet-logged-out', show)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('input', noteTyping)
      document.removeEventListener('linnet-logged-out', show)
    }
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="logged-out-title">
      <h2 id="logged-out-title">{message('web.logged-out.title')}</h2>
      <p>{message('web.logged-out.text')}</p>
      <a className="button" href={path}>
        {message('web.logged-out.log-in')}
      </a>
    </dialog>
  )
}
