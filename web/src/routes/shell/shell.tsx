import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, useState, useSyncExternalStore } from 'react'
import type { MouseEvent } from 'react'
import { startData } from '../../lib/start-data.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import { scrollToTop } from '../../lib/scroll-to-top.ts'
import { useClientSettings } from '../../lib/settings.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { AccountMenu } from '../../features/accounts/own/account-menu.tsx'
import { LoggedOutDialog } from '../../features/accounts/own/logged-out-dialog.tsx'
import { WIDE_ENOUGH } from '../../features/columns/pinned-columns.ts'
import {
  closeComposer,
  currentIntent,
  openComposer,
  subscribeToComposer,
} from '../../features/composer/open-composer.ts'
import { OfflineBanner } from '../../features/offline/offline-banner.tsx'
import { UnreadBadge } from '../../features/notifications/unread-badge.tsx'
import { useFirstPosts } from '../../features/timelines/use-first-posts.ts'
import { ShortcutsHelp } from '../../features/settings/shortcuts-help.tsx'
import { StatusDialogs } from '../../features/statuses/actions/status-dialogs.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import type { IconName } from '../../ui/icons/icon.tsx'
import { Mark } from '../../ui/icons/mark.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { Toasts } from '../../ui/notices/toasts.tsx'
import { useMoreLinks } from './more-links.ts'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useSideThread } from './use-side-thread.ts'
import styles from './shell.module.css'

/** The composer is loaded when it is first used. */
const Composer = lazy(async () => ({ default: (await import('../../features/composer/composer.tsx')).Composer }))

/** The card is loaded after the page. */
const AccountHoverCard = lazy(async () => ({
  default: (await import('../../features/accounts/hover-card/account-hover-card.tsx')).AccountHoverCard,
}))
/** Wide windows load their columns, and the lists of the navigation, after the page. */
const SideColumn = lazy(async () => ({ default: (await import('./side-column.tsx')).SideColumn }))
const ListLinks = lazy(async () => ({ default: (await import('../../features/lists/list-links.tsx')).ListLinks }))
const ThreadColumn = lazy(async () => ({ default: (await import('./thread-column.tsx')).ThreadColumn }))
const PinnedColumns = lazy(async () => ({ default: (await import('./pinned-columns.tsx')).PinnedColumns }))

/** The sheet is loaded when it is first opened. */
const MenuSheet = lazy(async () => ({ default: (await import('./menu-sheet.tsx')).MenuSheet }))

type NavigationLink = {
  to: '/home' | '/notifications' | '/explore' | '/search' | '/conversations'
  icon: IconName
  label: Extract<MessageId, `web.nav.${string}`>
  /** Its place in the bar of narrow windows; without one, it is not there. */
  place?: 'first' | 'second' | 'fourth'
}

/** The pages that the navigation shows at every width, or only in wide windows. `more-links.ts` has the others. */
const LINKS: readonly NavigationLink[] = [
  { to: '/home', icon: 'home', label: 'web.nav.home', place: 'first' },
  { to: '/notifications', icon: 'bell', label: 'web.nav.notifications', place: 'fourth' },
  { to: '/explore', icon: 'explore', label: 'web.nav.explore', place: 'second' },
  { to: '/search', icon: 'search', label: 'web.nav.search' },
  { to: '/conversations', icon: 'mail', label: 'web.nav.conversations' },
]

/** The keys of the search. They focus the field of the page, if there is one. */
const SEARCH_PROPS = {
  'data-key': 's /',
  onClick: (event: MouseEvent) => {
    const field = document.querySelector<HTMLElement>('#search-field')
    // Pressed itself, the link opens the page.
    if (!field || event.isTrusted) return
    event.preventDefault()
    field.focus()
  },
}

/** What surrounds every page: the navigation, the composer, messages, and the live region of screen readers. */
export function Shell() {
  useFocusOnNavigation()
  useShortcuts()
  const isIdle = useFirstPosts()
  const { pinnedColumns, threadsBeside, composerBeside } = useClientSettings()
  const pinned = useMediaQuery(WIDE_ENOUGH) ? pinnedColumns : []
  const isAdministration = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin') })
  // Two pinned columns, and the pages of the administration, leave no room for the side column.
  const hasSide = useMediaQuery('(width >= 80rem)') && pinned.length < 2 && !isAdministration
  const { thread, openPressed } = useSideThread(hasSide && threadsBeside)
  const isComposing = useSyncExternalStore(subscribeToComposer, () => currentIntent() !== null)
  return (
    <div
      className={styles.shell}
      data-pinned={pinned.length || undefined}
      data-beside={threadsBeside || composerBeside || undefined}
      onClickCapture={openPressed}
    >
      <a className="skip" href="#main">
        {message('web.skip')}
      </a>
      <Navigation isIdle={isIdle} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <OfflineBanner />
        <Outlet />
      </main>
      {hasSide && thread && (
        <div className={styles.side}>
          <LazyPart>
            <ThreadColumn thread={thread} />
          </LazyPart>
        </div>
      )}
      {hasSide && !thread && (
        <aside className={styles.side} aria-label={message('web.side.label')}>
          {isIdle && (
            <LazyPart isOptional>
              <SideColumn />
            </LazyPart>
          )}
        </aside>
      )}
      {isIdle && pinned.length > 0 && (
        <LazyPart>
          <PinnedColumns paths={pinned} />
        </LazyPart>
      )}
      <Toasts />
      <LoggedOutDialog />
      <StatusDialogs />
      <ShortcutsHelp />
      <div id="announcements" className="unseen" role="status" />
      {isIdle && (
        <LazyPart isOptional>
          <AccountHoverCard />
        </LazyPart>
      )}
      {isComposing && (
        <LazyPart onFailure={closeComposer}>
          <Composer isBeside={hasSide && composerBeside} />
        </LazyPart>
      )}
    </div>
  )
}

/** `isIdle`: with what needs requests of its own. */
function Navigation({ isIdle }: { isIdle: boolean }) {
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const hasLists = useMediaQuery('(width >= 80rem) and (height >= 55rem)')
  return (
    <header className={styles.nav} onClickCapture={scrollOnOwnPage}>
      <Link to="/home" className={styles.brand}>
        <Mark />
        <span className={styles.label}>{startData.siteTitle}</span>
      </Link>
      <nav aria-label={message('web.nav.label')}>
        <ul className={styles.links}>
          {LINKS.map(({ to, icon, label, place }) => (
            <li key={to} data-place={place ?? 'wide'}>
              <Link
                to={to}
                className={styles.link}
                title={message(label)}
                activeProps={{ 'aria-current': 'page' }}
                {...(to === '/search' ? SEARCH_PROPS : {})}
              >
                <Icon name={icon} />
                <span className={styles.label}>{message(label)}</span>
                {to === '/notifications' && isIdle && <UnreadBadge />}
              </Link>
            </li>
          ))}
        </ul>
        <MoreLinks isIdle={isIdle} />
      </nav>
      <button
        type="button"
        className={`${styles.link} ${styles.menu}`}
        aria-haspopup="dialog"
        title={message('web.nav.menu')}
        onClick={() => setIsMenuOpen(true)}
      >
        <Icon name="menu" />
        <span className={styles.label}>{message('web.nav.menu')}</span>
      </button>
      <button
        type="button"
        className={`button ${styles.write}`}
        title={message('web.nav.write')}
        data-key="n"
        onClick={() => openComposer({ type: 'new' })}
      >
        <Icon name="write" />
        <span className={styles.label}>{message('web.nav.write')}</span>
      </button>
      {isIdle && hasLists && (
        <LazyPart isOptional>
          <ListLinks />
        </LazyPart>
      )}
      <div className={styles.account}>{isIdle && <AccountMenu />}</div>
      {isMenuOpen && (
        <LazyPart onFailure={() => setIsMenuOpen(false)}>
          <MenuSheet onClose={() => setIsMenuOpen(false)} />
        </LazyPart>
      )}
    </header>
  )
}

/** Scrolls to the top if the pressed link leads to the page that is open. */
function scrollOnOwnPage(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.href !== location.href.split('#')[0] || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  scrollToTop()
}

/** Lists, bookmarks and the like, in wide windows. In narrow ones they are in the menu. */
function MoreLinks({ isIdle }: { isIdle: boolean }) {
  const links = useMoreLinks(isIdle)
  return (
    <ul className={`${styles.links} ${styles.more}`} aria-label={message('web.nav.more')}>
      {links
        .filter(({ isInNavigation }) => isInNavigation)
        .map(({ to, icon, label, count }) => (
          <li key={to}>
            <Link to={to} className={styles.link} activeOptions={{ exact: true }} title={message(label)}>
              <Icon name={icon} />
              <span className={styles.label}>{message(label)}</span>
              <Badge count={count} />
            </Link>
          </li>
        ))}
    </ul>
  )
}
