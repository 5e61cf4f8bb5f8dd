import { useSyncExternalStore } from 'react'
import { formatPercent } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { DraftMedia } from '../../drafts/draft.ts'
import type { ComposerState } from '../composer-state.ts'
import { MediaPicture } from './media-picture.tsx'
import { upload } from './uploads.ts'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import styles from './media-list.module.css'

/** A file of a post, with its progress or its error, and its buttons. */
export function MediaItem({
  state,
  media,
  place: { index, count },
  onDescribe,
  onMove,
  onRemove,
}: {
  state: ComposerState
  media: DraftMedia
  place: { index: number; count: number }
  onDescribe: () => void
  onMove: (place: number) => void
  onRemove: () => void
}) {
  const uploads = useSyncExternalStore(state.subscribe, () => state.getSnapshot().uploads)
  const uploadState = uploads[media.key]
  const name = media.file?.name ?? message('web.composer.file', { index: index + 1 })
  const hasAlt = media.description !== ''
  return (
    <>
      <div className={styles.picture}>
        <MediaPicture media={media} />
        {uploadState && 'progress' in uploadState && (
          <p className={styles.progress}>
            <progress aria-label={message('web.composer.uploading', { name })} value={uploadState.progress} />
            <span aria-hidden="true">{formatPercent(uploadState.progress)}</span>
          </p>
        )}
      </div>
      {uploadState && 'error' in uploadState && (
        <p className={styles.error} role="alert">
          <span>{uploadState.error}</span>
          <button
            type="button"
            className="button button-line button-small"
            onClick={() => void upload(state, media.key)}
          >
            {message('web.retry')}
          </button>
        </p>
      )}
      <div className={styles.buttons}>
        <button
          type="button"
          className={styles.alt}
          data-missing={!hasAlt || undefined}
          aria-label={hasAlt ? undefined : message('web.composer.add-alt-of', { name })}
          onClick={onDescribe}
        >
          <Icon name={hasAlt ? 'check' : 'warning'} />
          {hasAlt && <span className="unseen">{message('web.composer.edit-alt-of', { name })}</span>}
          <span>{hasAlt ? media.description : message('web.composer.add-alt')}</span>
        </button>
        {count > 1 && (
          <>
            <IconButton
              icon="back"
              label={message('web.composer.move-earlier', { name })}
              disabled={index === 0}
              onClick={() => onMove(index - 1)}
            />
            <IconButton
              icon="forward"
              label={message('web.composer.move-later', { name })}
              disabled={index === count - 1}
              onClick={() => onMove(index + 1)}
            />
          </>
        )}
        <IconButton icon="trash" label={message('web.composer.remove-file', { name })} onClick={onRemove} />
      </div>
    </>
  )
}

function IconButton({
  icon,
  label,
  disabled = false,
  onClick,
}: {
  icon: 'back' | 'forward' | 'trash'
  label: string
  disabled?: boolean
  onClick: () => void
}) {
  return (
    <SteadyButton
      className={styles.icon}
      data-turns={icon === 'trash' ? undefined : true}
      aria-label={label}
      title={label}
      isUnusable={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </SteadyButton>
  )
}
