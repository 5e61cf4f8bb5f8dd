import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { message } from '../../../../lib/i18n/messages.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { ADMIN_SECTIONS } from './admin-sections.ts'
import type { Staff } from './use-staff.ts'
import admin from '../admin.module.css'
import styles from './admin-navigation.module.css'

const DASHBOARD = { name: 'dashboard', to: '/admin', icon: 'chart' } as const

/** The pages that the role of the user permits: links, or a list of choices in narrow windows. */
export function AdminNavigation({ staff }: { staff: Staff }) {
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const sections = [DASHBOARD, ...ADMIN_SECTIONS.filter(({ permission }) => staff.can(permission))]
  const current = sections.findLast(({ to }) => path === to || path.startsWith(`${to}/`)) ?? DASHBOARD
  const label = message('web.admin.nav.label')
  return (
    <>
      <nav className={styles.nav} aria-label={label}>
        <ul>
          {sections.map(({ name, to, icon }) => (
            <li key={name}>
              <Link to={to} className={styles.link} activeOptions={{ exact: to === '/admin', includeSearch: false }}>
                <Icon name={icon} />
                {message(`web.admin.nav.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.choice}>
        <select
          className={admin.field}
          aria-label={label}
          value={current.to}
          onChange={({ target }) =>
            void navigate({ to: sections.find(({ to }) => to === target.value)?.to ?? '/admin' })
          }
        >
          {sections.map(({ name, to }) => (
            <option key={name} value={to}>
              {message(`web.admin.nav.${name}`)}
            </option>
          ))}
        </select>
      </div>
    </>
  )
}
