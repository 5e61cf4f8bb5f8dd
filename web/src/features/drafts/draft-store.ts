import { deleteValue, listValues, readValue, writeValue } from '../../lib/database.ts'
import { currentAccountId } from '../../lib/session.ts'
import { dequeue, findQueued } from '../../lib/store/action-queue.ts'
import type { DraftStorage } from './draft-saver.ts'
import { isSameContext } from './draft.ts'
import type { Draft, DraftContext, DraftMedia, DraftPost } from './draft.ts'

/*
 * Drafts in the browser's database. Files are values of their own, so that a change of the text does not copy them
 * again. A file is written before the draft that contains it and deleted after it.
 */

const DRAFT = 'draft:'
const FILE = 'file:'
const savedFiles = new Set<string>()

/** A draft as it is stored: without its files. */
type StoredDraft = Omit<Draft, 'posts'> & {
  posts: (Omit<DraftPost, 'media'> & { media: (DraftMedia & { hasFile: boolean })[] })[]
}

export async function saveDraft(draft: Draft): Promise<void> {
  for (const { key, file } of mediaOf(draft)) {
    if (file === null || savedFiles.has(key)) continue
    await writeValue('drafts', FILE + key, file)
    savedFiles.add(key)
  }
  const posts = draft.posts.map((post) => ({
    ...post,
    media: post.media.map((one) => ({ ...one, file: null, hasFile: one.file !== null })),
  }))
  await writeValue('drafts', DRAFT + draft.id, { ...draft, posts } satisfies StoredDraft)
}

/** Returns a draft of the current account with its files, or null. */
export async function findDraft(id: string): Promise<Draft | null> {
  const stored = await readValue<StoredDraft>('drafts', DRAFT + id)
  return stored?.accountId === currentAccountId() ? withFiles(stored) : null
}

/** Returns the drafts of the current account, the newest first, without their files. */
export async function listDrafts(): Promise<Draft[]> {
  return listStoredDrafts()
}

async function listStoredDrafts(): Promise<StoredDraft[]> {
  const values = await listValues('drafts')
  return values
    .filter(({ key }) => typeof key === 'string' && key.startsWith(DRAFT))
    .map(({ value }) => value as StoredDraft)
    .filter(({ accountId }) => accountId === currentAccountId())
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
}

/** Returns the newest draft of the current account with the same context that does not wait to be sent, or null. */
export async function findLatestDraft(context: DraftContext): Promise<Draft | null> {
  const latest = (await listStoredDrafts()).find(
    (draft) => isSameContext(draft.context, context) && !findQueued('post', draft.id),
  )
  return latest ? withFiles(latest) : null
}

/** Deletes a draft with its files. Returns it with its files, so that the deletion can be undone. */
export async function deleteDraft(id: string): Promise<Draft | null> {
  const draft = await findDraft(id)
  const queued = findQueued('post', id)
  if (queued) await dequeue(queued)
  await deleteValue('drafts', DRAFT + id)
  for (const { key } of draft ? mediaOf(draft) : []) await deleteFile(key)
  return draft
}

/** Deletes the file of an attachment that was removed from its draft or sent. */
export async function deleteFile(mediaKey: string): Promise<void> {
  savedFiles.delete(mediaKey)
  await deleteValue('drafts', FILE + mediaKey)
}

async function withFiles(stored: StoredDraft): Promise<Draft> {
  const posts = await Promise.all(
    stored.posts.map(async (post) => {
      const media = await Promise.all(
        post.media.map(async ({ hasFile, ...one }) => {
          const file = hasFile ? ((await readValue<File>('drafts', FILE + one.key)) ?? null) : null
          if (file) savedFiles.add(one.key)
          return { ...one, file }
        }),
      )
      return { ...post, media }
    }),
  )
  return { ...stored, posts }
}

const mediaOf = ({ posts }: Draft): DraftMedia[] => posts.flatMap(({ media }) => media)

export const draftStorage: DraftStorage = { save: saveDraft, delete: deleteDraft }
