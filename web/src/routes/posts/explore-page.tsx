import { Link, useParams } from '@tanstack/react-router'
import { Suggestions } from '../../features/explore/suggestions.tsx'
import { TrendingLinks, TrendingStatuses, TrendingTags } from '../../features/explore/trends.tsx'
import { SearchForm } from '../../features/search/search-form.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TabBar } from '../../ui/menus/tab-bar.tsx'
import { useScrollPosition } from '../../ui/lists/use-scroll-position.ts'
import { NotFoundPage } from '../shell/error-pages.tsx'

const SECTIONS = { posts: TrendingStatuses, tags: TrendingTags, links: TrendingLinks, suggestions: Suggestions }
type Section = keyof typeof SECTIONS

const NAMES: readonly Section[] = ['posts', 'tags', 'links', 'suggestions']

export function ExplorePage() {
  const { section = 'posts' } = useParams({ strict: false })
  useScrollPosition()
  if (!isSection(section)) return <NotFoundPage />
  const Content = SECTIONS[section]
  return (
    <>
      <PageHead title={message('web.nav.explore')} />
      <SearchForm />
      <TabBar label={message('web.explore.sections')}>
        {NAMES.map((name) =>
          name === 'posts' ? (
            <Link key={name} to="/explore" activeOptions={{ exact: true, includeSearch: false }}>
              {message('web.explore.posts')}
            </Link>
          ) : (
            <Link key={name} to="/explore/$section" params={{ section: name }}>
              {message(`web.explore.${name}`)}
            </Link>
          ),
        )}
      </TabBar>
      <Content />
    </>
  )
}

/** The posts about a link. */
export function LinkPage() {
  const { url } = useParams({ from: '/links/$url' })
  const title = message('web.explore.link-title', { host: hostOf(url) })
  return (
    <>
      <PageHead title={title} back />
      <Timeline
        name={{ type: 'link', url }}
        label={title}
        empty={<Notice icon="external" title={message('web.timeline.empty')} />}
      />
    </>
  )
}

const isSection = (name: string): name is Section => name in SECTIONS

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url
}
