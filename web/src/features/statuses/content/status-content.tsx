import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { renderHtml } from '../../../lib/html/render-html.tsx'
import { useRememberedState } from '../../../lib/store/use-remembered-state.ts'
import { renderStatusLink } from './status-link.tsx'
import { QUOTE_LINK_CLASS } from './status-text.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-content.module.css'

/** A text that is longer than the fold by less than this many pixels is shown in full. */
const TOLERANCE = 60

/** The text of a status. `folds`: only the first 12 lines of a long text, with a button for the rest. */
export function StatusContent({ status, folds = true }: { status: StoredStatus; folds?: boolean }) {
  const { content = '', emojis, mentions, tags, quote } = status
  const rendered = useMemo(
    () =>
      renderHtml(content, {
        emojis,
        renderLink: (link) => renderStatusLink(link, { mentions, tags }),
        // The quoted status is shown as a card.
        ...(quote && { omittedClass: QUOTE_LINK_CLASS }),
      }),
    [content, emojis, mentions, tags, quote],
  )
  const text = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useRememberedState(`text-${status.id}`, false)
  const [isLong, setIsLong] = useState(false)
  useLayoutEffect(() => {
    if (!folds || !text.current) return
    const { scrollHeight } = text.current
    setIsLong(scrollHeight > foldHeight(text.current) + TOLERANCE)
  }, [rendered, folds])
  if (content === '') return null
  const isFolded = isLong && !isOpen
  return (
    <>
      <div
        ref={text}
        className={isFolded ? `${styles.content} ${styles.folded}` : styles.content}
        dir="auto"
        lang={status.language ?? undefined}
        onFocus={({ target, currentTarget }) => {
          // A link below the fold that gets the focus must be visible.
          if (isFolded && target.getBoundingClientRect().bottom > currentTarget.getBoundingClientRect().bottom)
            setIsOpen(true)
        }}
      >
        {rendered}
      </div>
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {message(isOpen ? 'web.status.read-less' : 'web.status.read-more')}
        </button>
      )}
    </>
  )
}

const FOLD_LINES = 12

const foldHeight = (element: HTMLElement) => FOLD_LINES * Number.parseFloat(getComputedStyle(element).lineHeight)
