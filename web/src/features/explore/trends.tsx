import { useInfiniteQuery } from '@tanstack/react-query'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageEnd } from '../../ui/lists/page-end.tsx'
import { uniqueBy } from '../../lib/unique-by.ts'
import { TagResult } from '../search/tag-result.tsx'
import { StatusCard } from '../statuses/card/status-card.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { TrendFailure } from './trend-failure.tsx'
import { trendingLinksQuery, trendingStatusesQuery, trendingTagsQuery } from './trend-queries.ts'
import { TrendingLink } from './trending-link.tsx'

/** The posts that many users favourite and boost. */
export function TrendingStatuses() {
  const query = useInfiniteQuery(trendingStatusesQuery)
  if (query.isPending) return <StatusSkeletons />
  const ids = [...new Set(query.data?.pages.flat())]
  if (query.isError && ids.length === 0) return <TrendFailure onRetry={() => void query.refetch()} />
  if (ids.length === 0) return <Notice icon="explore" title={message('web.explore.empty')} />
  return (
    <>
      {ids.map((id) => (
        <StatusCard key={id} id={id} />
      ))}
      <PageEnd query={query} />
    </>
  )
}

/** The hashtags that many users use. */
export function TrendingTags() {
  const query = useInfiniteQuery(trendingTagsQuery)
  if (query.isPending) return <StatusSkeletons />
  const tags = uniqueBy(query.data?.pages.flat() ?? [], ({ name }) => name)
  if (query.isError && tags.length === 0) return <TrendFailure onRetry={() => void query.refetch()} />
  if (tags.length === 0) return <Notice icon="tag" title={message('web.explore.empty')} />
  return (
    <>
      <ul>
        {tags.map((tag) => (
          <TagResult key={tag.name} tag={tag} />
        ))}
      </ul>
      <PageEnd query={query} />
    </>
  )
}

/** The links that many users post. */
export function TrendingLinks() {
  const query = useInfiniteQuery(trendingLinksQuery)
  if (query.isPending) return <StatusSkeletons />
  const links = uniqueBy(query.data?.pages.flat() ?? [], ({ url }) => url)
  if (query.isError && links.length === 0) return <TrendFailure onRetry={() => void query.refetch()} />
  if (links.length === 0) return <Notice icon="external" title={message('web.explore.empty')} />
  return (
    <>
      <ul>
        {links.map((link) => (
          <TrendingLink key={link.url} link={link} />
        ))}
      </ul>
      <PageEnd query={query} />
    </>
  )
}
