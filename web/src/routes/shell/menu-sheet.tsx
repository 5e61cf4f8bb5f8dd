import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { AccountMenu } from '../../features/accounts/own/account-menu.tsx'
import { message } from '../../lib/i18n/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { Toasts } from '../../ui/notices/toasts.tsx'
import { useMoreLinks } from './more-links.ts'
import styles from './menu-sheet.module.css'

/** All pages that the navigation has no room for, and the account. It rises from the lower edge of narrow windows. */
export function MenuSheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const links = useMoreLinks()
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  const openedAt = useRef(path)
  useEffect(() => {
    if (path !== openedAt.current) onClose()
  }, [path, onClose])
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-label={message('web.nav.menu')}
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close()
      }}
    >
      <div className={styles.content}>
        <div className={styles.head}>
          <AccountMenu hasNames />
          <button
            type="button"
            className={styles.close}
            aria-label={message('web.close')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        <nav aria-label={message('web.nav.more')}>
          <ul className={styles.links}>
            {links.map(({ to, icon, label, count }) => (
              <li key={to}>
                <Link to={to} className={styles.link} activeOptions={{ exact: true }}>
                  <Icon name={icon} />
                  {message(label)}
                  <Badge count={count} />
                </Link>
              </li>
            ))}
            <li>
              <Link to="/settings" className={styles.link} activeOptions={{ exact: true }}>
                <Icon name="settings" />
                {message('web.account.settings')}
              </Link>
            </li>
          </ul>
        </nav>
      </div>
      <Toasts />
    </dialog>
  )
}
