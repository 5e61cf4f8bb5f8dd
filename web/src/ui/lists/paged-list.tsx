import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { isMissing } from '../../lib/api/is-missing.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../notices/notice.tsx'
import { SteadyButton } from '../forms/steady-button.tsx'
import styles from './paged-list.module.css'

/** The part of a result of `useInfiniteQuery` that a list needs. */
interface PagedResult<Item> {
  data: { pages: readonly { items: readonly Item[] }[] } | undefined
  isError: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

const PREFETCH_DISTANCE = '600px'

/** A list that loads its next page when its end comes near. An entry that is on two pages is shown once. */
export function PagedList<Item>({
  result,
  label,
  empty,
  skeleton,
  keyOf,
  renderItem,
}: {
  result: PagedResult<Item>
  label: string
  empty: ReactNode
  skeleton: ReactNode
  keyOf: (item: Item) => string
  renderItem: (item: Item) => ReactNode
}) {
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = result
  if (!data) return isError ? <LoadingFailed retry={() => void refetch()} /> : skeleton
  const items = new Map(data.pages.flatMap((page) => page.items).map((item) => [keyOf(item), item]))
  if (items.size === 0 && !hasNextPage) return empty
  return (
    <>
      <ul aria-label={label} aria-busy={isFetchingNextPage}>
        {[...items].map(([key, item]) => (
          <li key={key}>{renderItem(item)}</li>
        ))}
      </ul>
      {isError ? (
        <LoadingFailed retry={() => void fetchNextPage()} />
      ) : (
        hasNextPage && <NextPage isLoading={isFetchingNextPage} load={() => void fetchNextPage()} />
      )}
    </>
  )
}

/** A message that something could not be loaded, or, after an `error` of the server that says so, does not exist. */
export function LoadingFailed({ retry, error }: { retry: () => void; error?: unknown }) {
  if (isMissing(error)) return <Notice icon="search" title={message('web.not-found')} />
  return (
    <Notice icon="warning" title={message('web.failed')} role="alert">
      <button type="button" className="button" onClick={retry}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}

/** A button that presses itself when it comes near the window. */
export function NextPage({ isLoading, load }: { isLoading: boolean; load: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  useEffect(() => {
    if (isLoading || !button.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
      },
      { rootMargin: PREFETCH_DISTANCE },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isLoading])
  return (
    <p className={styles.next}>
      <SteadyButton ref={button} className="button button-line" data-key="l" isUnusable={isLoading} onClick={load}>
        {message(isLoading ? 'web.loading' : 'web.timeline.gap')}
      </SteadyButton>
    </p>
  )
}
