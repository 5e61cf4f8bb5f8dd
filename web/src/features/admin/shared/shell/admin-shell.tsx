import { Outlet } from '@tanstack/react-router'
import { message } from '../../../../lib/i18n/messages.ts'
import { StatusSkeletons } from '../../../statuses/card/status-skeleton.tsx'
import { AdminNavigation } from './admin-navigation.tsx'
import { UndoBar } from '../decisions/undo-bar.tsx'
import { ignoreRepeatedClick } from './ignore-repeated-click.ts'
import { useStaff } from './use-staff.ts'
import styles from './admin-shell.module.css'

/** What surrounds all pages of the administration. It uses the width of the side column, too. */
export function AdminShell() {
  const staff = useStaff()
  if (!staff) return <StatusSkeletons />
  if (!staff.isStaff) return <Outlet />
  return (
    <div className={styles.area} data-wide onClickCapture={ignoreRepeatedClick}>
      <AdminNavigation staff={staff} />
      <section className={styles.content} aria-label={message('web.account.administration')}>
        <UndoBar />
        <Outlet />
      </section>
    </div>
  )
}
