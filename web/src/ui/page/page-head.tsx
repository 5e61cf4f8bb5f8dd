import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../icons/icon.tsx'
import { setPageTitle } from './page-title.ts'
import styles from './page-head.module.css'

/** The heading of a page, which is also the title of the window. `back`: with a button to the previous page. */
export function PageHead({ title, back = false, children }: { title: string; back?: boolean; children?: ReactNode }) {
  const { history } = useRouter()
  useEffect(() => setPageTitle(title), [title])
  return (
    <header className={styles.head}>
      {back && (
        <button
          type="button"
          className={`icon-button ${styles.back}`}
          data-key="Backspace"
          aria-label={message('web.back')}
          onClick={() => (canGoBack() ? history.back() : history.push('/home'))}
        >
          <Icon name="back" />
        </button>
      )}
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </header>
  )
}

/** A page that was opened in a new tab, or by a notification, has no previous one. */
function canGoBack(): boolean {
  // Firefox before 147 and Safari before 26.2 do not have it.
  const { navigation } = window as { navigation?: { canGoBack: boolean } }
  return navigation?.canGoBack ?? window.history.length > 1
}
