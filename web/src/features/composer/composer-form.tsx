import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { DragEvent, KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Instance, Status } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { clientSettings } from '../../lib/settings.ts'
import { enqueue, isOffline } from '../../lib/store/action-queue.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { isBlankDraft } from '../drafts/draft.ts'
import type { Draft, DraftPost } from '../drafts/draft.ts'
import { saveDraft } from '../drafts/draft-store.ts'
import { draftsQuery } from '../drafts/drafts-query.ts'
import { scheduledQueryKey } from '../drafts/scheduled-query.ts'
import { AudienceOptions } from './audience/audience-options.tsx'
import { findProblem, isEmptyPost } from './check-draft.ts'
import type { ComposerState } from './composer-state.ts'
import { ContextStatus } from './editor/context-status.tsx'
import { textOfError } from './error-text.ts'
import { closeComposer, openComposer, rememberOpenDraft } from './open-composer.ts'
import { PostEditor } from './editor/post-editor.tsx'
import { ScheduleField } from './editor/schedule-field.tsx'
import { reportRemoval } from './report-removal.ts'
import { sendDraft } from './send-draft.ts'
import { textIdOf } from './editor/text-ids.ts'
import { Toolbar } from './editor/toolbar.tsx'
import { AltTextQuestion, findUndescribed } from './media/alt-text-question.tsx'
import { addFiles, checkUploads } from './media/uploads.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './composer.module.css'

/** The form of a draft. `onStartAfresh`: leaves a restored draft on the shelf and begins a new one. */
export function ComposerForm({
  state,
  limits,
  titleId,
  onStartAfresh,
}: {
  state: ComposerState
  limits: Instance['configuration']
  titleId: string
  onStartAfresh: (() => void) | null
}) {
  const { draft, isSending, error, isStored } = useSyncExternalStore(state.subscribe, state.getSnapshot)
  const [activeKey, setActiveKey] = useState(draft.posts[0]!.key)
  const active = draft.posts.find(({ key }) => key === activeKey) ?? draft.posts[0]!
  const [isAsking, setIsAsking] = useState(false)
  const send = useSend(state, { limits, ask: () => setIsAsking(true) })
  const { type } = draft.context
  const isThread = draft.posts.length > 1
  const isEmpty = draft.posts.every((post, index) =>
    isEmptyPost(post, { hasQuote: index === 0 && draft.quotedStatusId !== null }),
  )

  useEffect(() => {
    void checkUploads(state)
    focusText(state.draft.posts[0]!.key)
  }, [state])
  useEffect(() => {
    if (!isBlankDraft(draft)) rememberOpenDraft(draft.id)
  }, [draft])

  const addPost = () => {
    const key = flushSync(() => state.addPost())
    setActiveKey(key)
    focusText(key)
  }
  const removePost = (post: DraftPost, index: number) => {
    const next = draft.posts[index + 1] ?? draft.posts[index - 1]
    const restore = state.removePost(post.key)
    if (next) focusText(next.key)
    if (post.poll || !isEmptyPost(post, { hasQuote: false })) reportRemoval('post', restore)
  }
  const removeQuote = () => {
    state.change({ quotedStatusId: null })
    focusText(active.key)
  }
  /** Otherwise the browser would leave the page to show a file that is dropped beside the fields. */
  const dropBesidePosts = (event: DragEvent) => {
    const files = [...event.dataTransfer.files]
    if (event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    addFiles(state, { postKey: active.key, files, max: limits.statuses.maxMediaAttachments })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
    if (event.altKey && event.code === 'KeyX') {
      event.preventDefault()
      // The field of the warning disappears.
      if (event.target instanceof HTMLInputElement) focusText(active.key)
      state.toggleWarning(active.key)
    }
  }

  return (
    <div
      className={styles.form}
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={dropBesidePosts}
    >
      <header className={styles.head}>
        <button
          type="button"
          className={styles.icon}
          aria-label={message('web.close')}
          title={message('web.close')}
          onClick={closeComposer}
        >
          <Icon name="close" />
        </button>
        <h2 id={titleId} className={styles.title}>
          {message(`web.composer.title-${type}`)}
        </h2>
        {type !== 'edit' && (
          <Link
            to="/drafts"
            className={styles.icon}
            aria-label={message('web.drafts.title')}
            title={message('web.drafts.title')}
            onClick={closeComposer}
          >
            <Icon name="list" />
          </Link>
        )}
        <SteadyButton className="button" isUnusable={isSending || isEmpty} onClick={() => void send()}>
          {sendLabel(draft, isSending)}
        </SteadyButton>
      </header>
      <div className={styles.body}>
        <div role="alert">
          {error !== null && (
            <p className={styles.error}>
              <Icon name="warning" />
              <span>{error}</span>
            </p>
          )}
          {!isStored && <p className={styles.error}>{message('web.composer.not-stored')}</p>}
        </div>
        {onStartAfresh && (
          <p className={styles.restored}>
            <span>{message('web.composer.restored')}</span>
            <button type="button" className="button button-line button-small" onClick={onStartAfresh}>
              {message('web.composer.start-afresh')}
            </button>
          </p>
        )}
        {draft.inReplyToId !== null && type === 'reply' && <ContextStatus kind="reply" id={draft.inReplyToId} />}
        {draft.posts.map((post, index) => (
          <PostEditor
            key={post.key}
            state={state}
            post={post}
            limits={limits}
            position={isThread ? { index, count: draft.posts.length } : null}
            language={draft.language}
            onFocus={() => setActiveKey(post.key)}
            onRemove={() => removePost(post, index)}
          />
        ))}
        {draft.quotedStatusId !== null && (
          <ContextStatus kind="quote" id={draft.quotedStatusId} onRemove={type === 'edit' ? null : removeQuote} />
        )}
        {type !== 'edit' && draft.scheduledAt === null && (
          <button type="button" className={styles.add} onClick={addPost}>
            <Icon name="plus" />
            {message('web.composer.add-post')}
          </button>
        )}
        {draft.scheduledAt !== null && (
          <ScheduleField
            state={state}
            scheduledAt={draft.scheduledAt}
            onRemove={() => {
              state.change({ scheduledAt: null })
              focusText(active.key)
            }}
          />
        )}
        <AudienceOptions state={state} draft={draft} />
      </div>
      <Toolbar state={state} post={active} draft={draft} limits={limits} />
      {isAsking && (
        <AltTextQuestion
          files={findUndescribed(draft)}
          onSend={() => void send({ isConfirmed: true })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}

function sendLabel({ context, posts, scheduledAt }: Draft, isSending: boolean): string {
  if (isSending) return message('web.composer.sending')
  if (context.type === 'edit') return message('web.composer.save')
  if (scheduledAt !== null) return message('web.composer.schedule')
  return posts.length > 1 ? message('web.composer.post-all') : message('web.composer.post')
}

/** Moves the cursor to the end of the text of a post. */
function focusText(postKey: string): void {
  const field = document.querySelector<HTMLTextAreaElement>(`#${textIdOf(postKey)}`)
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

/**
 * Returns a function that sends the draft, unless it has a problem, which is shown then. Calls `ask` in its place if the
 * user wants to be asked about missing alt texts.
 */
function useSend(
  state: ComposerState,
  { limits, ask }: { limits: Instance['configuration']; ask: () => void },
): (options?: { isConfirmed: boolean }) => Promise<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  /** The user can close the composer, and open another one, while the server has not responded. */
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const showSent = (draft: Draft, status: Status | null) => {
    const open = () =>
      status
        ? void navigate({ to: '/@{$acct}/$id', params: { acct: status.account.acct, id: status.id } })
        : void navigate({ to: '/scheduled' })
    const text = status === null ? 'scheduled' : draft.context.type === 'edit' ? 'saved' : 'sent'
    showToast({
      kind: 'good',
      text: message(`web.composer.${text}`),
      action: { label: message('web.composer.open'), run: open },
    })
  }
  const close = () => {
    void queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey })
    if (isShown.current) closeComposer()
  }
  const reportFailure = async (error: string) => {
    // A quote without a text is not worth storing otherwise. The others are stored, perhaps with later changes.
    if (isBlankDraft(state.draft)) await saveDraft(state.draft)
    const run = () => openComposer({ type: 'draft', draftId: state.draft.id })
    showToast({ kind: 'alert', text: error, action: { label: message('web.queue.open-draft'), run } })
  }
  /** Leaves the draft on the shelf until there is a network. */
  const sendLater = async () => {
    await state.flush()
    // Also a quote without a text, which is not worth storing otherwise.
    await saveDraft(state.draft)
    await enqueue({ type: 'post', id: state.draft.id })
    close()
    showToast({
      kind: 'good',
      text: message('web.queue.post'),
      action: { label: message('web.drafts.title'), run: () => void navigate({ to: '/drafts' }) },
    })
  }
  return async ({ isConfirmed } = { isConfirmed: false }) => {
    const { draft, isSending } = state.getSnapshot()
    if (isSending) return
    const error = findProblem(draft, limits)
    state.set({ error })
    if (error !== null) return
    if (!isConfirmed && clientSettings.get().askForAltText && findUndescribed(draft).length > 0) return ask()
    state.set({ isSending: true })
    try {
      if (isOffline()) return await sendLater()
      const status = await sendDraft(state)
      void queryClient.invalidateQueries({ queryKey: scheduledQueryKey })
      close()
      showSent(draft, status)
    } catch (cause) {
      const failure = textOfError(cause)
      state.set({ isSending: false, error: failure })
      if (!isShown.current) await reportFailure(failure)
    }
  }
}
