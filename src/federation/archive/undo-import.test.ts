import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmArchiveImport } from '../../../test/features/archives.ts'
import { ACTOR, archiveOf, create } from '../../../test/features/mastodon-archives.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { createImage } from '../../../test/media/images.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { pruneImports } from '../../domain/transfers/imports/confirm-import.ts'
import { undoArchiveImport } from '../../domain/transfers/imports/undo-archive-import.ts'

let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['far.test'], now: () => clock() })
after(fediverse.close)
const { testServer, peer, deliver, uriOf } = fediverse
const { ctx } = testServer
const ada = await testServer.createUser({ username: 'ada' })
const browser = await openBrowserSession(testServer, ada)
const far = await peer.host('far.test').createActor('Far')
await deliver(far, far.activity('Follow', uriOf(ada)))

const posts = async () =>
  (await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`, { limit: 40 })).body
const importArchive = async (bytes: Buffer): Promise<string> => {
  const path = await confirmArchiveImport(browser, bytes)
  await testServer.waitForJobs()
  return path
}
const file = { type: 'Document', mediaType: 'image/png', url: '/media_attachments/files/1.png' }
const archive = await archiveOf(
  [
    create('1', { attachment: [file] }),
    create('2', { content: '<p>A reply</p>', inReplyTo: `${ACTOR}/statuses/1` }),
    create('3', { content: '<p>Edited later</p>' }),
  ],
  { 'media_attachments/files/1.png': await createImage('png', { width: 8, height: 8 }) },
)
const files = async () => (await Array.fromAsync(ctx.storage.list({ folder: 'media/' }))).length

test('an import of posts is undone after a confirmation; only posts that other servers have are deleted there', async () => {
  const own = (await ada.client.post('/api/v1/statuses', { status: 'Written here' })).body
  const path = await importArchive(archive)
  assert.match((await browser.get(path)).text, /Undo the import You can delete all posts of this import together until/)
  const [edited] = (await posts()).filter(({ content }) => content?.includes('Edited later'))
  await ada.client.put(`/api/v1/statuses/${edited!.id}`, { status: 'Edited' })
  await testServer.waitForJobs()
  assert.ok((await files()) > 0)
  far.inbox.clear()
  const page = await browser.get(`${path}/undo`)
  assert.match(page.text, /3 imported posts and their media will be deleted/)
  assert.equal((await browser.submit(page, `${path}/undo`)).location, path)
  await testServer.waitForJobs()
  assert.match((await browser.get(path)).text, /The posts of this import have been deleted/)
  assert.deepEqual(
    (await posts()).map(({ id }) => id),
    [own.id],
  )
  assert.equal(await files(), 0)
  assert.equal((await ada.client.get(`/api/v1/accounts/${ada.accountId}`)).body.statuses_count, 1)
  const deletes = far.inbox.received.map(({ activity }) => activity).filter(({ type }) => type === 'Delete')
  assert.deepEqual(
    deletes.map(({ object }) => (object as { id: string }).id),
    [edited!.uri],
  )
  assert.equal((await browser.get(`${path}/undo`)).status, 404, 'once')
})

test('VI11 posts of other imports and of other users stay, and the same archive can be imported again', async () => {
  const first = await importArchive(archive)
  const second = await importArchive(await archiveOf([create('3'), create('4', { content: '<p>Only here</p>' })]))
  const otherUser = await openBrowserSession(testServer, await testServer.createUser())
  assert.equal((await otherUser.get(`${second}/undo`)).status, 404)
  assert.equal((await otherUser.submit(await browser.get(`${second}/undo`), `${second}/undo`)).status, 422)
  await browser.submit(await browser.get(`${second}/undo`), `${second}/undo`)
  await testServer.waitForJobs()
  const [importId] = /\d+$/.exec(second)!
  await undoArchiveImport(ctx, { importId })
  assert.equal((await posts()).length, 4)
  assert.match((await browser.get(first)).text, /Imported: 3 of 3/)
})

test('an import can be undone for 30 days, then its record is deleted and the posts stay', async () => {
  const path = await importArchive(await archiveOf([create('5', { content: '<p>Kept</p>' })]))
  const start = Date.now()
  const page = await browser.get(`${path}/undo`)
  clock = () => new Date(start + 29 * 86_400_000)
  await pruneImports(ctx)
  assert.equal((await browser.get(`${path}/undo`)).status, 200)
  clock = () => new Date(start + 31 * 86_400_000)
  assert.equal((await browser.submit(page, `${path}/undo`)).status, 404)
  await pruneImports(ctx)
  assert.equal((await browser.get(path)).status, 404)
  assert.equal((await posts()).length, 5)
})
