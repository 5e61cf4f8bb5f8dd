import { Link, useSearch } from '@tanstack/react-router'
import { SearchForm } from '../../features/search/search-form.tsx'
import { SearchResults } from '../../features/search/search-results.tsx'
import { RecentSearches } from '../../features/search/search-start.tsx'
import { message } from '../../lib/i18n/messages.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TabBar } from '../../ui/menus/tab-bar.tsx'
import { useScrollPosition } from '../../ui/lists/use-scroll-position.ts'

const TYPES = ['all', 'accounts', 'hashtags', 'statuses'] as const

export function SearchPage() {
  const { q = '', type = 'all' } = useSearch({ from: '/search' })
  useScrollPosition()
  return (
    <>
      <PageHead title={message('web.nav.search')} back />
      <SearchForm query={q} type={type} focused={q === ''} hasOperators={q === '' || type === 'statuses'} />
      {q !== '' && (
        <TabBar label={message('web.search.types')}>
          {TYPES.map((name) => (
            <Link
              key={name}
              to="/search"
              search={{ q, type: name === 'all' ? undefined : name }}
              activeOptions={{ exact: true }}
              aria-current={name === type ? 'page' : undefined}
            >
              {message(`web.search.type.${name}`)}
            </Link>
          ))}
        </TabBar>
      )}
      {q === '' && <RecentSearches />}
      {q !== '' && <SearchResults key={`${type} ${q}`} q={q} type={type} />}
    </>
  )
}
