// Slow: decodes images.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { multipart } from '../../../../test/http/client.ts'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openPeer } from '../../../../test/federation/peer/open-peer.ts'
import { createImage } from '../../../../test/media/images.ts'
import {
  HOST,
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
} from '../../../../test/federation/remote-records.ts'
import { countReadRowsOfWrites } from '../../../../test/performance/count-read-rows.ts'
import { openS3 } from '../../../../test/services/s3-server.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { ServiceUnavailableError } from '../../../lib/errors.ts'
import { removeRemoteAccount } from '../../accounts/remote/remove-remote-account.ts'
import { deleteAccount } from '../../account-deletion/delete-account.ts'
import { evictCachedFiles, evictRejectedMedia } from './evict-files.ts'
import { findCachedFile } from './find-cached-file.ts'
import { getCachedFile } from './get-cached-file.ts'

const peer = await openPeer({ hosts: ['far.test'] })
const s3 = await openS3()
let hours = 0
const now = () => new Date(Date.now() + hours * 3_600_000)
// All files are in a bucket, so that the tests see which files are deleted from it.
const testServer = await openTestServer({ env: { ...peer.env, ...s3.env }, extraCa: peer.ca, now })
after(async () => {
  await testServer.close()
  await peer.close()
  await s3.close()
})
const { ctx } = testServer
const far = peer.host('far.test')
const viewer = await testServer.createUser()
const imageBytes = await createImage('png')

function serve(body = imageBytes): string {
  const path = `/files/${uniqueName()}`
  far.serveAt(path, () => ({ status: 200, headers: { 'content-type': 'image/png' }, body }))
  return HOST + path
}

const attachment = (url: string) =>
  ({
    type: 'image',
    url,
    mediaType: null,
    description: null,
    blurhash: null,
    focus: null,
    width: null,
    height: null,
    previewUrl: null,
  }) as const

/** Creates a remote status with an image, and requests the image once. Returns its URL on this server. */
async function createCachedAttachment(accountId: string): Promise<string> {
  const url = await attach(accountId, serve())
  assert.equal(await requestFile(url), 200)
  return url
}

/** Creates a remote status with an attachment. Returns the attachment's URL on this server. */
async function attach(accountId: string, url: string): Promise<string> {
  const id = await createRemoteStatus(ctx, { accountId, attachments: [attachment(url)] })
  const { body } = await viewer.client.get<Status>(`/api/v1/statuses/${id}`)
  return body.media_attachments[0]!.url!
}

async function requestFile(url: string, { server }: Pick<TestServer, 'server'> = testServer): Promise<number> {
  return (await server.inject({ url: url.replace(/^https:\/\/[^/]+/, '') })).statusCode
}

async function listStored(folder = 'cache/'): Promise<string[]> {
  await testServer.waitForJobs()
  return (await Array.fromAsync(ctx.storage.list({ folder }))).map(({ key }) => key)
}

/** Evicts cached files with a budget of so many bytes. */
async function evictTo(mediaCacheBytes: number): Promise<void> {
  await evictCachedFiles({ ...ctx, config: { ...ctx.config, mediaCacheBytes } })
  await testServer.waitForJobs()
}

async function upload(user: TestUser): Promise<string> {
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: imageBytes } })
  const { body } = await user.client.post('/api/v2/media', form.payload, form.headers)
  const posted = await user.client.post<Status>('/api/v1/statuses', { status: 'x', media_ids: [body.id] })
  return posted.body.media_attachments[0]!.url!
}

test('the cache evicts least recently used files over its budget, but no uploads, and refetches them', async () => {
  const own = await upload(viewer)
  const accountId = await createRemoteAccount(ctx)
  const urls: string[] = []
  for (let n = 0; n < 4; n += 1) {
    urls.push(await createCachedAttachment(accountId))
    hours += 2
  }
  assert.equal(await requestFile(urls[0]!), 200)
  const bytes = imageBytes.length
  await evictTo(bytes * 4)
  assert.equal((await listStored()).length, 4)
  await evictTo(bytes * 2 + 1)
  const remaining = await ctx.db.selectFrom('cached_files').select('file_key').orderBy('used_at').execute()
  assert.deepEqual((await listStored()).toSorted(), remaining.map((row) => row.file_key!).toSorted())
  assert.equal(remaining.length, 2)
  const before = far.requests.length
  assert.equal(await requestFile(urls[0]!), 200)
  assert.equal(far.requests.length, before, 'it was used last')
  assert.equal(await requestFile(urls[1]!), 200)
  assert.equal(far.requests.length, before + 1)
  assert.equal(await requestFile(own), 200)
  await evictTo(0)
  assert.deepEqual(
    [(await listStored()).length, await requestFile(own), (await listStored('media/')).length],
    [0, 200, 2],
  )
})

test('a file is stored only if it fits into the budget, also when many are stored concurrently', async () => {
  const budget = Math.floor(imageBytes.length * 3.5)
  let storingBytes = 0
  let peakBytes = 0
  const put: typeof ctx.storage.put = async (file) => {
    storingBytes += imageBytes.length
    // Reads the recorded and the reserved bytes in one snapshot.
    const { rows } = await sql<{ bytes: string }>`select coalesce(sum(byte_size), 0) as bytes from
      (select byte_size from cached_files union all select byte_size from media_cache_reservations) file`.execute(
      ctx.db,
    )
    peakBytes = Math.max(peakBytes, storingBytes, Number(rows[0]!.bytes))
    return ctx.storage.put(file).finally(() => (storingBytes -= imageBytes.length))
  }
  const limitedCtx = { ...ctx, storage: { ...ctx.storage, put }, config: { ...ctx.config, mediaCacheBytes: budget } }
  const accountId = await createRemoteAccount(ctx)
  const statusId = await createRemoteStatus(ctx, {
    accountId,
    attachments: Array.from({ length: 12 }, () => attachment(serve())),
  })
  const files = await ctx.db.selectFrom('media_attachments').select('id').where('status_id', '=', statusId).execute()
  assert.equal(files.length, 12)
  const outcomes = await Promise.allSettled(
    files.map(async ({ id }) => {
      const found = await findCachedFile(ctx, { owner: 'media', id, rendition: 'original', key: null })
      await getCachedFile(limitedCtx, found)
    }),
  )
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  for (const refusal of refusals) assert.ok(refusal instanceof ServiceUnavailableError, String(refusal))
  assert.ok(refusals.length < 12)
  assert.ok(peakBytes > 0 && peakBytes <= budget, `${peakBytes} bytes of ${budget}`)
  const { rows } = await sql<{ bytes: string; reserved: string }>`
    select (select byte_size from media_cache_size) - coalesce(sum(byte_size), 0) as bytes,
      (select count(*) from media_cache_reservations) as reserved from cached_files`.execute(ctx.db)
  assert.deepEqual(rows, [{ bytes: '0', reserved: '0' }])
  assert.ok((await listStored()).length <= 3)
  await evictTo(0)
})

test('the files of deleted local and remote accounts are deleted from the bucket', async () => {
  const user = await testServer.createUser()
  const own = await upload(user)
  const form = await multipart({ avatar: { filename: 'a.png', type: 'image/png', bytes: imageBytes } })
  await user.client.send({
    method: 'PATCH',
    url: '/api/v1/accounts/update_credentials',
    payload: form.payload,
    headers: form.headers,
  })
  assert.equal((await listStored('avatars/')).length, 1)
  const before = (await listStored('media/')).length
  await ctx.write((tx) => deleteAccount(tx, { accountId: user.accountId }))
  assert.deepEqual([(await listStored('avatars/')).length, (await listStored('media/')).length], [0, before - 2])
  assert.equal(await requestFile(own), 404)

  const name = uniqueName('gone')
  const uri = `${HOST}/users/${name}`
  const avatar = { url: serve(), description: '' }
  const accountId = await createRemoteAccount(ctx, { uri, handle: { username: name, domain: 'far.test' }, avatar })
  await createCachedAttachment(accountId)
  const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
  assert.equal(await requestFile(body.avatar), 200)
  assert.equal((await listStored()).length, 2)
  await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
  await testServer.waitForJobs()
  assert.equal(await requestFile(body.avatar), 404)
  await evictTo(1e9)
  assert.deepEqual(await listStored(), [])
  assert.equal((await sql`select from cached_files`.execute(ctx.db)).rows.length, 0)
})

test('no media of a domain that rejects media, or of its subdomains, are fetched, shown or cached', async () => {
  const urls: string[] = []
  for (const domain of ['far.test', 'sub.far.test', 'near.test']) {
    const name = uniqueName('r')
    const uri = `https://${domain}/users/${name}`
    urls.push(await createCachedAttachment(await createRemoteAccount(ctx, { uri, handle: { username: name, domain } })))
  }
  await blockDomainAsStaff(ctx, 'far.test', { severity: 'noop', rejectMedia: true })
  assert.equal((await listStored()).length, 1)
  const before = far.requests.length
  assert.deepEqual(await Promise.all(urls.map((url) => requestFile(url))), [404, 404, 200])
  assert.equal(far.requests.length, before)
  await blockDomainAsStaff(ctx, 'far.test', { severity: 'noop' })
  assert.deepEqual(await Promise.all(urls.map((url) => requestFile(url))), [200, 200, 200])
})

test('files of emojis are also rejected, and a domain of which nothing is known causes no search', async () => {
  await sql`with emoji as (
      insert into custom_emojis (shortcode, domain) values ('blob', 'sub.emoji.test') returning id)
    insert into cached_files (emoji_id, rendition, remote_url, file_key, fetched_at, used_at)
    select id, 'emoji', '', 'blob', now(), now() from emoji`.execute(ctx.db)
  const rowsRead: Record<string, number[]> = {}
  for (const domain of ['unknown.test', 'emoji.test']) {
    await blockDomainAsStaff(ctx, domain, { severity: 'noop', rejectMedia: true })
    const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table: 'cached_files' })
    await evictRejectedMedia(counting, { domain })
    rowsRead[domain] = rowsOfWrites
  }
  assert.deepEqual(rowsRead['unknown.test'], [])
  assert.ok(rowsRead['emoji.test']!.length > 0)
  assert.equal((await sql`select from cached_files where file_key = 'blob'`.execute(ctx.db)).rows.length, 0)
})

test('a cached file that is missing in the bucket is fetched again', async () => {
  const url = await createCachedAttachment(await createRemoteAccount(ctx))
  await ctx.storage.remove({ keys: await listStored() })
  const before = far.requests.length
  assert.deepEqual([await requestFile(url), await requestFile(url), far.requests.length], [200, 200, before + 1])
})

test('media with a content coding are refused', async () => {
  const path = `/files/${uniqueName()}`
  const headers = { 'content-type': 'image/png', 'content-encoding': 'gzip' }
  far.serveAt(path, () => ({ status: 200, headers, body: gzipSync(imageBytes) }))
  const before = (await listStored()).length
  assert.equal(await requestFile(await attach(await createRemoteAccount(ctx), HOST + path)), 502)
  assert.equal((await listStored()).length, before)
  assert.equal(far.requests.at(-1)?.headers['accept-encoding'], 'identity')
})

test('with S3_ALIAS_HOST, requests for files are redirected to that host, and the CSP allows it', async (t) => {
  const env = { ...peer.env, ...s3.env, S3_ALIAS_HOST: 'files.test', S3_KEY_PREFIX: 'own' }
  const aliased = await openTestServer({ env, extraCa: peer.ca })
  t.after(aliased.close)
  const user = await aliased.createUser()
  const url = await upload(user)
  assert.match(url, /^https:\/\/files\.test\/own\/media\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/)
  const key = url.replace('https://files.test/own/', '')
  const former = await aliased.server.inject({ url: `/system/${key}` })
  assert.deepEqual([former.statusCode, former.headers.location], [302, url])
  for (const path of [
    '/system/../secrets.json',
    '/system/x',
    '/system/%2f%2fevil.test/a.png',
    '/system//evil.test/a.png',
  ]) {
    assert.equal((await aliased.server.inject({ url: path })).statusCode, 404, path)
  }
  const id = await createRemoteStatus(aliased.ctx, {
    accountId: await createRemoteAccount(aliased.ctx),
    attachments: [attachment(serve())],
  })
  const { body } = await user.client.get<Status>(`/api/v1/statuses/${id}`)
  const shown = await aliased.server.inject({ url: body.media_attachments[0]!.url!.replace('https://linnet.test', '') })
  assert.match(String(shown.headers.location), /^https:\/\/files\.test\/own\/cache\/media\//)
  assert.deepEqual([shown.statusCode, shown.headers['cache-control']], [302, 'public, max-age=300'])
  const page = await aliased.server.inject({ url: '/about' })
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /img-src 'self' https:\/\/files\.test data:;.*media-src 'self' https:\/\/files\.test;/)
})

test('requests that need an unavailable bucket get 503', async (t) => {
  const own = await openS3()
  t.after(() => own.close())
  const failing = await openTestServer({ env: { ...peer.env, ...own.env }, extraCa: peer.ca })
  t.after(failing.close)
  const user = await failing.createUser()
  const url = await upload(user)
  assert.equal(await requestFile(url, failing), 200)
  await own.stop()
  assert.equal(await requestFile(url, failing), 503)
  const text = await user.client.post<Status>('/api/v1/statuses', { status: 'text only' })
  assert.equal(text.status, 200)
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: imageBytes } })
  assert.equal((await user.client.post('/api/v2/media', form.payload, form.headers)).status, 503)
})
