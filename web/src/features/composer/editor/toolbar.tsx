import { lazy, useId, useRef, useState } from 'react'
import type { Instance } from '../../../lib/api/entities.ts'
import { suggestTime } from '../../../lib/i18n/local-time.ts'
import { loadMessages, message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { IconName } from '../../../ui/icons/icon.tsx'
import { LazyPart } from '../../../ui/lazy-part.tsx'
import type { Draft, DraftPost } from '../../drafts/draft.ts'
import type { ComposerState } from '../composer-state.ts'
import { insertText, insertWord } from '../completion/completion.ts'
import { NEW_POLL } from './poll-editor.tsx'
import { replaceText } from './replace-text.ts'
import { textIdOf } from './text-ids.ts'
import { addFiles } from '../media/uploads.ts'
import styles from './toolbar.module.css'

const EmojiPicker = lazy(async () => {
  const [{ EmojiPicker }] = await Promise.all([import('../../emojis/emoji-picker.tsx'), loadMessages('emojis')])
  return { default: EmojiPicker }
})

/** What can be added to the post in which the cursor is. */
export function Toolbar({
  state,
  post,
  draft,
  limits,
}: {
  state: ComposerState
  post: DraftPost
  draft: Draft
  limits: Instance['configuration']
}) {
  const { maxMediaAttachments } = limits.statuses
  const isEdit = draft.context.type === 'edit'
  return (
    <div className={styles.toolbar} role="group" aria-label={message('web.composer.add')}>
      <FileButton
        accept={limits.mediaAttachments.supportedMimeTypes}
        disabled={post.media.length >= maxMediaAttachments}
        onChoose={(files) => addFiles(state, { postKey: post.key, files, max: maxMediaAttachments })}
      />
      <Tool
        icon="poll"
        label={message('web.composer.poll')}
        pressed={post.poll !== null}
        onClick={() => state.togglePoll(post.key, NEW_POLL)}
      />
      <Tool
        icon="warning"
        label={message('web.composer.warning')}
        pressed={post.warning !== null}
        onClick={() => state.toggleWarning(post.key)}
      />
      <EmojiButton onPick={(code) => insertAtCursor(state, { postKey: post.key, word: code })} />
      {!isEdit && (
        <Tool
          icon="clock"
          label={message('web.composer.schedule')}
          pressed={draft.scheduledAt !== null}
          disabled={draft.posts.length > 1}
          onClick={() => state.change({ scheduledAt: draft.scheduledAt === null ? suggestTime() : null })}
        />
      )}
    </div>
  )
}

function Tool({
  icon,
  label,
  pressed,
  disabled = false,
  onClick,
}: {
  icon: IconName
  label: string
  pressed: boolean
  disabled?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-pressed={pressed}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

function FileButton({
  accept,
  disabled,
  onChoose,
}: {
  accept: readonly string[]
  disabled: boolean
  onChoose: (files: File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const label = message('web.composer.add-media')
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <Icon name="image" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept.join(',')}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          // The same file may be chosen again after it was removed.
          target.value = ''
        }}
      />
    </>
  )
}

/** The button of the emoji picker, which is loaded when it is first opened. */
function EmojiButton({ onPick }: { onPick: (code: string) => void }) {
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const label = message('web.composer.emoji')
  return (
    <>
      <button type="button" className={styles.tool} popoverTarget={id} aria-label={label} title={label}>
        <Icon name="smile" />
      </button>
      <div
        ref={popover}
        id={id}
        className={styles.picker}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={({ newState }) => {
          setIsOpen(newState === 'open')
          if (newState === 'open') popover.current?.querySelector('input')?.focus()
        }}
      >
        {isOpen && (
          <LazyPart fallback={message('web.loading')} onFailure={() => popover.current?.hidePopover()}>
            <EmojiPicker
              onPick={(code) => {
                popover.current?.hidePopover()
                onPick(code)
              }}
            />
          </LazyPart>
        )}
      </div>
    </>
  )
}

/** Inserts an emoji where the cursor of a post was last, and moves it behind the emoji. Codes need spaces around them. */
function insertAtCursor(state: ComposerState, { postKey, word }: { postKey: string; word: string }): void {
  const field = document.querySelector<HTMLTextAreaElement>(`#${textIdOf(postKey)}`)
  if (!field) return
  const place = { start: field.selectionStart, end: field.selectionEnd, word }
  const next = word.startsWith(':') ? insertWord(field.value, place) : insertText(field.value, place)
  replaceText(field, next, (text) => state.changePost(postKey, { text }))
}
