import type { MediaAttachment } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { coversMedia } from '../../../lib/settings.ts'
import { useRememberedState } from '../../../lib/store/use-remembered-state.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { BlurhashCanvas } from './blurhash-canvas.tsx'
import { coverTitle } from './cover-title.ts'
import { MediaPlayer } from './media-player.tsx'
import { openStatusDialog } from '../actions/open-status-dialog.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-media.module.css'

const MAX_SHOWN = 4

/**
 * The media of a status. Sensitive media and those that a filter blurs are covered until the user uncovers them; all
 * others can be hidden too.
 */
export function StatusMedia({ status, blurredBy }: { status: StoredStatus; blurredBy?: string | undefined }) {
  const { id, mediaAttachments: media, sensitive } = status
  const [isCovered, setIsCovered] = useRememberedState(`media-${id}`, coversMedia(sensitive) || blurredBy !== undefined)
  if (media.length === 0) return null
  const shown = media.slice(0, MAX_SHOWN)
  const open = (index: number) => openStatusDialog({ type: 'media', status, index })
  return (
    <div className={styles.gallery} data-count={shown.length}>
      {shown.map((attachment, index) => (
        <MediaItem
          key={attachment.id}
          attachment={attachment}
          isOnly={media.length === 1}
          isCovered={isCovered}
          moreCount={index === MAX_SHOWN - 1 ? media.length - MAX_SHOWN : 0}
          onOpen={() => open(index)}
        />
      ))}
      {/* The key of Mastodon that opens the media, of which a video has no button. */}
      {!isCovered && <button type="button" hidden data-key="e" onClick={() => open(0)} />}
      {isCovered ? (
        <button type="button" className={styles.cover} data-key="h" onClick={() => setIsCovered(false)}>
          <Icon name="hidden" />
          <strong>{blurredBy ? message('web.filter.title', { name: blurredBy }) : coverTitle(sensitive)}</strong>
          <span>{message('web.media.show')}</span>
        </button>
      ) : (
        <button
          type="button"
          className={styles.hide}
          data-key="h"
          aria-label={message('web.media.hide')}
          title={message('web.media.hide')}
          onClick={() => setIsCovered(true)}
        >
          <Icon name="hidden" />
        </button>
      )}
    </div>
  )
}

const MIN_RATIO = 3 / 4
const MAX_RATIO = 21 / 9

function MediaItem({
  attachment,
  isOnly,
  isCovered,
  moreCount,
  onOpen,
}: {
  attachment: MediaAttachment
  isOnly: boolean
  isCovered: boolean
  moreCount: number
  onOpen: () => void
}) {
  const { type, url, remoteUrl, description, blurhash } = attachment
  // The height is known before the picture has loaded. Very tall pictures are cut in lists.
  const isSized = isOnly && type !== 'audio' && type !== 'unknown'
  const ratio = isSized ? Math.min(Math.max(ratioOf(attachment), MIN_RATIO), MAX_RATIO) : undefined
  return (
    <figure
      className={styles.item}
      data-type={type}
      style={ratio === undefined ? undefined : { aspectRatio: String(ratio) }}
    >
      {type !== 'audio' && <BlurhashCanvas hash={blurhash} className={styles.placeholder} />}
      {isCovered ? null : type === 'image' ? (
        <Picture attachment={attachment} moreCount={moreCount} onOpen={onOpen} />
      ) : type === 'unknown' ? (
        <a className={styles.remote} href={remoteUrl ?? url ?? undefined} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          {message('web.media.open-remote')}
        </a>
      ) : (
        <MediaPlayer attachment={attachment} className={type === 'audio' ? styles.audio : styles.media} />
      )}
      {description && !isCovered && <AltText text={description} />}
    </figure>
  )
}

/** A preview, which opens the viewer. It stays a link, so that a new tab can show the file. */
function Picture({
  attachment: { url, previewUrl, description, meta },
  moreCount,
  onOpen,
}: {
  attachment: MediaAttachment
  moreCount: number
  onOpen: () => void
}) {
  const focus = meta?.focus
  const more = message('web.media.more', { count: moreCount })
  return (
    <a
      href={url ?? undefined}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={
        moreCount > 0
          ? more
          : description
            ? message('web.media.open', { description })
            : message('web.media.open-undescribed')
      }
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    >
      <img
        className={styles.media}
        src={previewUrl ?? url ?? undefined}
        alt={description ?? ''}
        style={focus ? { objectPosition: `${(focus.x + 1) * 50}% ${(1 - focus.y) * 50}%` } : undefined}
        loading="lazy"
        decoding="async"
      />
      {moreCount > 0 && <span className={styles.more}>{more}</span>}
    </a>
  )
}

/** The badge that opens the description of a picture. */
function AltText({ text }: { text: string }) {
  return (
    <details className={styles.alt}>
      <summary>{message('web.media.alt')}</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}

function ratioOf({ meta }: MediaAttachment): number {
  const size = meta?.small ?? meta?.original
  return size?.width && size.height ? size.width / size.height : 16 / 9
}
