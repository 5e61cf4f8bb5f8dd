import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { onStreamOpen, useStreamEvents } from '../../lib/stream-events.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import { announcementsQuery, dismissAnnouncement, receiveAnnouncementEvent } from './announcement-queries.ts'
import { AnnouncementReactions } from './announcement-reactions.tsx'
import { AnnouncementText } from './announcement-text.tsx'
import styles from './announcement-bar.module.css'

/** The unread announcements of the staff, one at a time. */
export function AnnouncementBar() {
  // While another page is open, nothing listens to the stream.
  const { data = [] } = useQuery({ ...announcementsQuery, refetchOnMount: 'always' })
  const client = useQueryClient()
  const [index, setIndex] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  useStreamEvents('user', (event) => receiveAnnouncementEvent(client, event))
  useEffect(
    () => onStreamOpen(() => void client.invalidateQueries({ queryKey: announcementsQuery.queryKey })),
    [client],
  )

  const unread = data.filter(({ read }) => !read)
  const position = Math.min(index, unread.length - 1)
  const announcement = unread[position]
  useKeptContentBelow(bar, { isEmpty: !announcement })
  const dismiss = async (id: string) => {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    try {
      await dismissAnnouncement(client, id)
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.announcements.dismiss-failed'),
        action: { label: message('web.retry'), run: () => void dismiss(id) },
      })
    }
  }
  return (
    <div ref={bar}>
      {announcement && (
        <section className={styles.bar} aria-label={message('web.announcements.title')}>
          <header className={styles.head}>
            <Icon name="flag" />
            <h2 className={styles.title}>{message('web.announcements.title')}</h2>
            {unread.length > 1 && (
              <Steps position={position} count={unread.length} onMove={(step) => setIndex(position + step)} />
            )}
            <button
              type="button"
              className={`icon-button ${styles.button}`}
              aria-label={message('web.announcements.dismiss')}
              title={message('web.announcements.dismiss')}
              onClick={() => void dismiss(announcement.id)}
            >
              <Icon name="close" />
            </button>
          </header>
          <AnnouncementText announcement={announcement} />
          <AnnouncementReactions key={announcement.id} announcement={announcement} />
        </section>
      )}
    </div>
  )
}

function Steps({ position, count, onMove }: { position: number; count: number; onMove: (step: 1 | -1) => void }) {
  return (
    <span className={styles.steps}>
      <SteadyButton
        className={`icon-button ${styles.button}`}
        aria-label={message('web.announcements.previous')}
        isUnusable={position === 0}
        onClick={() => onMove(-1)}
      >
        <Icon name="back" />
      </SteadyButton>
      <span role="status">
        {message('web.announcements.position', { position: formatNumber(position + 1), count: formatNumber(count) })}
      </span>
      <SteadyButton
        className={`icon-button ${styles.button}`}
        aria-label={message('web.announcements.next')}
        isUnusable={position === count - 1}
        onClick={() => onMove(1)}
      >
        <Icon name="forward" />
      </SteadyButton>
    </span>
  )
}

/**
 * Keeps what is below an element where it is when the height of the element changes above the window. An element that
 * stays empty is not measured, because that makes the browser calculate the layout of the page.
 */
function useKeptContentBelow(element: React.RefObject<HTMLElement | null>, { isEmpty }: { isEmpty: boolean }): void {
  const lastHeight = useRef(0)
  useLayoutEffect(() => {
    if (!element.current || (isEmpty && lastHeight.current === 0)) return
    const { offsetHeight, offsetTop } = element.current
    const growth = offsetHeight - lastHeight.current
    lastHeight.current = offsetHeight
    if (growth !== 0 && window.scrollY > offsetTop) window.scrollBy(0, growth)
  })
}
