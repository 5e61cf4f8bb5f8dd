import { MastoHttpError } from 'masto'
import { api } from '../../../lib/session.ts'
import type { MediaAttachment } from '../../../lib/api/entities.ts'
import { reasonOf } from '../../../lib/api/reason-of.ts'
import { renewOnUnauthorized, retryOnUnauthorized } from '../../../lib/api/renew-on-unauthorized.ts'
import { uploadFile } from '../../../lib/api/upload-file.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { deleteFile } from '../../drafts/draft-store.ts'
import type { DraftMedia } from '../../drafts/draft.ts'
import type { ComposerState } from '../composer-state.ts'

/** The server keeps uploads that no post uses longer than this. Older ones are checked before they are sent. */
const FRESH_MS = 15 * 60_000

/** Between two questions whether the server has processed a file. */
const POLL_MS = 1_000

/** A file of the draft could not be uploaded. Its error stands beside it. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError'
}

/** An upload goes on while the composer is closed, and reports to each state of the draft that waits for it. */
interface RunningUpload {
  result: Promise<MediaAttachment>
  controller: AbortController
  progress: number
  listeners: Set<(progress: number) => void>
}

/** By the keys of the files. */
const running = new Map<string, RunningUpload>()

/** Adds files to a post and begins to upload them, as many as it can have. */
export function addFiles(
  state: ComposerState,
  { postKey, files, max }: { postKey: string; files: readonly File[]; max: number },
): void {
  const post = state.draft.posts.find(({ key }) => key === postKey)
  if (!post) return
  const free = Math.max(0, max - post.media.length)
  if (files.length > free) state.set({ error: message('web.composer.too-many-files', { max }) })
  const added: DraftMedia[] = files.slice(0, free).map((file) => ({
    key: crypto.randomUUID(),
    file,
    attachment: null,
    uploadedAt: 0,
    description: '',
    focus: null,
  }))
  state.changePost(postKey, { media: [...post.media, ...added] })
  for (const { key } of added) void upload(state, key)
}

/** Removes a file from a post. Returns a function that puts it back. */
export function removeMedia(
  state: ComposerState,
  { postKey, mediaKey }: { postKey: string; mediaKey: string },
): () => void {
  running.get(mediaKey)?.controller.abort()
  const mediaOfPost = () => state.draft.posts.find(({ key }) => key === postKey)?.media ?? []
  const index = mediaOfPost().findIndex(({ key }) => key === mediaKey)
  const removed = mediaOfPost().slice(index, index + 1)
  state.changePost(postKey, { media: mediaOfPost().filter(({ key }) => key !== mediaKey) })
  state.setUpload(mediaKey, null)
  void state.flush().then(() => deleteFile(mediaKey))
  return () => {
    state.changePost(postKey, { media: mediaOfPost().toSpliced(index, 0, ...removed) })
    if (removed.some(({ attachment }) => attachment === null)) void upload(state, mediaKey)
  }
}

/** Uploads a file of the draft. Its progress and its error are in the state. Resolves also after a failure. */
export async function upload(state: ComposerState, mediaKey: string): Promise<void> {
  const file = state.findMedia(mediaKey)?.file
  if (!file) return
  const current = running.get(mediaKey) ?? start(mediaKey, file)
  const onProgress = (progress: number) => state.setUpload(mediaKey, { progress })
  onProgress(current.progress)
  current.listeners.add(onProgress)
  try {
    const attachment = await current.result
    state.setUpload(mediaKey, null)
    state.changeMedia(mediaKey, { attachment, uploadedAt: Date.now() })
  } catch (error) {
    if (current.controller.signal.aborted) return
    state.setUpload(mediaKey, { error: reasonOf(error, message('web.composer.upload-failed')) })
  }
}

function start(mediaKey: string, file: File): RunningUpload {
  const controller = new AbortController()
  const { signal } = controller
  const listeners: RunningUpload['listeners'] = new Set()
  const onProgress = (progress: number) => {
    started.progress = progress
    for (const listener of listeners) listener(progress)
  }
  const result = retryOnUnauthorized(async () =>
    waitUntilProcessed(await uploadFile(file, { signal, onProgress }), signal),
  ).finally(() => running.delete(mediaKey))
  const started: RunningUpload = { result, controller, progress: 0, listeners }
  running.set(mediaKey, started)
  return started
}

async function waitUntilProcessed(id: string, signal: AbortSignal): Promise<MediaAttachment> {
  for (;;) {
    const attachment = (await api().v1.media.$select(id).fetch()) as unknown as MediaAttachment
    if (attachment.url !== null || signal.aborted) return attachment
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Uploads again what the server has deleted since a stored draft was written, and what was not uploaded yet. */
export async function checkUploads(state: ComposerState): Promise<void> {
  const media = state.draft.posts.flatMap((post) => post.media)
  await Promise.all(media.map(({ key }) => ensureUploaded(state, key).catch(() => undefined)))
}

/**
 * Returns the attachment of a file at the server, with its description and focal point.
 * @throws AttachmentError, or the error of the request
 */
export async function ensureUploaded(state: ComposerState, mediaKey: string): Promise<MediaAttachment> {
  const media = state.findMedia(mediaKey)
  if (!media) throw new AttachmentError('The file was removed')
  if (media.file === null && media.attachment) return media.attachment
  const isFresh = Date.now() - media.uploadedAt < FRESH_MS
  if (media.attachment && !isFresh && !(await exists(media.attachment.id))) {
    state.changeMedia(mediaKey, { attachment: null })
  }
  if (!state.findMedia(mediaKey)?.attachment) await upload(state, mediaKey)
  const attachment = state.findMedia(mediaKey)?.attachment
  if (!attachment) throw new AttachmentError('The file could not be uploaded')
  return attachment
}

async function exists(id: string): Promise<boolean> {
  try {
    await api().v1.media.$select(id).fetch()
    return true
  } catch (error) {
    if (error instanceof MastoHttpError && error.statusCode === 404) return false
    if (await renewOnUnauthorized(error)) return exists(id)
    throw error
  }
}

/** Saves the description and the focal point of an upload at the server if they differ. */
export async function saveDescription(media: DraftMedia, attachment: MediaAttachment): Promise<void> {
  const focus = attachment.meta?.focus
  const isSameFocus = (media.focus?.x ?? 0) === (focus?.x ?? 0) && (media.focus?.y ?? 0) === (focus?.y ?? 0)
  if ((attachment.description ?? '') === media.description && isSameFocus) return
  await api()
    .v1.media.$select(attachment.id)
    .update({ description: media.description, focus: formatFocus(media.focus) })
}

/** The form of a focal point in requests. */
export const formatFocus = (focus: DraftMedia['focus']): string => `${focus?.x ?? 0},${focus?.y ?? 0}`
