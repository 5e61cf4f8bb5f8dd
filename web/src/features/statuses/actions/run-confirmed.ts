import { isMissing } from '../../../lib/api/is-missing.ts'
import { api } from '../../../lib/session.ts'
import type { Account, Status } from '../../../lib/api/entities.ts'
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
  mute: async ({ id, account }) => {
    await sendRelationship(account.id, { type: 'mute', notifications: true, seconds: 0 })
    showToast({ kind: 'good', text: message('web.confirm.mute.done', { name: `@${account.acct}` }) })
    await hideStatuses(id, (author) => author.id === account.id)
  },
  block: async ({ id, account }) => {
    await sendRelationship(account.id, { type: 'block' })
    showToast({ kind: 'good', text: message('web.confirm.block.done', { name: `@${account.acct}` }) })
    await hideStatuses(id, (author) => author.id === account.id)
  },
  'block-domain': async ({ id, account }) => {
    const domain = domainOf(account) ?? ''
    await sendRelationship(account.id, { type: 'block-domain', domain })
    showToast({ kind: 'good', text: message('web.confirm.block-domain.done', { domain }) })
    await hideStatuses(id, (author) => domainOf(author) === domain)
  },
}

/** An endpoint of Mastodon 4.5 that masto.js does not type. */
interface RevocableQuotes {
  $select(id: string): { revoke(): Promise<unknown> }
}

/** Hides the statuses of authors, and moves the focus from the one with the `id` to the nearest one that stays. */
async function hideStatuses(id: string, isHidden: (account: Account) => boolean): Promise<void> {
  const posts = findPosts()
  const index = posts.findIndex((post) => post.dataset['status'] === id)
  removeStatusesOf(isHidden)
  await untilRendered()
  // Threads show them nevertheless, so that they keep the focus there.
  if (document.activeElement !== document.body) return
  const isThere = (post: HTMLElement) => post.isConnected
  focusPost(posts.slice(index + 1).find(isThere) ?? posts.slice(0, index).findLast(isThere))
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
  // afterwards returns the focus to it.
  await untilRendered()
  focusPost(next)
  return deleted
}

/** A hidden window has no frames, and must not lose a text that follows if it is closed. */
async function untilRendered(): Promise<void> {
  if (!document.hidden) await new Promise(requestAnimationFrame)
}

/** Moves the focus to a post; without one, to the heading of the page. */
function focusPost(post: HTMLElement | undefined): void {
  ;(post ?? document.querySelector<HTMLElement>('main h1'))?.focus()
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

const findPosts = () => [...document.querySelectorAll<HTMLElement>('main article[tabindex]')]

function findNeighbour(id: string): HTMLElement | undefined {
  const posts = findPosts()
  const index = posts.findIndex((post) => post.dataset['status'] === id)
  return index === -1 ? undefined : (posts[index + 1] ?? posts[index - 1])
}

function writeAgain(status: StoredStatus, { text = '', spoilerText, quote }: DeletedStatus): void {
  // The response has the quoted status also if its author has not approved the quote.
  const quoted = quote && 'quotedStatus' in quote ? quote.quotedStatus : null
  const stored = quoted ? { ...status, quote: { state: quote!.state, quotedStatusId: quoted.id } } : status
  openComposer({ type: 'redraft', status: stored, source: { text, spoilerText } })
}
