import { isMissing } from '../../../lib/api/is-missing.ts'
import { api } from '../../../lib/session.ts'
import type { Status } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { openComposer } from '../../composer/open-composer.ts'
import { sendRelationship } from '../../relationships/change-relationship.ts'
import { removeStatus, removeStatusesOf } from '../../timelines/timelines.ts'
import type { ConfirmedAction } from './open-status-dialog.ts'
import { textOf } from '../content/status-text.ts'
import { saveStatus } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'
import { domainOf } from './status-commands.ts'

/** Performs an action that the user has confirmed, and reports its result. */
export async function runConfirmed(action: ConfirmedAction, status: StoredStatus): Promise<void> {
  try {
    await RUN[action](status)
  } catch {
    showToast({
      kind: 'alert',
      text: message(`web.confirm.${action}.failed`),
      action: { label: message('web.retry'), run: () => void runConfirmed(action, status) },
    })
  }
}

const RUN: Record<ConfirmedAction, (status: StoredStatus) => Promise<void>> = {
  delete: async (status) => {
    const deleted = await deleteStatus(status)
    showToast({
      kind: 'good',
      text: message('web.confirm.delete.done'),
      action: { label: message('web.menu.write-again'), run: () => writeAgain(status, deleted) },
    })
  },
  redraft: async (status) => writeAgain(status, await deleteStatus(status)),
  'revoke-quote': async ({ id, quote }) => {
    const quotes = api().v1.statuses.$select(quote?.quotedStatusId ?? '').quotes as unknown as RevocableQuotes
    saveStatus((await quotes.$select(id).revoke()) as Status)
    announce(message('web.confirm.revoke-quote.done'))
  },
  mute: async ({ account }) => {
    await sendRelationship(account.id, { type: 'mute', notifications: true, seconds: 0 })
    hideAuthor({ ids: [account.id], text: message('web.confirm.mute.done', { name: `@${account.acct}` }) })
  },
  block: async ({ account }) => {
    await sendRelationship(account.id, { type: 'block' })
    hideAuthor({ ids: [account.id], text: message('web.confirm.block.done', { name: `@${account.acct}` }) })
  },
  'block-domain': async ({ account }) => {
    const domain = domainOf(account) ?? ''
    await sendRelationship(account.id, { type: 'block-domain', domain })
    removeStatusesOf((author) => domainOf(author) === domain)
    showToast({ kind: 'good', text: message('web.confirm.block-domain.done', { domain }) })
  },
}

/** An endpoint of Mastodon 4.5 that masto.js does not type. */
interface RevocableQuotes {
  $select(id: string): { revoke(): Promise<unknown> }
}

function hideAuthor({ ids, text }: { ids: readonly string[]; text: string }): void {
  removeStatusesOf(({ id }) => ids.includes(id))
  showToast({ kind: 'good', text })
}

/** What the response to a deletion has of a status, so that it can be written again. */
type DeletedStatus = Pick<Status, 'text' | 'spoilerText' | 'quote'>

/** Deletes a status and moves the focus to the next one. Returns its text as it was typed. */
async function deleteStatus(status: StoredStatus): Promise<DeletedStatus> {
  const { id } = status
  const neighbour = findNeighbour(id)
  const deleted = await requestDeletion(status)
  // The stream may have removed the status before the response came.
  const next = findNeighbour(id) ?? neighbour
  removeStatus(id)
  // The element may move when the list without the deleted status is rendered, but it stays in the document. What opens
  // afterwards returns the focus to it. A hidden window has no frames, and must not lose the text if it is closed.
  if (!document.hidden) await new Promise(requestAnimationFrame)
  next?.focus()
  return deleted
}

/** Requests the deletion. If an earlier response was lost, the status is gone already, and its text is that of the page. */
async function requestDeletion({ id, content, spoilerText }: StoredStatus): Promise<DeletedStatus> {
  try {
    return (await api().v1.statuses.$select(id).remove()) as unknown as Status
  } catch (error) {
    if (!isMissing(error)) throw error
    return { text: textOf(content ?? ''), spoilerText, quote: null }
  }
}

function findNeighbour(id: string): HTMLElement | undefined {
  const posts = [...document.querySelectorAll<HTMLElement>('main article[tabindex]')]
  const index = posts.findIndex((post) => post.dataset['status'] === id)
  return index === -1 ? undefined : (posts[index + 1] ?? posts[index - 1])
}

function writeAgain(status: StoredStatus, { text = '', spoilerText, quote }: DeletedStatus): void {
  // The response has the quoted status also if its author has not approved the quote.
  const quoted = quote && 'quotedStatus' in quote ? quote.quotedStatus : null
  const stored = quoted ? { ...status, quote: { state: quote!.state, quotedStatusId: quoted.id } } : status
  openComposer({ type: 'redraft', status: stored, source: { text, spoilerText } })
}
