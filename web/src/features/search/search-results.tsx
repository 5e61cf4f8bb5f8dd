import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { uniqueBy } from '../../lib/unique-by.ts'
import { announce } from '../../ui/notices/announcer.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageEnd } from '../../ui/lists/page-end.tsx'
import { CollectionLink } from '../collections/lists/collection-link.tsx'
import { StatusCard } from '../statuses/card/status-card.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { AccountResult } from './account-result.tsx'
import { searchQuery } from './search-query.ts'
import type { SearchResults as Results, SearchType } from './search-query.ts'
import { TagResult } from './tag-result.tsx'
import styles from './search-results.module.css'

/** What a search has found. Without a kind, the best results of each, with a link to all of them. */
export function SearchResults({ q, type }: { q: string; type: SearchType }) {
  const query = useInfiniteQuery(searchQuery({ q, type }))
  useResultAnnouncement(q, query.data?.pages[0])
  if (query.isPending) return <StatusSkeletons />
  const pages = query.data?.pages ?? []
  const accounts = uniqueBy(
    pages.flatMap((page) => page.accounts),
    ({ id }) => id,
  )
  const hashtags = uniqueBy(
    pages.flatMap((page) => page.hashtags),
    ({ id }) => id,
  )
  const statusIds = [...new Set(pages.flatMap((page) => page.statusIds))]
  const collections = pages.flatMap((page) => page.collections)
  const isEmpty = accounts.length + hashtags.length + statusIds.length + collections.length === 0
  if (query.isError && isEmpty)
    return (
      <Notice icon="warning" title={message('web.search.failed')} role="alert">
        <button type="button" className="button" onClick={() => void query.refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (isEmpty)
    return (
      <Notice icon="search" title={message('web.search.nothing', { query: q })}>
        <p>{message('web.search.nothing-hint')}</p>
      </Notice>
    )
  const moreOf = (kind: Exclude<SearchType, 'all'>) =>
    type === 'all' && (
      <p className={styles.more}>
        <Link to="/search" search={{ q, type: kind }}>
          {message(`web.search.more-${kind}`)}
        </Link>
      </p>
    )
  return (
    <>
      {accounts.length > 0 && (
        <section aria-label={message('web.search.type.accounts')}>
          <ul>
            {accounts.map((account) => (
              <AccountResult key={account.id} account={account} />
            ))}
          </ul>
          {moreOf('accounts')}
        </section>
      )}
      {hashtags.length > 0 && (
        <section aria-label={message('web.search.type.hashtags')}>
          <ul>
            {hashtags.map((tag) => (
              <TagResult key={tag.id} tag={tag} />
            ))}
          </ul>
          {moreOf('hashtags')}
        </section>
      )}
      {collections.length > 0 && (
        <section aria-label={message('web.profile.collections')}>
          <ul>
            {collections.map((collection) => (
              <li key={collection.id} className={styles.collection}>
                <CollectionLink collection={collection} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {statusIds.length > 0 && (
        <section aria-label={message('web.search.type.statuses')}>
          {statusIds.map((id) => (
            <StatusCard key={id} id={id} />
          ))}
          {moreOf('statuses')}
        </section>
      )}
      {type !== 'all' && <PageEnd query={query} />}
    </>
  )
}

/** Speaks how much a search has found, because the focus stays in its field. `first`: the first page of its results. */
function useResultAnnouncement(q: string, first: Results | undefined): void {
  const count = first && Object.values(first).reduce((sum, results: readonly unknown[]) => sum + results.length, 0)
  useEffect(() => {
    if (count === undefined) return
    announce(count === 0 ? message('web.search.nothing', { query: q }) : message('web.search.found', { count }))
  }, [q, count])
}
