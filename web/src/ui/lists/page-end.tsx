import { useEffect, useRef } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import styles from './page-end.module.css'

/** How far before its end a list loads the next page. */
const PREFETCH_DISTANCE = '800px'

/** The end of a list that loads its next page when the user comes near. After a failure, a button tries again. */
export function PageEnd({
  query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage },
}: {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
}) {
  const end = useRef<HTMLDivElement>(null)
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!canLoad || !end.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage()
      },
      { rootMargin: PREFETCH_DISTANCE },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [canLoad, fetchNextPage])
  return (
    <div ref={end} className={styles.end}>
      {isFetchingNextPage && <p role="status">{message('web.loading')}</p>}
      {isFetchNextPageError && (
        <p role="alert">
          <button type="button" className="button button-line" onClick={() => void fetchNextPage()}>
            {message('web.retry')}
          </button>
        </p>
      )}
      {!hasNextPage && <p>{message('web.timeline.end')}</p>}
    </div>
  )
}
