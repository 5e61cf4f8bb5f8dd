import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SearchForm } from '../../features/search/search-form.tsx'
import { TagResult } from '../../features/search/tag-result.tsx'
import { suggestionsQuery, trendingTagsQuery } from '../../features/explore/trend-queries.ts'
import { message } from '../../lib/i18n/messages.ts'
import { startData } from '../../lib/start-data.ts'
import { Suggestions } from '../../features/explore/suggestions.tsx'
import styles from './side-column.module.css'

const MAX_TAGS = 4
const MAX_SUGGESTIONS = 3

/** What wide windows show beside a page: the search, trending hashtags, and accounts to follow. */
export function SideColumn() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <div className={styles.side}>
      {/* These pages have a search of their own. */}
      {path !== '/search' && !path.startsWith('/explore') && <SearchForm />}
      <Discoveries path={path}>
        <footer className={styles.foot}>
          <a href="/about">{message('web.side.about')}</a>
          <a href="/privacy-policy">{message('web.side.privacy')}</a>
          <button type="button" onClick={() => document.dispatchEvent(new CustomEvent('linnet-shortcuts'))}>
            {message('web.shortcuts.title')}
          </button>
          <span>Linnet {startData.version}</span>
        </footer>
      </Discoveries>
    </div>
  )
}

/** Hashtags, accounts and what is below them, once all are loaded, so that nothing moves. */
function Discoveries({ path, children }: { path: string; children: ReactNode }) {
  const trends = useInfiniteQuery(trendingTagsQuery)
  const suggestions = useQuery({ ...suggestionsQuery, refetchOnWindowFocus: false })
  if (trends.isLoading || suggestions.isLoading) return null
  const tags = trends.data?.pages[0]?.slice(0, MAX_TAGS) ?? []
  return (
    <>
      {tags.length > 0 && path !== '/explore/tags' && (
        <section className={styles.section} aria-labelledby="side-tags">
          <h2 id="side-tags" className={styles.title}>
            <Link to="/explore/$section" params={{ section: 'tags' }}>
              {message('web.side.tags')}
            </Link>
          </h2>
          <ul>
            {tags.map((tag) => (
              <TagResult key={tag.name} tag={tag} />
            ))}
          </ul>
        </section>
      )}
      {suggestions.data !== undefined && suggestions.data.length > 0 && path !== '/explore/suggestions' && (
        <section className={styles.section} aria-labelledby="side-people">
          <h2 id="side-people" className={styles.title}>
            <Link to="/explore/$section" params={{ section: 'suggestions' }}>
              {message('web.side.people')}
            </Link>
          </h2>
          <Suggestions max={MAX_SUGGESTIONS} />
        </section>
      )}
      {children}
    </>
  )
}
