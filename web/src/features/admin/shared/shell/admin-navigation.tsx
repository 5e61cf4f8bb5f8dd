import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { ADMIN_GROUPS } from './admin-sections.ts'
import type { Staff } from './use-staff.ts'
import styles from './admin-navigation.module.css'

const DASHBOARD = { name: 'dashboard', to: '/admin', icon: 'chart' } as const

type Group = (typeof ADMIN_GROUPS)[number]
type Section = typeof DASHBOARD | Group['sections'][number]

/** Where the navigation stands beside the page. */
const WIDE = '(width >= 80rem)'

/** The pages that the role of the user permits, in groups. In narrow windows, a button above the page shows them. */
export function AdminNavigation({ staff }: { staff: Staff }) {
  const nav = useRef<HTMLElement>(null)
  const isWide = useMediaQuery(WIDE)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const groups = ADMIN_GROUPS.map(({ name, sections }) => ({
    name,
    sections: (sections as readonly Group['sections'][number][]).filter(({ permission }) => staff.can(permission)),
  })).filter(({ sections }) => sections.length > 0)
  const currentGroup = groups.find(({ sections }) => sections.some(({ to }) => isIn(path, to)))
  const current: Section = currentGroup?.sections.find(({ to }) => isIn(path, to)) ?? DASHBOARD

  useEffect(() => {
    if (nav.current) showCurrent(nav.current)
  }, [path, isWide])

  return (
    <nav ref={nav} className={styles.nav} aria-label={message('web.admin.nav.label')}>
      {/* In narrow windows, it closes when another page opens. */}
      <details
        key={isWide ? 'wide' : path}
        open={isWide}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isWide || !event.currentTarget.open) return
          // Elsewhere, the key takes the focus away.
          event.stopPropagation()
          event.currentTarget.open = false
          event.currentTarget.querySelector('summary')?.focus()
        }}
      >
        <summary className={styles.menu}>
          <Icon name="menu" />
          <span>
            {currentGroup && (
              <span className={styles.currentGroup}>
                {message(`web.admin.nav.group.${currentGroup.name}`)}
                <span className="unseen">: </span>
              </span>
            )}
            <strong>{message(`web.admin.nav.${current.name}`)}</strong>
          </span>
        </summary>
        <ul className={styles.list}>
          <Entry section={DASHBOARD} isCurrent={current.name === 'dashboard'} />
        </ul>
        {groups.map((group) => (
          <GroupEntries key={group.name} {...group} current={current} isOpen={isWide || group === currentGroup} />
        ))}
      </details>
    </nav>
  )
}

function GroupEntries({
  name,
  sections,
  current,
  isOpen,
}: {
  name: Group['name']
  sections: readonly Section[]
  current: Section
  isOpen: boolean
}) {
  const id = useId()
  return (
    <details className={styles.group} open={isOpen}>
      <summary className={styles.heading}>
        <h2 id={id}>{message(`web.admin.nav.group.${name}`)}</h2>
      </summary>
      <ul className={styles.list} aria-labelledby={id}>
        {sections.map((section) => (
          <Entry key={section.name} section={section} isCurrent={section.name === current.name} />
        ))}
      </ul>
    </details>
  )
}

function Entry({ section: { name, to, icon }, isCurrent }: { section: Section; isCurrent: boolean }) {
  return (
    <li>
      <Link
        to={to}
        className={styles.link}
        activeOptions={{ exact: to === '/admin', includeSearch: false }}
        data-current={isCurrent || undefined}
      >
        <Icon name={icon} />
        {message(`web.admin.nav.${name}`)}
      </Link>
    </li>
  )
}

const isIn = (path: string, to: string) => path === to || path.startsWith(`${to}/`)

/** Scrolls the navigation, and not the page, to its current entry. */
function showCurrent(nav: HTMLElement): void {
  const link = nav.querySelector('[data-current]')
  if (!link) return
  const [area, entry] = [nav.getBoundingClientRect(), link.getBoundingClientRect()]
  if (entry.top < area.top || entry.bottom > area.bottom)
    nav.scrollTop += entry.top - area.top - (area.height - entry.height) / 2
}
