import { Link } from '@tanstack/react-router'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import styles from './profile-tabs.module.css'

/** A part of a profile that has a tab. */
export type ProfileTab = 'posts' | 'media' | 'featured'

const ROUTES = { posts: '/@{$acct}', media: '/@{$acct}/media', featured: '/@{$acct}/featured' } as const

/** The parts of a profile. They are pages of their own, so the tabs are links. */
export function ProfileTabs({ account, current }: { account: Account; current: ProfileTab }) {
  const tabs: ProfileTab[] = [
    'posts',
    ...(account.showMedia ? (['media'] as const) : []),
    ...(account.showFeatured ? (['featured'] as const) : []),
  ]
  return (
    <nav className={styles.tabs} aria-label={message('web.profile.tabs')}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          to={ROUTES[tab]}
          params={{ acct: account.acct }}
          replace
          resetScroll={false}
          className={styles.tab}
          activeOptions={{ exact: true }}
          aria-current={tab === current ? 'page' : undefined}
        >
          {message(`web.profile.tab-${tab}`)}
        </Link>
      ))}
    </nav>
  )
}
