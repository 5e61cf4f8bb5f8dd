import { useState } from 'react'
import type { Instance } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { DraftPost } from '../../drafts/draft.ts'
import type { ComposerState } from '../composer-state.ts'
import { reportRemoval } from '../report-removal.ts'
import { MediaDialog } from './media-dialog.tsx'
import { MediaItem } from './media-item.tsx'
import { removeMedia } from './uploads.ts'
import styles from './media-list.module.css'

/** The files of a post: their alt texts, their order, and whether they are sensitive. */
export function MediaList({
  state,
  post,
  limits,
}: {
  state: ComposerState
  post: DraftPost
  limits: Instance['configuration']
}) {
  const { media } = post
  const [describedKey, setDescribedKey] = useState<string | null>(null)
  const [draggedKey, setDraggedKey] = useState<string | null>(null)
  const described = media.find(({ key }) => key === describedKey)

  const move = (mediaKey: string, place: number) => {
    const moved = media.find(({ key }) => key === mediaKey)
    if (!moved) return
    const others = media.filter((one) => one !== moved)
    state.changePost(post.key, { media: others.toSpliced(place, 0, moved) })
  }
  const remove = (mediaKey: string, index: number) => {
    const restore = removeMedia(state, { postKey: post.key, mediaKey })
    const next = media[index + 1] ?? media[index - 1]
    document.querySelector<HTMLElement>(next ? `[data-media="${next.key}"] button` : `#text-${post.key}`)?.focus()
    reportRemoval('file', restore)
  }
  return (
    <>
      <ul className={styles.list} data-count={media.length} aria-label={message('web.composer.media')}>
        {media.map((one, index) => (
          <li
            key={one.key}
            className={styles.item}
            data-media={one.key}
            draggable={media.length > 1}
            onDragStart={() => setDraggedKey(one.key)}
            onDragEnd={() => setDraggedKey(null)}
            onDragOver={(event) => {
              if (draggedKey !== null) event.preventDefault()
            }}
            onDrop={(event) => {
              if (draggedKey === null) return
              event.preventDefault()
              move(draggedKey, index)
            }}
          >
            <MediaItem
              state={state}
              media={one}
              place={{ index, count: media.length }}
              onDescribe={() => setDescribedKey(one.key)}
              onMove={(place) => move(one.key, place)}
              onRemove={() => remove(one.key, index)}
            />
          </li>
        ))}
      </ul>
      <label className={styles.sensitive}>
        <input
          type="checkbox"
          checked={post.sensitive || (post.warning ?? '') !== ''}
          disabled={(post.warning ?? '') !== ''}
          onChange={({ target }) => state.changePost(post.key, { sensitive: target.checked })}
        />
        {message('web.composer.sensitive')}
      </label>
      {media.some(({ description }) => description === '') && (
        <p className={styles.hint}>
          <Icon name="warning" />
          {message('web.composer.alt-missing')}
        </p>
      )}
      {described && (
        <MediaDialog
          media={described}
          maxCharacters={limits.mediaAttachments.descriptionLimit}
          onChange={(change) => state.changeMedia(described.key, change)}
          onClose={() => setDescribedKey(null)}
        />
      )}
    </>
  )
}
