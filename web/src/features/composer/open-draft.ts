import type { QueryClient } from '@tanstack/react-query'
import { api, currentAccountId } from '../../lib/session.ts'
import { dequeue, findQueued, withQueueLock } from '../../lib/store/action-queue.ts'
import type { CredentialAccount } from '../../lib/api/entities.ts'
import { locale } from '../../lib/i18n/messages.ts'
import { ownAccountQuery } from '../accounts/own/own-account.ts'
import { findDraft, findLatestDraft, saveDraft } from '../drafts/draft-store.ts'
import { createPost, isBlankDraft } from '../drafts/draft.ts'
import type { Draft, DraftContext, DraftMedia, DraftPoll, QuotePolicy } from '../drafts/draft.ts'
import type { StoredStatus } from '../statuses/status-store.ts'
import { allowedVisibilities, lessPublic } from './audience/audience.ts'
import type { ComposerIntent, StatusSource } from './open-composer.ts'

const MIN_POLL_SECONDS = 300

/** The text that a button which mentions an account passes. */
const MENTIONS_ONLY = /^(?:@\S+\s*)*$/

/** A draft for the composer. `isRestored`: it is the one that the user did not send the last time. */
export interface OpenedDraft {
  draft: Draft
  isRestored: boolean
}

/**
 * Returns the draft to write, by the reason why the composer is opened: the latest unsent one with the same context, or
 * a new one. Null if the wanted draft does not exist any more.
 */
export async function openDraft(intent: ComposerIntent, queryClient: QueryClient): Promise<OpenedDraft | null> {
  if (intent.type === 'draft') {
    const { draftId } = intent
    // Not while it is being sent: then it does not exist any more afterwards.
    const draft = await withQueueLock(async () => {
      const queued = findQueued('post', draftId)
      if (queued) await dequeue(queued)
      return findDraft(draftId)
    })
    return draft && { draft, isRestored: false }
  }
  // A shared text or a deleted post must not replace an unsent draft, and the other way round.
  const isGiven = intent.type === 'redraft' || (intent.type === 'new' && intent.text !== undefined)
  // Without access to its database, the browser has no drafts; the composer says that it stores none.
  const latest = isGiven ? null : await findLatestDraft(contextOf(intent)).catch(() => null)
  if (latest) return { draft: latest, isRestored: true }
  const draft = await createDraft(intent, queryClient)
  // It is worth saving before the first change: a deleted post exists nowhere else.
  if (isGiven && !isBlankDraft(draft)) await saveDraft(draft).catch(() => undefined)
  return { draft, isRestored: false }
}

/** Returns a new draft with the defaults of the user. */
export async function createDraft(
  intent: Exclude<ComposerIntent, { type: 'draft' }>,
  queryClient: QueryClient,
): Promise<Draft> {
  const account = await queryClient.ensureQueryData(ownAccountQuery)
  const { source } = account
  const draft: Draft = {
    id: crypto.randomUUID(),
    accountId: currentAccountId(),
    context: contextOf(intent),
    inReplyToId: null,
    quotedStatusId: null,
    posts: [createPost({ sensitive: source.sensitive })],
    visibility: source.privacy,
    quotePolicy: source.quotePolicy,
    language: source.language ?? locale,
    scheduledAt: null,
    initialText: '',
    updatedAt: Date.now(),
  }
  switch (intent.type) {
    case 'new':
      return {
        ...draft,
        posts: [createPost({ text: intent.text ?? '', sensitive: source.sensitive })],
        visibility: intent.visibility ?? draft.visibility,
        initialText: MENTIONS_ONLY.test(intent.text ?? '') ? (intent.text ?? '') : '',
      }
    case 'reply':
      return replyTo(intent.status, { draft, account })
    case 'quote': {
      const [mostPublic] = allowedVisibilities({ parent: undefined, quoted: intent.status.visibility })
      return {
        ...draft,
        quotedStatusId: intent.status.id,
        visibility: lessPublic(draft.visibility, mostPublic ?? 'direct'),
      }
    }
    case 'edit':
      return editOf(intent.status, draft)
    case 'redraft':
      return redraftOf(intent.status, { source: intent.source, draft })
  }
}

function contextOf(intent: Exclude<ComposerIntent, { type: 'draft' }>): DraftContext {
  if (intent.type === 'new') return { type: 'new', statusId: null }
  if (intent.type !== 'redraft') return { type: intent.type, statusId: intent.status.id }
  const { inReplyToId, quote } = intent.status
  if (inReplyToId !== null) return { type: 'reply', statusId: inReplyToId }
  const quotedId = quote?.quotedStatusId
  return quotedId ? { type: 'quote', statusId: quotedId } : { type: 'new', statusId: null }
}

function replyTo(status: StoredStatus, { draft, account }: { draft: Draft; account: CredentialAccount }): Draft {
  const handles = [status.account.acct, ...status.mentions.map(({ acct }) => acct)]
  const others = [...new Set(handles)].filter((acct) => acct !== account.acct)
  const text = others.map((acct) => `@${acct} `).join('')
  const warning = status.spoilerText === '' ? null : status.spoilerText
  return {
    ...draft,
    inReplyToId: status.id,
    posts: [createPost({ text, warning, sensitive: account.source.sensitive })],
    visibility: lessPublic(draft.visibility, status.visibility),
    initialText: text,
  }
}

async function editOf(status: StoredStatus, draft: Draft): Promise<Draft> {
  const source = await api().v1.statuses.$select(status.id).source.fetch()
  const seconds = status.poll?.expiresAt ? (Date.parse(status.poll.expiresAt) - Date.now()) / 1000 : 0
  return { ...draftOf(status, { source, draft, pollSeconds: seconds }), initialText: source.text }
}

/** Returns a new draft with all that a deleted status had. Its poll lasts as long as it did at first. */
function redraftOf(status: StoredStatus, { source, draft }: { source: StatusSource; draft: Draft }): Draft {
  const { poll, createdAt } = status
  const seconds = poll?.expiresAt ? (Date.parse(poll.expiresAt) - Date.parse(createdAt)) / 1000 : 0
  return draftOf(status, { source, draft, pollSeconds: Math.round(seconds / 60) * 60 })
}

function draftOf(
  status: StoredStatus,
  { source: { text, spoilerText }, draft, pollSeconds }: { source: StatusSource; draft: Draft; pollSeconds: number },
): Draft {
  const post = createPost({
    text,
    warning: spoilerText === '' ? null : spoilerText,
    sensitive: status.sensitive,
    media: status.mediaAttachments.map(mediaOf),
    poll: pollOf(status, pollSeconds),
  })
  return {
    ...draft,
    inReplyToId: status.inReplyToId,
    quotedStatusId: status.quote?.quotedStatusId ?? null,
    posts: [post],
    visibility: status.visibility,
    quotePolicy: quotePolicyOf(status),
    language: status.language ?? draft.language,
  }
}

function mediaOf(attachment: StoredStatus['mediaAttachments'][number]): DraftMedia {
  return {
    key: crypto.randomUUID(),
    file: null,
    attachment,
    uploadedAt: 0,
    description: attachment.description ?? '',
    focus: attachment.meta?.focus ?? null,
  }
}

function pollOf({ poll }: StoredStatus, seconds: number): DraftPoll | null {
  if (!poll) return null
  return {
    options: poll.options.map(({ title }) => title),
    expiresIn: Math.max(MIN_POLL_SECONDS, Math.ceil(seconds)),
    multiple: poll.multiple,
    hideTotals: poll.options.some(({ votesCount }) => votesCount === null),
  }
}

function quotePolicyOf({ quoteApproval: { automatic } }: StoredStatus): QuotePolicy {
  if (automatic.includes('public')) return 'public'
  return automatic.includes('followers') ? 'followers' : 'nobody'
}
