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
import type { ComposerIntent } from './open-composer.ts'

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
  // A shared text must not replace an unsent draft, and the other way round.
  const isShared = intent.type === 'new' && intent.text !== undefined
  const latest = isShared ? null : await findLatestDraft(contextOf(intent))
  if (latest) return { draft: latest, isRestored: true }
  const draft = await createDraft(intent, queryClient)
  // A shared text is worth saving before the first change.
  if (isShared && !isBlankDraft(draft)) await saveDraft(draft)
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
  }
}

function contextOf(intent: Exclude<ComposerIntent, { type: 'draft' }>): DraftContext {
  return intent.type === 'new' ? { type: 'new', statusId: null } : { type: intent.type, statusId: intent.status.id }
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
  const { text, spoilerText } = await api().v1.statuses.$select(status.id).source.fetch()
  const post = createPost({
    text,
    warning: spoilerText === '' ? null : spoilerText,
    sensitive: status.sensitive,
    media: status.mediaAttachments.map(mediaOf),
    poll: pollOf(status),
  })
  return {
    ...draft,
    inReplyToId: status.inReplyToId,
    quotedStatusId: status.quote?.quotedStatusId ?? null,
    posts: [post],
    visibility: status.visibility,
    quotePolicy: quotePolicyOf(status),
    language: status.language ?? draft.language,
    initialText: text,
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

function pollOf({ poll }: StoredStatus): DraftPoll | null {
  if (!poll) return null
  const seconds = poll.expiresAt === null ? 0 : (Date.parse(poll.expiresAt) - Date.now()) / 1000
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
