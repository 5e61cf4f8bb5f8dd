import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { openComposer } from '../features/composer/open-composer.ts'
import { HomePage, LocalPage, PublicPage, RemotePage } from './posts/timeline-pages.tsx'
import { adminRoutes } from './admin/admin-routes.ts'
import { loadCollectionMessages, readingRoutes } from './reading-routes.ts'
import { root } from './root-route.ts'
import { FailedPage } from './shell/error-pages.tsx'

type SearchedType = 'accounts' | 'hashtags' | 'statuses'

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // The router reads the redirection from the exception.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/home', replace: true })
  },
})
const home = createRoute({ getParentRoute: () => root, path: '/home', component: HomePage })
const publicTimeline = createRoute({ getParentRoute: () => root, path: '/public', component: PublicPage })
const local = createRoute({ getParentRoute: () => root, path: '/public/local', component: LocalPage })
const remote = createRoute({ getParentRoute: () => root, path: '/public/remote', component: RemotePage })
const tag = createRoute({
  getParentRoute: () => root,
  path: '/tags/$tag',
  component: lazyRouteComponent(() => import('./posts/tag-page.tsx'), 'TagPage'),
})
const link = createRoute({
  getParentRoute: () => root,
  path: '/links/$url',
  component: lazyRouteComponent(() => import('./posts/explore-page.tsx'), 'LinkPage'),
})
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'conversations' | 'activity' } =>
    tab === 'conversations' || tab === 'activity' ? { tab } : {},
  component: lazyRouteComponent(() => import('./notifications/notification-pages.tsx'), 'NotificationsPage'),
})
const notificationRequests = createRoute({
  getParentRoute: () => root,
  path: '/notifications/requests',
  component: lazyRouteComponent(() => import('./notifications/notification-pages.tsx'), 'NotificationRequestsPage'),
})
const notificationRequest = createRoute({
  getParentRoute: () => root,
  path: '/notifications/requests/$id',
  component: lazyRouteComponent(() => import('./notifications/notification-pages.tsx'), 'NotificationRequestPage'),
})
const conversations = createRoute({
  getParentRoute: () => root,
  path: '/conversations',
  component: lazyRouteComponent(() => import('./notifications/conversations-page.tsx'), 'ConversationsPage'),
})
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ q, type }: { q?: unknown; type?: unknown }): { q?: string; type?: SearchedType } => ({
    // The router reads a number in the URL as a number.
    ...(typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {}),
    ...(type === 'accounts' || type === 'hashtags' || type === 'statuses' ? { type } : {}),
  }),
  component: lazyRouteComponent(() => import('./posts/search-page.tsx'), 'SearchPage'),
})
const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: lazyRouteComponent(() => import('./posts/explore-page.tsx'), 'ExplorePage'),
})
const exploreSection = createRoute({
  getParentRoute: () => root,
  path: '/explore/$section',
  component: lazyRouteComponent(() => import('./posts/explore-page.tsx'), 'ExplorePage'),
})
const profile = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'PostsPage'),
})
const profileReplies = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/with_replies',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'PostsAndRepliesPage'),
})
const profileMedia = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/media',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'MediaPage'),
})
const profileFeatured = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/featured',
  ...loadCollectionMessages,
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'FeaturedPage'),
})
const profileTagged = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/tagged/$tag',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'TaggedPage'),
})
const followers = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/followers',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'FollowersPage'),
})
const following = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/following',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'FollowingPage'),
})
const followRequests = createRoute({
  getParentRoute: () => root,
  path: '/follow_requests',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'FollowRequestsPage'),
})
const blocks = createRoute({
  getParentRoute: () => root,
  path: '/blocks',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'BlocksPage'),
})
const mutes = createRoute({
  getParentRoute: () => root,
  path: '/mutes',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'MutesPage'),
})
const domainBlocks = createRoute({
  getParentRoute: () => root,
  path: '/domain_blocks',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'DomainBlocksPage'),
})
const followedTags = createRoute({
  getParentRoute: () => root,
  path: '/followed_tags',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'FollowedTagsPage'),
})
const directory = createRoute({
  getParentRoute: () => root,
  path: '/directory',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'DirectoryPage'),
})
const editProfile = createRoute({
  getParentRoute: () => root,
  path: '/settings/client/profile',
  component: lazyRouteComponent(() => import('./accounts/account-pages.tsx'), 'EditProfilePage'),
})
const lists = createRoute({
  getParentRoute: () => root,
  path: '/lists',
  component: lazyRouteComponent(() => import('./posts/list-pages.tsx'), 'ListsPage'),
})
const list = createRoute({
  getParentRoute: () => root,
  path: '/lists/$id',
  component: lazyRouteComponent(() => import('./posts/list-pages.tsx'), 'ListPage'),
})
const bookmarks = createRoute({
  getParentRoute: () => root,
  path: '/bookmarks',
  component: lazyRouteComponent(() => import('./posts/saved-pages.tsx'), 'BookmarksPage'),
})
const favourites = createRoute({
  getParentRoute: () => root,
  path: '/favourites',
  component: lazyRouteComponent(() => import('./posts/saved-pages.tsx'), 'FavouritesPage'),
})
const thread = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/$id',
  component: lazyRouteComponent(() => import('./posts/thread-page.tsx'), 'ThreadPage'),
})
const statusLists = () => import('./posts/status-list-pages.tsx')
const reblogs = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/$id/reblogs',
  component: lazyRouteComponent(statusLists, 'ReblogsPage'),
})
const favouritedBy = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/$id/favourites',
  component: lazyRouteComponent(statusLists, 'FavouritesPage'),
})
const quotes = createRoute({
  getParentRoute: () => root,
  path: '/@{$acct}/$id/quotes',
  component: lazyRouteComponent(statusLists, 'QuotesPage'),
})

const publish = createRoute({
  getParentRoute: () => root,
  path: '/publish',
  beforeLoad: ({ location, preload }) => {
    if (preload) return
    // Not by the router's parser, which reads a text of digits as a number.
    const shared = new URLSearchParams(location.searchStr)
    const text = ['title', 'text', 'url'].flatMap((name) => shared.get(name) || []).join('\n')
    openComposer(text === '' ? { type: 'new' } : { type: 'new', text })
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/home', replace: true })
  },
})
const drafts = createRoute({
  getParentRoute: () => root,
  path: '/drafts',
  component: lazyRouteComponent(() => import('./posts/drafts-page.tsx'), 'DraftsPage'),
})
const scheduled = createRoute({
  getParentRoute: () => root,
  path: '/scheduled',
  component: lazyRouteComponent(() => import('./posts/scheduled-page.tsx'), 'ScheduledPage'),
})
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./accounts/settings-pages.tsx'), 'SettingsPage'),
})
const settingsSection = createRoute({
  getParentRoute: () => root,
  path: '/settings/client/$section',
  component: lazyRouteComponent(() => import('./accounts/settings-pages.tsx'), 'SettingsSectionPage'),
})
const firstSteps = createRoute({
  getParentRoute: () => root,
  path: '/start',
  validateSearch: ({ step }): { step?: string } => (typeof step === 'string' ? { step } : {}),
  component: lazyRouteComponent(() => import('./accounts/start-page.tsx'), 'StartPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    home,
    publicTimeline,
    local,
    remote,
    tag,
    profile,
    thread,
    ...readingRoutes,
    reblogs,
    favouritedBy,
    quotes,
    publish,
    drafts,
    scheduled,
    profileReplies,
    profileMedia,
    profileFeatured,
    profileTagged,
    followers,
    following,
    editProfile,
    followRequests,
    blocks,
    mutes,
    domainBlocks,
    directory,
    lists,
    list,
    bookmarks,
    favourites,
    followedTags,
    settings,
    settingsSection,
    firstSteps,
    link,
    notifications,
    notificationRequests,
    notificationRequest,
    conversations,
    search,
    explore,
    exploreSection,
    adminRoutes,
  ]),
  // The navigation stays.
  defaultErrorComponent: FailedPage,
  defaultPreload: 'intent',
  defaultPreloadDelay: 80,
  // Timelines restore their own positions.
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
