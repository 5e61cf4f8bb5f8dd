import { useQuery } from '@tanstack/react-query'
import { ownAccountQuery } from '../../features/accounts/own/own-account.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import type { IconName } from '../../ui/icons/icon.tsx'

const LINKS = [
  { to: '/search', icon: 'search', label: 'web.nav.search', isInNavigation: false },
  { to: '/conversations', icon: 'mail', label: 'web.nav.conversations', isInNavigation: false },
  { to: '/public/local', icon: 'people', label: 'web.nav.local', isInNavigation: true },
  { to: '/public/remote', icon: 'globe', label: 'web.nav.remote', isInNavigation: false },
  { to: '/public', icon: 'globe', label: 'web.nav.public', isInNavigation: false },
  { to: '/lists', icon: 'list', label: 'web.list.lists', isInNavigation: true },
  { to: '/collections', icon: 'collection', label: 'web.profile.collections', isInNavigation: true },
  { to: '/bookmarks', icon: 'bookmark', label: 'web.accounts.bookmarks', isInNavigation: true },
  { to: '/favourites', icon: 'favourite', label: 'web.accounts.favourites', isInNavigation: true },
  { to: '/follow_requests', icon: 'follow', label: 'web.accounts.requests', isInNavigation: false },
  { to: '/followed_tags', icon: 'tag', label: 'web.tag.followed', isInNavigation: false },
  { to: '/directory', icon: 'search', label: 'web.accounts.directory', isInNavigation: false },
  { to: '/mutes', icon: 'mute', label: 'web.accounts.mutes', isInNavigation: false },
  { to: '/blocks', icon: 'block', label: 'web.accounts.blocks', isInNavigation: false },
  { to: '/domain_blocks', icon: 'hidden', label: 'web.accounts.domain-blocks', isInNavigation: false },
  { to: '/filters', icon: 'hidden', label: 'web.settings.page.filters', isInNavigation: false },
] as const satisfies readonly { to: string; icon: IconName; label: MessageId; isInNavigation: boolean }[]

/** A page that is opened less often. `isInNavigation`: wide windows show it here; all are in the menu. */
type MoreLink = Omit<(typeof LINKS)[number], 'isInNavigation'> & { isInNavigation: boolean; count: number }

/**
 * Returns the pages that are opened less often. Follow requests are in the navigation while there are some.
 * `mayRequest`: whether it may request their number.
 */
export function useMoreLinks(mayRequest = true): MoreLink[] {
  const { data: account } = useQuery({ ...ownAccountQuery, enabled: mayRequest })
  const requests = account?.source.followRequestsCount ?? 0
  return LINKS.map((link) =>
    link.to === '/follow_requests' ? { ...link, isInNavigation: requests > 0, count: requests } : { ...link, count: 0 },
  )
}
