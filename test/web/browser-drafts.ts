import type { Page } from 'playwright-core'
import type { MediaAttachment } from '../../src/entities/statuses/media.ts'
import type { Draft } from '../../web/src/features/drafts/draft.ts'

/** A script that opens the database of the web client and calls a function `use` with the result. */
const withDatabase = (use: string) => `new Promise((resolve) => {
  const opening = indexedDB.open('linnet')
  opening.onsuccess = () => (${use})(opening.result, (result) => { opening.result.close(); resolve(result) })
})`

/** Returns all drafts of the browser as JSON. */
export async function readDrafts(page: Page): Promise<string> {
  return page.evaluate<string>(
    withDatabase(`(database, done) => {
      const reading = database.transaction('drafts').objectStore('drafts').getAll()
      reading.onsuccess = () => done(JSON.stringify(reading.result))
    }`),
  )
}

/** Stores a draft in the browser, as the composer does. */
export async function storeDraft(page: Page, draft: Draft): Promise<void> {
  await page.evaluate(
    withDatabase(`(database, done) => {
      const transaction = database.transaction('drafts', 'readwrite')
      transaction.objectStore('drafts').put(${JSON.stringify(draft)}, ${JSON.stringify(`draft:${draft.id}`)})
      transaction.oncomplete = () => done()
    }`),
  )
}

/** Waits until the browser has stored a draft whose JSON contains a text. */
export async function waitForDraft(page: Page, text: string): Promise<void> {
  while (!(await readDrafts(page)).includes(text)) await page.evaluate('new Promise(requestAnimationFrame)')
}

/** Returns a draft that edits the text of a status and the alt text of its only attachment. */
export function createEdit({
  accountId,
  statusId,
  media: { id, type, url, description: before, blurhash, preview_url: previewUrl },
  text,
  description,
}: {
  accountId: string
  statusId: string
  media: MediaAttachment
  text: string
  description: string
}): Draft {
  const remote = { remoteUrl: null, previewRemoteUrl: null, textUrl: null, meta: null }
  const attachment = { id, type, url, description: before, blurhash, previewUrl, ...remote }
  const media = { key: 'media', file: null, attachment, uploadedAt: 0, description, focus: null }
  return {
    id: 'edit',
    accountId,
    context: { type: 'edit', statusId },
    inReplyToId: null,
    quotedStatusId: null,
    posts: [{ key: 'post', text, warning: null, sensitive: false, media: [media], poll: null, attempt: null }],
    visibility: 'unlisted',
    quotePolicy: 'public',
    language: 'en',
    scheduledAt: null,
    initialText: '',
    updatedAt: 0,
  }
}
