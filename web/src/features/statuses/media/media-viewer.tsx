import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { MediaAttachment } from '../../../lib/api/entities.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { Toasts } from '../../../ui/notices/toasts.tsx'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import { MediaPlayer } from './media-player.tsx'
import type { StoredStatus } from '../status-store.ts'
import styles from './media-viewer.module.css'

/** How far an arrow key moves a zoomed picture, in pixels. */
const PAN_STEP = 80
const PAN_DIRECTIONS: Partial<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * All media of a status in the size of the window, beginning with the one at `start`. Swiping and arrow keys move to the
 * others; arrow keys move a zoomed picture.
 */
export function MediaViewer({ status, start, onClose }: { status: StoredStatus; start: number; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const strip = useRef<HTMLUListElement>(null)
  const [index, setIndex] = useState(start)
  const [isZoomed, setIsZoomed] = useState(false)
  const { mediaAttachments: media } = status
  const current = media[index]
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    strip.current?.children[start]?.scrollIntoView({ behavior: 'instant' })
  }, [start])

  const show = (next: number) => {
    if (next < 0 || next >= media.length) return
    setIsZoomed(false)
    setIndex(next)
    strip.current?.children[next]?.scrollIntoView({ behavior: 'instant' })
  }
  const moveByKey = (event: KeyboardEvent) => {
    const direction = isZoomed && PAN_DIRECTIONS[event.key]
    if (direction) {
      const [x, y] = direction
      event.preventDefault()
      return strip.current?.children[index]?.scrollBy({ left: x * PAN_STEP, top: y * PAN_STEP, behavior: 'instant' })
    }
    const forwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    // The arrow keys of a player move in its time.
    if (event.target instanceof HTMLMediaElement) return
    event.preventDefault()
    show(event.key === forwards ? index + 1 : index - 1)
  }
  return (
    <dialog
      ref={dialog}
      className={styles.viewer}
      aria-label={message('web.viewer.label')}
      onClose={onClose}
      onKeyDown={moveByKey}
    >
      <header className={styles.bar}>
        <p className={styles.position} aria-live="polite">
          {message('web.viewer.position', { number: formatNumber(index + 1), count: formatNumber(media.length) })}
        </p>
        {current?.type === 'image' && (
          <button
            type="button"
            className={styles.button}
            aria-pressed={isZoomed}
            aria-label={message('web.viewer.zoom')}
            title={message('web.viewer.zoom')}
            onClick={() => setIsZoomed(!isZoomed)}
          >
            <Icon name="search" />
          </button>
        )}
        <a
          className={styles.button}
          href={current?.url ?? undefined}
          download
          target="_blank"
          rel="noopener noreferrer"
          aria-label={message('web.viewer.download')}
          title={message('web.viewer.download')}
        >
          <Icon name="download" />
        </a>
        <button
          type="button"
          className={styles.button}
          aria-label={message('web.close')}
          title={message('web.close')}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      <ul
        ref={strip}
        className={styles.strip}
        tabIndex={0}
        data-zoomed={isZoomed}
        onScroll={({ currentTarget }) => {
          const next = Math.round(Math.abs(currentTarget.scrollLeft) / currentTarget.clientWidth)
          if (!isZoomed && next !== index) setIndex(next)
        }}
      >
        {media.map((attachment, position) => (
          <li key={attachment.id} className={styles.slide} inert={position !== index}>
            <Medium
              attachment={attachment}
              isZoomed={isZoomed && position === index}
              onZoom={() => setIsZoomed(!isZoomed)}
            />
          </li>
        ))}
      </ul>
      {media.length > 1 && (
        <>
          <MoveButton
            label={message('web.viewer.previous')}
            isBack
            isAtEnd={index === 0}
            onMove={() => show(index - 1)}
          />
          <MoveButton
            label={message('web.viewer.next')}
            isAtEnd={index === media.length - 1}
            onMove={() => show(index + 1)}
          />
        </>
      )}
      {current?.description && (
        <p className={styles.description} dir="auto" tabIndex={0}>
          {current.description}
        </p>
      )}
      <Toasts />
    </dialog>
  )
}

function Medium({
  attachment,
  isZoomed,
  onZoom,
}: {
  attachment: MediaAttachment
  isZoomed: boolean
  onZoom: () => void
}) {
  const { type, url, previewUrl, description, meta } = attachment
  const picture = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (isZoomed) picture.current?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  }, [isZoomed])
  if (type !== 'image') return <MediaPlayer attachment={attachment} className={styles.player} />
  return (
    <img
      ref={picture}
      className={isZoomed ? styles.zoomed : styles.picture}
      src={url ?? previewUrl ?? undefined}
      alt={description ?? ''}
      width={meta?.original?.width}
      height={meta?.original?.height}
      onDoubleClick={onZoom}
    />
  )
}

function MoveButton({
  label,
  isBack = false,
  isAtEnd,
  onMove,
}: {
  label: string
  isBack?: boolean
  isAtEnd: boolean
  onMove: () => void
}) {
  return (
    <SteadyButton
      className={`${styles.button} ${styles.move} ${isBack ? styles.back : styles.forward}`}
      aria-label={label}
      title={label}
      isUnusable={isAtEnd}
      onClick={onMove}
    >
      <Icon name={isBack ? 'back' : 'forward'} />
    </SteadyButton>
  )
}
