import { MastoHttpError } from 'masto'
import { api } from '../../lib/session.ts'
import type { ScheduledStatus, Status } from '../../lib/api/entities.ts'
import { retryOnUnauthorized } from '../../lib/api/renew-on-unauthorized.ts'
import { deleteFile } from '../drafts/draft-store.ts'
import type { Draft, DraftPost } from '../drafts/draft.ts'
import { contentOf, reportSent } from '../drafts/sent-drafts.ts'
import { saveStatus } from '../statuses/status-store.ts'
import { showOwnStatus } from '../timelines/timelines.ts'
import type { ComposerState } from './composer-state.ts'
import { ensureUploaded, formatFocus, saveDescription } from './media/uploads.ts'

type Parameters = Awaited<ReturnType<typeof parametersOf>>

/**
 * Sends the posts of a draft, one after another. A post is removed from the draft after the server has confirmed it, so
 * that the rest stays after a failure. Returns the first new status; null if it is scheduled.
 * @throws the error of a request; AttachmentError
 */
export async function sendDraft(state: ComposerState): Promise<Status | null> {
  const { id } = state.draft
  const content = contentOf(state.draft)
  let first: Status | null = null
  for (;;) {
    const [post] = state.draft.posts
    if (!post) break
    const posted = await retryOnUnauthorized(() => sendPost(state, post))
    const status = 'scheduledAt' in posted ? null : posted
    if (status) show(status, state.draft)
    first ??= status
    if (state.draft.posts.length === 1) break
    state.change({ posts: state.draft.posts.slice(1), inReplyToId: posted.id, quotedStatusId: null, initialText: '' })
    await state.flush()
    for (const { key } of post.media) await deleteFile(key).catch(() => undefined)
  }
  reportSent({ id, content })
  // The post is sent, whether or not the browser can delete its draft.
  await state.discard().catch(() => undefined)
  return first
}

async function sendPost(state: ComposerState, { key }: DraftPost): Promise<Status | ScheduledStatus> {
  const attachmentIds: string[] = []
  const isEdit = state.draft.context.type === 'edit'
  for (const { key: mediaKey } of findPost(state, key).media) {
    const attachment = await ensureUploaded(state, mediaKey)
    const media = state.findMedia(mediaKey)
    if (media && !isEdit) await saveDescription(media, attachment)
    attachmentIds.push(attachment.id)
  }
  const { draft } = state
  const post = findPost(state, key)
  const parameters = parametersOf({ draft, post, mediaIds: attachmentIds })
  if (isEdit) return edit({ draft, post, parameters })
  const attempt = JSON.stringify(parameters)
  const earlier = post.attempt
  state.changePost(key, { attempt })
  // The server must know the post by its stored key if this window ends before the response arrives.
  await state.flush()
  try {
    const posted = await create(parameters, key)
    return earlier === null || earlier === attempt ? posted : await replaceEarlier(posted, parameters)
  } catch (error) {
    if (isRefused(error)) state.changePost(key, { attempt: null })
    throw error
  }
}

function parametersOf({ draft, post, mediaIds }: { draft: Draft; post: DraftPost; mediaIds: string[] }) {
  const { scheduledAt } = draft
  return {
    status: post.text,
    spoilerText: post.warning ?? '',
    sensitive: post.sensitive,
    language: draft.language,
    visibility: draft.visibility,
    quoteApprovalPolicy: draft.quotePolicy,
    inReplyToId: draft.inReplyToId ?? undefined,
    quotedStatusId: draft.quotedStatusId ?? undefined,
    mediaIds,
    poll: post.poll ? { ...post.poll, options: post.poll.options.filter((option) => option.trim() !== '') } : undefined,
    scheduledAt: scheduledAt === null ? undefined : new Date(scheduledAt).toISOString(),
  }
}

async function create(parameters: Parameters, key: string): Promise<Status | ScheduledStatus> {
  // The types of masto.js allow either media or a poll.
  const body = parameters as Omit<Parameters, 'mediaIds' | 'poll'>
  const requestInit = { headers: { 'Idempotency-Key': key } }
  return (await api().v1.statuses.create(body, { requestInit })) as unknown as Status | ScheduledStatus
}

async function edit({
  draft,
  post,
  parameters,
}: {
  draft: Draft
  post: DraftPost
  parameters: Parameters
}): Promise<Status> {
  const mediaAttributes = post.media.map((media, index) => ({
    id: parameters.mediaIds[index]!,
    description: media.description,
    focus: formatFocus(media.focus),
  }))
  const { visibility: _fixed, inReplyToId: _parent, quotedStatusId: _quoted, scheduledAt: _time, ...rest } = parameters
  const body = { ...rest, mediaAttributes } as { status: string }
  return (await api().v1.statuses.$select(draft.context.statusId!).update(body)) as unknown as Status
}

/**
 * Brings a post up to date that an earlier request with the same key created, whose response was lost. The user has
 * changed the text since then, so the server has returned the earlier text.
 */
async function replaceEarlier(
  posted: Status | ScheduledStatus,
  parameters: Parameters,
): Promise<Status | ScheduledStatus> {
  if ('scheduledAt' in posted) {
    const { params, mediaAttachments } = posted
    if (params.text === parameters.status && hasParts({ mediaAttachments, options: params.poll?.options }, parameters))
      return posted
    await api().v1.scheduledStatuses.$select(posted.id).remove()
    return create(parameters, crypto.randomUUID())
  }
  const source = await api().v1.statuses.$select(posted.id).source.fetch()
  const isSame = source.text === parameters.status && source.spoilerText === parameters.spoilerText
  const options = posted.poll?.options.map(({ title }) => title)
  if (isSame && hasParts({ mediaAttachments: posted.mediaAttachments, options }, parameters)) return posted
  const { visibility: _fixed, inReplyToId: _parent, quotedStatusId: _quoted, scheduledAt: _time, ...rest } = parameters
  return (await api()
    .v1.statuses.$select(posted.id)
    .update(rest as { status: string })) as unknown as Status
}

/** Returns whether a post has the files and the options of the poll with which it was sent last. */
function hasParts(
  { mediaAttachments, options = [] }: Pick<Status, 'mediaAttachments'> & { options: readonly string[] | undefined },
  { mediaIds, poll }: Parameters,
): boolean {
  const posted = [mediaAttachments.map(({ id }) => id), options]
  return JSON.stringify(posted) === JSON.stringify([mediaIds, poll?.options.map((option) => option.trim()) ?? []])
}

/** Whether the server has answered that it did not create the post. */
const isRefused = (error: unknown) =>
  error instanceof MastoHttpError && error.statusCode >= 400 && error.statusCode < 500

/** Shows a sent post at once: in the home timeline, or in all copies of an edited one. */
function show(status: Status, { context }: Draft): void {
  saveStatus(status)
  if (context.type !== 'edit') showOwnStatus(status)
}

function findPost({ draft }: ComposerState, key: string): DraftPost {
  return draft.posts.find((post) => post.key === key)!
}
