import { useQuery, useQueryClient } from '@tanstack/react-query'
import { message } from '../../lib/i18n/messages.ts'
import { useQueued } from '../../lib/store/action-queue.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { openComposer } from '../composer/open-composer.ts'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { deleteDraft, saveDraft } from './draft-store.ts'
import type { Draft } from './draft.ts'
import { draftsQuery } from './drafts-query.ts'
import { focusNeighbour } from './focus-neighbour.ts'
import styles from './drafts-list.module.css'

/** The posts that the user has not sent yet, in this browser. */
export function DraftsList() {
  const { data: drafts, isError, refetch } = useQuery(draftsQuery)
  const remove = useRemoveDraft()
  if (isError)
    return (
      <Notice icon="warning" title={message('web.drafts.failed')} role="alert">
        <button type="button" className="button" onClick={() => void refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (!drafts) return <StatusSkeletons count={2} />
  if (drafts.length === 0)
    return (
      <Notice icon="write" title={message('web.drafts.empty')}>
        <p>{message('web.drafts.empty-hint')}</p>
      </Notice>
    )
  return (
    <ul>
      {drafts.map((draft) => (
        <li key={draft.id} className={styles.item}>
          <DraftRow draft={draft} onRemove={() => void remove(draft.id)} />
        </li>
      ))}
    </ul>
  )
}

function DraftRow({ draft, onRemove }: { draft: Draft; onRemove: () => void }) {
  const isQueued = useQueued('post', draft.id) !== undefined
  const [first] = draft.posts
  const text = draft.posts.map((post) => post.text.trim()).find((one) => one !== '')
  const files = draft.posts.reduce((count, { media }) => count + media.length, 0)
  const title = first?.warning || text || message('web.drafts.no-text')
  return (
    <>
      <button type="button" className={styles.open} onClick={() => openComposer({ type: 'draft', draftId: draft.id })}>
        <span className={styles.reason}>
          {message(`web.composer.title-${draft.context.type}`)} ·{' '}
          <TimeAgo time={new Date(draft.updatedAt).toISOString()} />
        </span>
        {isQueued && (
          <span className={styles.parts}>
            <span>
              <Icon name="clock" />
              {message('web.queue.waiting')}
            </span>
          </span>
        )}
        <span className={styles.text} dir="auto" lang={draft.language}>
          {title}
        </span>
        {(files > 0 || draft.posts.length > 1 || first?.poll) && (
          <span className={styles.parts}>
            {draft.posts.length > 1 && message('web.drafts.posts', { count: draft.posts.length })}
            {files > 0 && (
              <span>
                <Icon name="image" />
                {message('web.status.media-count', { count: files })}
              </span>
            )}
            {first?.poll && (
              <span>
                <Icon name="poll" />
                {message('web.composer.poll')}
              </span>
            )}
          </span>
        )}
      </button>
      <button
        type="button"
        className={styles.icon}
        aria-label={message('web.drafts.delete', { text: title.slice(0, 60) })}
        title={message('web.drafts.delete-draft')}
        onClick={({ currentTarget }) => {
          focusNeighbour(currentTarget)
          onRemove()
        }}
      >
        <Icon name="trash" />
      </button>
    </>
  )
}

/** Returns a function that deletes a draft, with a message that can undo it. */
function useRemoveDraft(): (id: string) => Promise<void> {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey })
  return async (id) => {
    const draft = await deleteDraft(id)
    await refresh()
    if (!draft) return
    const restore = async () => {
      await saveDraft(draft)
      await refresh()
    }
    showToast({
      kind: 'good',
      text: message('web.drafts.deleted'),
      action: { label: message('web.drafts.undo'), run: () => void restore() },
    })
  }
}
