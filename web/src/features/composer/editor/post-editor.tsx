import { useState, useSyncExternalStore } from 'react'
import type { ClipboardEvent, DragEvent } from 'react'
import type { Instance } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { DraftPost } from '../../drafts/draft.ts'
import { remainingCharacters } from '../check-draft.ts'
import type { ComposerState } from '../composer-state.ts'
import { MediaList } from '../media/media-list.tsx'
import { PollEditor } from './poll-editor.tsx'
import { TextField } from './text-field.tsx'
import { textIdOf } from './text-ids.ts'
import { addFiles } from '../media/uploads.ts'
import styles from './post-editor.module.css'

/** The fields of one post. `position`: its place in a thread. Files can be pasted and dropped. */
export function PostEditor({
  state,
  post,
  limits,
  position,
  language,
  onFocus,
  onRemove,
}: {
  state: ComposerState
  post: DraftPost
  limits: Instance['configuration']
  position: { index: number; count: number } | null
  language: string
  onFocus: () => void
  onRemove: () => void
}) {
  const [isDropTarget, setIsDropTarget] = useState(false)
  // What the user would write now would not be part of the post.
  const isSending = useSyncExternalStore(state.subscribe, () => state.getSnapshot().isSending)
  const remaining = remainingCharacters(post, limits)
  const add = (files: readonly File[]) =>
    addFiles(state, { postKey: post.key, files, max: limits.statuses.maxMediaAttachments })
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || hasFormattedText(event.clipboardData)) return
    event.preventDefault()
    add(files)
  }
  const onDrop = (event: DragEvent) => {
    setIsDropTarget(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    add([...event.dataTransfer.files])
  }
  const place = position && message('web.composer.post-place', { index: position.index + 1, count: position.count })
  return (
    <section
      className={styles.post}
      aria-label={place ?? undefined}
      data-drop={isDropTarget || undefined}
      onFocus={onFocus}
      onPaste={onPaste}
      onDrop={onDrop}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsDropTarget(true)
      }}
      onDragLeave={() => setIsDropTarget(false)}
    >
      {position && (
        <p className={styles.place}>
          <span>{place}</span>
          <button
            type="button"
            className={styles.remove}
            aria-label={message('web.composer.remove-post', { index: position.index + 1 })}
            title={message('web.composer.remove-post', { index: position.index + 1 })}
            onClick={onRemove}
          >
            <Icon name="trash" />
          </button>
        </p>
      )}
      {post.warning !== null && (
        <input
          type="text"
          className={styles.warning}
          aria-label={message('web.composer.warning')}
          placeholder={message('web.composer.warning')}
          dir="auto"
          lang={language}
          autoFocus
          readOnly={isSending}
          value={post.warning}
          onChange={({ target }) => state.changePost(post.key, { warning: target.value })}
        />
      )}
      <TextField
        id={textIdOf(post.key)}
        text={post.text}
        language={language}
        isReadOnly={isSending}
        describedBy={`${textIdOf(post.key)}-count`}
        onChange={(text) => state.changePost(post.key, { text })}
      />
      <p id={`${textIdOf(post.key)}-count`} className={styles.count} data-over={remaining < 0 || undefined}>
        <span className="unseen">{message('web.composer.remaining', { count: remaining })}</span>
        <span aria-hidden="true">{remaining}</span>
      </p>
      {post.media.length > 0 && <MediaList state={state} post={post} limits={limits} />}
      {post.poll && <PollEditor state={state} postKey={post.key} poll={post.poll} limits={limits.polls} />}
    </section>
  )
}

/** Office programs copy a picture of the text beside it. The HTML of a copied picture has no text. */
function hasFormattedText(clipboard: DataTransfer): boolean {
  const { body } = new DOMParser().parseFromString(clipboard.getData('text/html'), 'text/html')
  return body.textContent.trim() !== ''
}
