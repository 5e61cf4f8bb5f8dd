import { useEffect, useId, useRef } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { countGraphemes } from '../../../../../src/lib/text/count-characters.ts'
import { formatPercent } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Toasts } from '../../../ui/notices/toasts.tsx'
import type { DraftMedia } from '../../drafts/draft.ts'
import { MediaPicture } from './media-picture.tsx'
import styles from './media-dialog.module.css'

/** How far an arrow key moves the focal point, of a range from −1 to 1. */
const STEP = 0.1

/** The alt text of a file and, for pictures and videos, the focal point, which cropping keeps visible. */
export function MediaDialog({
  media,
  maxCharacters,
  onChange,
  onClose,
}: {
  media: DraftMedia
  maxCharacters: number
  onChange: (change: Partial<DraftMedia>) => void
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const hasPicture = media.file ? !media.file.type.startsWith('audio/') : media.attachment?.type !== 'audio'
  const remaining = maxCharacters - countGraphemes(media.description)
  useEffect(() => {
    const { activeElement } = document
    dialog.current?.showModal()
    text.current?.focus()
    return () => (activeElement instanceof HTMLElement ? activeElement.focus() : undefined)
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 id={`${id}-title`} className={styles.title}>
        {message('web.composer.alt-title')}
      </h2>
      {hasPicture && <FocalPoint media={media} onChange={(focus) => onChange({ focus })} />}
      <label className={styles.label} htmlFor={`${id}-text`}>
        {message('web.composer.alt-label')}
      </label>
      <textarea
        ref={text}
        id={`${id}-text`}
        className={styles.text}
        aria-describedby={`${id}-count`}
        dir="auto"
        rows={4}
        value={media.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <p id={`${id}-count`} className={styles.count} data-over={remaining < 0 || undefined}>
        <span className="unseen">{message('web.composer.remaining', { count: remaining })}</span>
        <span aria-hidden="true">{remaining}</span>
      </p>
      <p className={styles.actions}>
        <button type="button" className="button" disabled={remaining < 0} onClick={() => dialog.current?.close()}>
          {message('web.composer.done')}
        </button>
      </p>
      <Toasts />
    </dialog>
  )
}

/** The picture. A click or the arrow keys set the point that stays visible where the picture is cropped. */
function FocalPoint({ media, onChange }: { media: DraftMedia; onChange: (focus: DraftMedia['focus']) => void }) {
  const { x, y } = media.focus ?? { x: 0, y: 0 }
  const hintId = useId()
  const place = message('web.composer.focal-point', {
    x: formatPercent((x + 1) / 2),
    y: formatPercent((1 - y) / 2),
  })
  const set = (next: { x: number; y: number }) => onChange({ x: limit(next.x), y: limit(next.y) })
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // A click by the keyboard has no place.
    if (event.detail === 0) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    set({ x: ((event.clientX - left) / width) * 2 - 1, y: 1 - ((event.clientY - top) / height) * 2 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[event.key]
    if (!move) return
    event.preventDefault()
    set({ x: x + move[0]!, y: y + move[1]! })
  }
  return (
    <div className={styles.focal}>
      <button
        type="button"
        className={styles.picture}
        aria-label={place}
        aria-describedby={hintId}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <MediaPicture media={media} isWhole />
        <span
          className={styles.point}
          style={{ left: `${((x + 1) / 2) * 100}%`, top: `${((1 - y) / 2) * 100}%` }}
          aria-hidden="true"
        />
      </button>
      <p id={hintId} className={styles.hint}>
        {message('web.composer.focal-point-hint')}
      </p>
      <p className="unseen" role="status">
        {place}
      </p>
    </div>
  )
}

/** Rounds a coordinate to hundredths between −1 and 1. */
const limit = (coordinate: number) => Math.round(Math.min(1, Math.max(-1, coordinate)) * 100) / 100
