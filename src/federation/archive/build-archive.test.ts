import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { download, readZip } from '../../../test/features/archives.ts'
import { findMailTo } from '../../../test/features/mails.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import type { Browser } from '../../../test/http/browser.ts'
import { multipart } from '../../../test/http/client.ts'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { uploadFile } from '../../../test/http/upload-file.ts'
import { createImage } from '../../../test/media/images.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { deleteAccount } from '../../domain/account-deletion/delete-account.ts'
import { pruneArchives } from '../../domain/transfers/archives/account-archives.ts'
import { buildArchive } from './build-archive.ts'

let clock = () => new Date()
const testServer = await openTestServer({ now: () => clock() })
after(testServer.close)
const { ctx } = testServer

async function createOwner(username: string): Promise<{ user: TestUser; browser: Browser }> {
  const user = await testServer.createUser({ username })
  return { user, browser: await openBrowserSession(testServer, user) }
}

const request = async (browser: Browser) => browser.submit(await browser.get('/settings/export'), '/settings/export')

/** Returns the path of the archive that the page links to. */
async function findArchivePath(browser: Browser): Promise<string | undefined> {
  return /href="(\/settings\/exports\/archives\/\d+)"/.exec((await browser.get('/settings/export')).html)?.[1]
}

async function requestArchive(browser: Browser): Promise<string> {
  assert.deepEqual((await request(browser)).location, '/settings/export')
  await testServer.waitForJobs()
  const path = await findArchivePath(browser)
  assert.ok(path)
  return path
}

const listStored = async () => (await Array.fromAsync(ctx.storage.list({ folder: 'archives/' }))).map(({ key }) => key)

async function updateProfile({ token }: TestUser, fields: Parameters<typeof multipart>[0]): Promise<void> {
  const { headers, payload } = await multipart(fields)
  await testServer.server.inject({
    method: 'PATCH',
    url: '/api/v1/accounts/update_credentials',
    headers: { ...headers, authorization: `Bearer ${token}` },
    payload,
  })
}

const ada = await createOwner('ada')
const bob = await createOwner('bob')
const remoteId = await createRemoteStatus(ctx, {
  accountId: await createRemoteAccount(ctx),
  uri: 'https://far.test/statuses/1',
})

test('an archive has the posts of all visibilities, boosts, likes, bookmarks, media and the profile', async () => {
  const { client } = ada.user
  const image = await createImage('png', { width: 32, height: 32 })
  await updateProfile(ada.user, { avatar: { filename: 'a.png', type: 'image/png', bytes: image }, note: 'Hello' })
  const { body: media } = await uploadFile(ada.user, image, { description: 'A square' })
  const post = async (body: object) => (await client.post('/api/v1/statuses', body)).body
  const first = await post({ status: 'With an image #art', media_ids: [media.id], spoiler_text: 'Art', language: 'en' })
  const hidden = await post({ status: 'Only followers', visibility: 'private' })
  const direct = await post({ status: 'Psst @bob', visibility: 'direct' })
  const poll = await post({ status: 'Tea?', poll: { options: ['yes', 'no'], expires_in: 600 } })
  await client.post(`/api/v1/statuses/${remoteId}/reblog`)
  await client.post(`/api/v1/statuses/${remoteId}/favourite`)
  await client.post(`/api/v1/statuses/${remoteId}/bookmark`)

  const path = await requestArchive(ada.browser)
  const mail = await findMailTo(testServer, ada.user.email)
  assert.equal(mail!.subject, 'Your archive on linnet.test is ready for download')
  assert.match(mail!.text, /https:\/\/linnet\.test\/settings\/export/)

  const { status, headers, bytes } = await download(testServer, { browser: ada.browser, path })
  assert.deepEqual(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'application/zip', 'private, no-store'],
  )
  assert.match(String(headers['content-disposition']), /^attachment; filename="archive-\d{14}-[0-9a-f]{32}\.zip"$/)
  const files = await readZip(bytes)
  const actor = JSON.parse(files.get('actor.json')!)
  assert.deepEqual(
    [actor.preferredUsername, actor.summary, actor.icon.url, actor.outbox, actor.likes, actor.bookmarks],
    ['ada', '<p>Hello</p>', 'avatar.png', 'outbox.json', 'likes.json', 'bookmarks.json'],
  )
  assert.ok(files.get('avatar.png')!.startsWith('\x89PNG'))

  const outbox = JSON.parse(files.get('outbox.json')!)
  assert.deepEqual([outbox.id, outbox.type, outbox.totalItems], ['outbox.json', 'OrderedCollection', 5])
  const items = outbox.orderedItems as { type: string; object: Record<string, unknown> | string }[]
  assert.deepEqual(
    items.map(({ type, object }) => [type, typeof object === 'string' ? object : object['id']]),
    [...[first, hidden, direct, poll].map(({ uri }) => ['Create', uri]), ['Announce', 'https://far.test/statuses/1']],
  )
  assert.equal((items[3]!.object as Record<string, unknown>)['type'], 'Question')
  const [attachment] = (items[0]!.object as { attachment: { url: string; name: string }[] }).attachment
  assert.match(attachment!.url, /^media_attachments\/files\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/)
  assert.equal(attachment!.name, 'A square')
  assert.ok(files.get(attachment!.url)!.startsWith('\x89PNG'))
  for (const name of ['likes', 'bookmarks']) {
    const collection = JSON.parse(files.get(`${name}.json`)!)
    assert.deepEqual([collection.id, collection.orderedItems], [`${name}.json`, ['https://far.test/statuses/1']])
  }
})

test('VI11 an archive can be downloaded only by its owner, and never from the folder of stored files', async () => {
  const path = await findArchivePath(ada.browser)
  assert.equal((await download(testServer, { browser: bob.browser, path: path! })).status, 404)
  assert.equal((await bob.browser.get('/settings/exports/archives/999')).status, 404)
  const [key] = await listStored()
  assert.equal((await testServer.server.inject({ url: `/system/${key}` })).statusCode, 404)
  const anonymous = await testServer.server.inject({ url: path! })
  assert.match(`${anonymous.statusCode} ${anonymous.headers.location}`, /^303 \/auth\/sign_in/)
})

test('an archive can be requested once a week, and is deleted after a week', async () => {
  const page = await bob.browser.get('/settings/export')
  const path = await requestArchive(bob.browser)
  const refused = await bob.browser.submit(page, '/settings/export')
  assert.equal(refused.status, 422)
  const before = await listStored()
  const start = Date.now()
  clock = () => new Date(start + 6.9 * 86_400_000)
  await pruneArchives(ctx)
  assert.equal((await download(testServer, { browser: bob.browser, path })).status, 303, 'after a confirmation only')
  // As the page that confirms the identity does.
  await ctx.db
    .updateTable('sessions')
    .set({ authenticated_at: new Date(start + 7.1 * 86_400_000) })
    .execute()
  assert.equal((await download(testServer, { browser: bob.browser, path })).status, 200)
  clock = () => new Date(start + 7.1 * 86_400_000)
  assert.equal((await download(testServer, { browser: bob.browser, path })).status, 404)
  await pruneArchives(ctx)
  assert.equal(before.length, 2)
  assert.deepEqual(await listStored(), [])
  await requestArchive(bob.browser)
  clock = () => new Date()
})

test('the administrators choose how long an archive is stored; another one can be requested after a week', async () => {
  const eve = await createOwner('eve')
  const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
  const choose = (days: number) => admin.client.patch('/api/v1/admin/settings', { backups_retention_period: days })
  for (const days of [0, 366]) assert.equal((await choose(days)).status, 422)
  assert.equal((await choose(30)).status, 200)
  const first = await requestArchive(eve.browser)
  assert.match((await findMailTo(testServer, eve.user.email))!.text, /until 30 days after the request/)
  const start = Date.now()
  clock = () => new Date(start + 8 * 86_400_000)
  await pruneArchives(ctx)
  assert.equal(await findArchivePath(eve.browser), first)
  await ctx.db.updateTable('sessions').set({ authenticated_at: clock() }).execute()
  const second = await requestArchive(eve.browser)
  assert.notEqual(second, first, 'the new archive replaces the first one')
  await choose(2)
  clock = () => new Date(start + 11 * 86_400_000)
  assert.equal(await findArchivePath(eve.browser), undefined)
  await pruneArchives(ctx)
  const rows = await ctx.db
    .selectFrom('account_archives')
    .select('id')
    .where('account_id', '=', eve.user.accountId)
    .execute()
  assert.deepEqual(rows, [])
  await choose(7)
  clock = () => new Date()
})

test('a storage failure ends the job; its next attempt writes the archive, and the mail is sent once', async () => {
  const carl = await createOwner('carl')
  await request(carl.browser)
  await testServer.waitForJobs()
  const { id } = await ctx.db
    .updateTable('account_archives')
    .set({ finished_at: null })
    .where('account_id', '=', carl.user.accountId)
    .returning('id')
    .executeTakeFirstOrThrow()
  const put = () => Promise.reject(new Error('The storage failed'))
  const failing = { ...ctx, storage: { ...ctx.storage, put } } as unknown as typeof ctx
  await assert.rejects(buildArchive(failing, { archiveId: id }), /The storage failed/)
  assert.equal(await findArchivePath(carl.browser), undefined)
  await Promise.all([buildArchive(ctx, { archiveId: id }), buildArchive(ctx, { archiveId: id })])
  const path = await findArchivePath(carl.browser)
  assert.equal((await readZip((await download(testServer, { browser: carl.browser, path: path! })).bytes)).size, 4)
  await testServer.waitForJobs()
  const mails = await ctx.db.selectFrom('mails').select('id').where('recipient', '=', carl.user.email).execute()
  assert.equal(mails.length, 1)
})

test('the archives of a deleted account are deleted, and a missing media file is left out', async () => {
  const dora = await createOwner('dora')
  const { body: media } = await uploadFile(dora.user, await createImage('png', { width: 32, height: 32 }))
  await dora.user.client.post('/api/v1/statuses', { status: 'Lost', media_ids: [media.id] })
  await ctx.storage.remove({ keys: [new URL(media.url!).pathname.replace('/system/', '')] })
  const path = await requestArchive(dora.browser)
  const files = await readZip((await download(testServer, { browser: dora.browser, path })).bytes)
  assert.deepEqual([...files.keys()], ['actor.json', 'outbox.json', 'likes.json', 'bookmarks.json'])
  const before = await listStored()
  await ctx.write((tx) => deleteAccount(tx, { accountId: dora.user.accountId }))
  await testServer.waitForJobs()
  assert.equal((await listStored()).length, before.length - 1)
})

test('a suspended user gets an archive with the posts and the profile that others no longer see', async () => {
  const { user, browser } = await createOwner('ivy')
  await user.client.patch('/api/v1/accounts/update_credentials', { display_name: 'Ivy', note: 'Hello' })
  const { body: status } = await user.client.post('/api/v1/statuses', { status: 'Before the suspension' })
  await user.client.post(`/api/v1/statuses/${status.id}/favourite`)
  await user.client.post(`/api/v1/statuses/${status.id}/bookmark`)
  await suspend(ctx, user)
  await testServer.waitForJobs()
  const files = await readZip((await download(testServer, { browser, path: await requestArchive(browser) })).bytes)
  const actor = JSON.parse(files.get('actor.json')!)
  assert.deepEqual([actor.name, actor.summary, actor.suspended], ['Ivy', '<p>Hello</p>', undefined])
  const items = JSON.parse(files.get('outbox.json')!).orderedItems as { object: { id: string } }[]
  assert.deepEqual(
    items.map(({ object }) => object.id),
    [status.uri],
  )
  for (const name of ['likes.json', 'bookmarks.json'])
    assert.deepEqual(JSON.parse(files.get(name)!).orderedItems, [status.uri], name)
  const bookmarks = await browser.get('/settings/exports/bookmarks.csv')
  assert.equal(bookmarks.html.trim(), status.uri)
  const document = await testServer.anonymous.send({
    method: 'GET',
    url: `/ap/users/${user.accountId}`,
    headers: { accept: 'application/activity+json' },
  })
  assert.deepEqual([document.body.name, document.body.suspended], ['ivy', true])
})

test('the archive and the avatar of a pending user are deleted with the account', async () => {
  const before = await listStored()
  const { user, browser } = await createOwner('jan')
  const bytes = await createImage('png', { width: 32, height: 32 })
  await updateProfile(user, { avatar: { filename: 'a.png', type: 'image/png', bytes } })
  await ctx.db.updateTable('users').set({ approved: false }).where('id', '=', user.userId).execute()
  const path = await requestArchive(browser)
  const files = await readZip((await download(testServer, { browser, path })).bytes)
  assert.deepEqual([...files.keys()].at(-1), 'avatar.png')
  const { avatar_key: key } = await ctx.db
    .selectFrom('accounts')
    .select('avatar_key')
    .where('id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  await ctx.write((tx) => deleteAccount(tx, { accountId: user.accountId }))
  await testServer.waitForJobs()
  assert.deepEqual([await listStored(), await ctx.storage.open({ key: key! })], [before, null])
})
