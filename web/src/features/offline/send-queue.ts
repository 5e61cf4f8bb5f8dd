import type { QueryClient } from '@tanstack/react-query'
import { MastoHttpError } from 'masto'
import { message } from '../../lib/i18n/messages.ts'
import { dequeue, isOffline, loadQueue, onEnqueue, withQueueLock } from '../../lib/store/action-queue.ts'
import type { QueuedAction } from '../../lib/store/action-queue.ts'
import { showToast } from '../../ui/notices/toasts.tsx'
import { ComposerState } from '../composer/composer-state.ts'
import { textOfError } from '../composer/error-text.ts'
import { AttachmentError } from '../composer/media/uploads.ts'
import { openComposer } from '../composer/open-composer.ts'
import { sendDraft } from '../composer/send-draft.ts'
import { draftStorage, findDraft } from '../drafts/draft-store.ts'
import { draftsQuery } from '../drafts/drafts-query.ts'
import { scheduledQueryKey } from '../drafts/scheduled-query.ts'
import { instanceQuery } from '../instance/instance.ts'
import { sendRelationship } from '../relationships/change-relationship.ts'
import { followAction } from '../relationships/relationship-changes.ts'
import { sendToggle } from '../statuses/actions/status-actions.ts'

/** After this time, the client tries again to reach a server that did not respond. */
const RETRY_MS = 30_000

/** The responses of HTTP after which the same request may succeed later: the session has ended, or there were too many. */
const TEMPORARY = new Set([401, 408, 429])

let timer: ReturnType<typeof setTimeout> | null = null

/** Sends the actions that wait, now and whenever there is a network again. */
export async function startSendingQueue(queryClient: QueryClient): Promise<void> {
  const send = () => void sendQueue(queryClient).catch(() => undefined)
  window.addEventListener('online', send)
  document.addEventListener('visibilitychange', send)
  onEnqueue(send)
  await sendQueue(queryClient)
  // The composer needs the limits of the server without a network, too.
  if (!isOffline()) await queryClient.prefetchQuery(instanceQuery)
}

/** Sends all actions in their order. One window does it at a time, so that each is sent once. */
async function sendQueue(queryClient: QueryClient): Promise<void> {
  if (timer !== null) clearTimeout(timer)
  timer = null
  if ((await loadQueue()).length === 0 || isOffline()) return
  await withQueueLock(async () => {
    for (const action of await loadQueue()) {
      if (await settle(action, queryClient)) continue
      timer = setTimeout(() => void sendQueue(queryClient).catch(() => undefined), RETRY_MS)
      return
    }
  })
}

/** Sends an action. Returns false if it still waits, because the server could not be reached. */
async function settle(action: QueuedAction, queryClient: QueryClient): Promise<boolean> {
  try {
    await send(action)
  } catch (error) {
    if (!isRefused(error)) return false
    reportRefusal(action, error)
  }
  await dequeue(action)
  if (action.type === 'post')
    for (const queryKey of [draftsQuery.queryKey, scheduledQueryKey]) void queryClient.invalidateQueries({ queryKey })
  return true
}

async function send(action: QueuedAction): Promise<void> {
  const { type, id } = action
  if (type === 'follow') return sendRelationship(id, followAction(action))
  if (type !== 'post') return sendToggle(type, action)
  const draft = await findDraft(id)
  if (!draft) return
  // The idempotency keys of its posts are part of the draft.
  await sendDraft(new ComposerState(draft, draftStorage))
  showToast({ kind: 'good', text: message('web.queue.post-sent') })
}

/** Returns whether the same request would be refused again. */
function isRefused(error: unknown): boolean {
  if (error instanceof AttachmentError) return !isOffline()
  return error instanceof MastoHttpError && error.statusCode < 500 && !TEMPORARY.has(error.statusCode)
}

/** Says that an action was not possible. Its buttons show the former state again; a post is still a draft. */
function reportRefusal(action: QueuedAction, error: unknown): void {
  const { type, id } = action
  if (type === 'post')
    return showToast({
      kind: 'alert',
      text: message('web.queue.post-refused', { reason: textOfError(error) }),
      action: { label: message('web.queue.open-draft'), run: () => openComposer({ type: 'draft', draftId: id }) },
    })
  const text =
    type === 'follow'
      ? message(action.on ? 'web.relationship.follow-failed' : 'web.relationship.unfollow-failed')
      : message(`web.status.${type}-failed`)
  showToast({ kind: 'alert', text: message('web.queue.refused', { text, reason: textOfError(error) }) })
}
