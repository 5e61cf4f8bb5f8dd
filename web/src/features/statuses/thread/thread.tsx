import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { NewItemsButton } from '../../../ui/lists/new-items-button.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { focusOnRemoval } from '../../../ui/page/focus-on-removal.ts'
import { currentIntent, subscribeToComposer } from '../../composer/open-composer.ts'
import { FilteringContext } from '../content/filters.ts'
import { scrollerOf, scrollOffsetOf } from '../../timelines/scroll-area.ts'
import type { ScrollArea } from '../../timelines/scroll-area.ts'
import { MainStatus } from './main-status.tsx'
import { StatusCard } from '../card/status-card.tsx'
import { StatusSkeletons } from '../card/status-skeleton.tsx'
import { ThreadBranches } from './thread-branches.tsx'
import { contextQuery, replySearchQuery } from './thread-queries.ts'
import type { ReplySearch } from './thread-queries.ts'
import { buildThread } from './thread-tree.ts'
import { useLiveThread } from './use-live-thread.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './thread.module.css'

/** Where the user left threads in this window, by the entry of the browser's history. */
const positions = new Map<string, number>()

/**
 * A status with the thread above and below it. `historyKey` identifies the entry of the browser's history, `area` scrolls
 * the thread.
 */
export function Thread({ status, historyKey, area }: { status: StoredStatus; historyKey: string; area: ScrollArea }) {
  const { data, isError, refetch } = useQuery(contextQuery(status.id))
  const { ancestorIds = [], descendants = [] } = data ?? {}
  const main = useRef<HTMLDivElement>(null)
  usePosition(main, { historyKey, ancestorsCount: ancestorIds.length, area })
  useReloadAfterReply(() => void refetch())
  const newCount = useLiveThread(status.id, { descendants, reload: () => void refetch() })
  return (
    <FilteringContext value="thread">
      {newCount > 0 && (
        <NewItemsButton
          label={message('web.thread.new-replies', { count: formatNumber(newCount), number: newCount })}
          onShow={() => void refetch()}
        />
      )}
      <div className={styles.thread}>
        {ancestorIds.map((id, index) => (
          <div key={id} className={styles.chained}>
            <StatusCard id={id} showsReply={index === 0} />
          </div>
        ))}
        <div ref={main} className={styles.start}>
          <MainStatus status={status} hasParent={ancestorIds.length > 0} />
          {!data && !isError && status.repliesCount > 0 && <StatusSkeletons count={2} />}
          {isError && (
            <Notice icon="warning" title={message('web.thread.replies-failed')} role="alert">
              <button type="button" className="button" onClick={() => void refetch()}>
                {message('web.retry')}
              </button>
            </Notice>
          )}
          {descendants.length > 0 && (
            <section aria-label={message('web.thread.replies-label')}>
              <ThreadBranches branches={buildThread(status.id, descendants)} />
            </section>
          )}
          {data?.search && <MoreReplies key={data.search.id} search={data.search} onShow={() => void refetch()} />}
        </div>
      </div>
    </FilteringContext>
  )
}

/** A button that shows replies that the server has found on other servers meanwhile. */
function MoreReplies({ search, onShow }: { search: ReplySearch; onShow: () => void }) {
  const { data } = useQuery(replySearchQuery(search))
  if ((data?.resultCount ?? 0) <= search.foundCount) return null
  return (
    <p ref={focusLastReplyOnRemoval} className={styles.more}>
      <button type="button" className="button button-line" onClick={onShow}>
        {message('web.thread.more-replies')}
      </button>
    </p>
  )
}

const focusLastReplyOnRemoval = focusOnRemoval((button) =>
  [...(button.parentElement?.querySelectorAll('article') ?? [])].at(-1),
)

/**
 * Begins at the main status, or where the user left the thread, and keeps the main status in place when the statuses
 * above it appear.
 */
function usePosition(
  main: RefObject<HTMLElement | null>,
  { historyKey, ancestorsCount, area }: { historyKey: string; ancestorsCount: number; area: ScrollArea },
): void {
  const top = useRef<number | null>(null)
  useLayoutEffect(() => {
    const now = (main.current?.getBoundingClientRect().top ?? 0) + scrollOffsetOf(area)
    if (top.current !== null) scrollerOf(area).scrollBy({ top: now - top.current, behavior: 'instant' })
    top.current = now
  }, [main, ancestorsCount, area])
  useLayoutEffect(() => {
    const remembered = positions.get(historyKey)
    if (remembered !== undefined) scrollerOf(area).scrollTo({ top: remembered, behavior: 'instant' })
    // A column that has just opened is at the main status.
    else if (!area) main.current?.scrollIntoView({ behavior: 'instant' })
    // In a thread to which the user returns, the post that had the focus gets it (`useFocusOnNavigation`).
    const { activeElement } = document
    if (area || (remembered === undefined && (!activeElement || activeElement.matches('body, h1'))))
      main.current?.querySelector<HTMLElement>('[data-start]')?.focus({ preventScroll: true })
    return () => void positions.set(historyKey, scrollOffsetOf(area))
  }, [main, historyKey, area])
}

/** Calls `reload` when the composer closes, since the user may have answered the thread. */
function useReloadAfterReply(reload: () => void): void {
  const current = useRef(reload)
  useEffect(() => {
    current.current = reload
  })
  useEffect(
    () =>
      subscribeToComposer(() => {
        if (currentIntent() === null) current.current()
      }),
    [],
  )
}
