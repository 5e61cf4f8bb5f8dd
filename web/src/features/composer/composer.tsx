import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import type { KeyboardEvent } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { Toasts } from '../../ui/notices/toasts.tsx'
import { useReturnOfFocus } from '../../ui/dialogs/use-return-of-focus.ts'
import { draftStorage, saveDraft } from '../drafts/draft-store.ts'
import { draftsQuery } from '../drafts/drafts-query.ts'
import { contentOf, copyDraft, onSentElsewhere } from '../drafts/sent-drafts.ts'
import { ComposerForm } from './composer-form.tsx'
import { ComposerState } from './composer-state.ts'
import { configurationQuery } from '../instance/instance.ts'
import { createDraft, openDraft } from './open-draft.ts'
import { closeComposer, currentIntent, subscribeToComposer } from './open-composer.ts'
import type { ComposerIntent } from './open-composer.ts'
import styles from './composer.module.css'

interface OpenedState {
  state: ComposerState
  isRestored: boolean
}

/** What the user writes a post in, while one is being written: a dialog, or a region beside the page. */
export function Composer({ isBeside }: { isBeside: boolean }) {
  const intent = useSyncExternalStore(subscribeToComposer, currentIntent)
  return intent && <ComposerWindow key={keyOf(intent)} intent={intent} isBeside={isBeside} />
}

function keyOf(intent: ComposerIntent): string {
  if (intent.type === 'draft') return intent.draftId
  return intent.type === 'new' ? `new ${intent.text ?? ''}` : `${intent.type} ${intent.status.id}`
}

function ComposerWindow({ intent, isBeside }: { intent: ComposerIntent; isBeside: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const region = useRef<HTMLElement>(null)
  const titleId = useId()
  // Beside the page, the user may open the composer once more for the same purpose: that only moves the focus.
  const [opening] = useState(intent)
  const { data: limits, isError, refetch } = useQuery(configurationQuery)
  const { opened, hasFailed, retry, startAfresh } = useOpenedState(opening)

  // A dialog that is removed while it is open returns the focus to nothing.
  useReturnOfFocus()
  useEffect(() => dialog.current?.showModal(), [isBeside])
  useEffect(() => {
    if (intent !== opening) region.current?.querySelector('textarea')?.focus()
  }, [intent, opening])

  const content =
    opened && limits ? (
      <ComposerForm
        key={opened.state.draft.id}
        state={opened.state}
        limits={limits}
        titleId={titleId}
        onStartAfresh={opened.isRestored ? () => void startAfresh() : null}
      />
    ) : hasFailed || isError ? (
      <Notice icon="warning" title={message('web.composer.open-failed')} role="alert">
        <button type="button" className="button" onClick={() => (hasFailed ? retry() : void refetch())}>
          {message('web.retry')}
        </button>
        <button type="button" className="button button-line" onClick={closeComposer}>
          {message('web.close')}
        </button>
      </Notice>
    ) : (
      <p id={titleId} className={styles.loading} role="status">
        {message('web.loading')}
      </p>
    )

  if (isBeside)
    return (
      <section ref={region} className={styles.column} aria-labelledby={titleId} data-composer onKeyDown={closeOnEscape}>
        {content}
      </section>
    )
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={({ target, currentTarget }) => target === currentTarget && closeComposer()}
    >
      {content}
      <Toasts />
    </dialog>
  )
}

/** Closes the region, unless the key was for a list of suggestions, or for a dialog or a menu of the composer. */
function closeOnEscape(event: KeyboardEvent): void {
  const isInside = event.target instanceof Element && event.target.closest('dialog, [popover]') === null
  if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
  event.preventDefault()
  closeComposer()
}

/**
 * Opens the draft, stores it when the window is hidden, and allows to begin another one in its place. If another window
 * sends the draft, what was written here instead becomes a draft of its own.
 */
function useOpenedState(intent: ComposerIntent) {
  const queryClient = useQueryClient()
  const [opened, setOpened] = useState<OpenedState | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)

  useEffect(() => {
    let isCurrent = true
    openDraft(intent, queryClient).then(
      (found) => {
        if (!isCurrent) return
        if (found) setOpened({ state: new ComposerState(found.draft, draftStorage), isRestored: found.isRestored })
        else closeComposer()
      },
      () => isCurrent && setHasFailed(true),
    )
    return () => {
      isCurrent = false
    }
  }, [intent, queryClient, attempt])

  useEffect(() => {
    const state = opened?.state
    if (!state) return undefined
    const store = () => void state.flush()
    document.addEventListener('visibilitychange', store)
    window.addEventListener('pagehide', store)
    return () => {
      document.removeEventListener('visibilitychange', store)
      window.removeEventListener('pagehide', store)
      void state.flush().then(() => queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey }))
    }
  }, [opened, queryClient])

  useEffect(() => {
    const state = opened?.state
    if (!state) return undefined
    return onSentElsewhere(({ id, content }) => {
      const { draft, isSending } = state.getSnapshot()
      if (draft.id !== id || isSending) return
      void state.discard()
      if (contentOf(draft) === content) return closeComposer()
      // With the same idempotency key, the server would return the post of the other window in its place.
      const copy = copyDraft(draft)
      void saveDraft(copy).catch(() => undefined)
      setOpened({ state: new ComposerState(copy, draftStorage), isRestored: false })
    })
  }, [opened])

  return {
    opened,
    hasFailed,
    retry: () => {
      setHasFailed(false)
      setAttempt(attempt + 1)
    },
    /** Writes a new draft; the restored one stays on the shelf. */
    startAfresh: async () => {
      if (intent.type === 'draft') return
      const draft = await createDraft(intent, queryClient)
      setOpened({ state: new ComposerState(draft, draftStorage), isRestored: false })
    },
  }
}
