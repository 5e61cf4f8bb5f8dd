import { useEffect, useRef } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import styles from './logged-out-dialog.module.css'

/** Asks the user to log in again after the session has ended. Drafts are stored, so nothing is lost. */
export function LoggedOutDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const show = () => dialog.current?.showModal()
    document.addEventListener('linnet-logged-out', show)
    return () => document.removeEventListener('linnet-logged-out', show)
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
