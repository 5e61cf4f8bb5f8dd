// Slow: decodes images.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { suspend } from '../../../test/features/moderation.ts'
import { openRemoteFiles } from '../../../test/media/remote-files.ts'
import { createAnimatedGif, createImage } from '../../../test/media/images.ts'
import { HOST, createRemoteAccount, uniqueName } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { findCachedFile } from '../../domain/media/remote-cache/find-cached-file.ts'
import { getCachedFile } from '../../domain/media/remote-cache/get-cached-file.ts'
import { BadGatewayError } from '../../lib/errors.ts'

const { testServer, remoteHost, viewer, serve, attach, get, requestsFor, listStoredKeys, advanceClock } =
  await openRemoteFiles()
const { ctx } = testServer

async function listCachedKeys(): Promise<string[]> {
  const rows = await ctx.db.selectFrom('cached_files').select(['file_key', 'static_key']).execute()
  return rows.flatMap((row) => [row.file_key, row.static_key]).filter((key) => key !== null)
}

test('FE13 BI13 a remote image has a local URL, and is fetched once for many concurrent requests', async () => {
  const picture = await createImage('png', { width: 1000, height: 500 })
  const url = serve(picture)
  const media = await attach(url)
  assert.match(media.url!, new RegExp(`^https://linnet\\.test/media_proxy/${media.id}/original\\?key=[0-9a-f]{32}$`))
  assert.match(media.preview_url!, new RegExp(`^https://linnet\\.test/media_proxy/${media.id}/small\\?key=`))
  assert.equal(media.remote_url, url)
  const responses = await Promise.all(Array.from({ length: 30 }, () => get(media.url!)))
  for (const { statusCode, rawPayload } of responses) {
    assert.equal(statusCode, 200)
    assert.deepEqual(rawPayload, picture)
  }
  const small = await get(media.preview_url!)
  const { width, height } = await sharp(small.rawPayload).metadata()
  assert.deepEqual([small.statusCode, width * height <= 230_400, requestsFor(url)], [200, true, 1])
  assert.deepEqual(await readdir(join(ctx.config.dataDir, 'uploads')), [])
})

test('the sizes of a remote image include that of its preview, by which clients choose the smaller file', async () => {
  const media = await attach(serve(await createImage('png', { width: 1000, height: 500 })), {
    width: 1000,
    height: 500,
  })
  const { width, height } = await sharp((await get(media.preview_url!)).rawPayload).metadata()
  const original = { width: 1000, height: 500, size: '1000x500', aspect: 2 }
  const small = { width, height, size: `${width}x${height}`, aspect: width / height }
  assert.deepEqual(media.meta, { original, small })
  const previewUrl = serve(await createImage('jpeg'), 'image/jpeg')
  const ownPreview = await attach(serve(await createImage('png')), { width: 1000, height: 500, previewUrl })
  assert.deepEqual(ownPreview.meta, { original })
})

test('ME2 VI10 a cached file has headers that prevent scripts and permit caching for ever', async () => {
  const { headers } = await get((await attach(serve(await createImage('jpeg'), 'image/gif'))).url!)
  assert.deepEqual(
    [
      headers['content-type'],
      headers['x-content-type-options'],
      headers['content-security-policy'],
      headers['content-disposition'],
      headers['cache-control'],
      headers['access-control-allow-origin'],
      headers['set-cookie'],
    ],
    [
      'image/jpeg',
      'nosniff',
      "default-src 'none'; sandbox; frame-ancestors 'none'",
      'inline',
      'public, max-age=31536000, immutable',
      '*',
      undefined,
    ],
  )
})

test('ME10 a cached file supports single ranges and conditions; a thousand ranges get the whole file', async () => {
  const picture = await createImage('png')
  const { url } = await attach(serve(picture))
  const whole = await get(url!)
  const { etag, 'last-modified': modified } = whole.headers as Record<string, string>
  const part = await get(url!, { range: 'bytes=2-5' })
  assert.deepEqual(
    [part.statusCode, part.headers['content-range'], part.rawPayload],
    [206, `bytes 2-5/${picture.length}`, picture.subarray(2, 6)],
  )
  const beyond = await get(url!, { range: `bytes=${picture.length}-` })
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${picture.length}`])
  const many = await get(url!, { range: `bytes=${Array.from({ length: 1000 }, (_, n) => `${n}-${n}`).join(',')}` })
  assert.deepEqual([many.statusCode, many.rawPayload.length], [200, picture.length])
  const conditions: [Record<string, string>, number][] = [
    [{ 'if-none-match': etag! }, 304],
    [{ 'if-none-match': `"a", W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"a"', 'if-modified-since': modified! }, 200],
    [{ 'if-modified-since': modified! }, 304],
    [{ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 200],
    [{ 'if-modified-since': 'never' }, 200],
    [{ range: 'bytes=0-1', 'if-range': etag! }, 206],
    [{ range: 'bytes=0-1', 'if-range': '"a"' }, 200],
  ]
  for (const [headers, status] of conditions) {
    const response = await get(url!, headers)
    assert.equal(response.statusCode, status, JSON.stringify(headers))
    if (status === 304) assert.deepEqual([response.rawPayload.length, response.headers.etag], [0, etag])
  }
})

test('a video is not re-encoded, and its preview is fetched from its server', async () => {
  const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000)])
  const previewUrl = serve(await createImage('jpeg', { width: 1600, height: 900 }), 'image/jpeg')
  const media = await attach(serve(video, 'video/mp4'), { type: 'video', previewUrl })
  const [whole, small] = [await get(media.url!), await get(media.preview_url!)]
  assert.deepEqual([whole.headers['content-type'], whole.rawPayload], ['video/mp4', video])
  assert.equal((await sharp(small.rawPayload).metadata()).width, 640)
  assert.equal(media.preview_remote_url, previewUrl)
})

test('avatars, headers and emojis of remote accounts are resized, and have static versions', async () => {
  const name = uniqueName('remote')
  const accountId = await createRemoteAccount(ctx, {
    displayName: `:${name}:`,
    avatar: { url: serve(await createAnimatedGif(), 'image/gif'), description: '' },
    header: { url: serve(await createImage('jpeg', { width: 3000, height: 2000 }), 'image/jpeg'), description: '' },
    emojis: [{ uri: null, shortcode: name, imageUrl: serve(await createAnimatedGif(), 'image/gif'), updatedAt: null }],
  })
  const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
  const widthAndFrames = async (url: string) => {
    assert.ok(url.startsWith('https://linnet.test/media_proxy/'), url)
    const { statusCode, rawPayload } = await get(url)
    assert.equal(statusCode, 200, url)
    const { width, pages: count = 1 } = await sharp(rawPayload).metadata()
    return [width, count]
  }
  assert.deepEqual(await widthAndFrames(body.avatar), [60, 2])
  assert.deepEqual(await widthAndFrames(body.avatar_static), [60, 1])
  assert.deepEqual(await widthAndFrames(body.header), [1500, 1])
  assert.deepEqual(await widthAndFrames(body.header_static), [1500, 1])
  assert.deepEqual(await widthAndFrames(body.emojis[0].url), [60, 2])
  assert.deepEqual(await widthAndFrames(body.emojis[0].static_url), [60, 1])
})

test('an emoji with a later change gets a new URL, and its image is fetched again; one that states the present time is not', async () => {
  const name = uniqueName('changed')
  const identity = { uri: `${HOST}/users/${name}`, handle: { username: name, domain: 'far.test' }, publishedAt: null }
  const imageUrl = serve(await createImage('png', { background: '#ff0000' }))
  const record = async (updatedAt: Date) => {
    const emojis = [{ uri: null, shortcode: name, imageUrl, updatedAt }]
    const accountId = await createRemoteAccount(ctx, { ...identity, displayName: `:${name}:`, emojis })
    const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
    const { rawPayload } = await get(body.emojis[0].url)
    return { url: body.emojis[0].url as string, red: (await sharp(rawPayload).stats()).channels[0]!.mean }
  }
  const first = await record(new Date('2026-01-01T00:00:00Z'))
  assert.deepEqual(await record(new Date()), first)
  assert.deepEqual([Math.round(first.red), requestsFor(imageUrl)], [255, 1])
  const black = await createImage('png', { background: '#000000' })
  remoteHost.serveAt(new URL(imageUrl).pathname, () => ({
    status: 200,
    headers: { 'content-type': 'image/png' },
    body: black,
  }))
  const second = await record(new Date('2026-02-01T00:00:00Z'))
  assert.notEqual(first.url, second.url)
  assert.deepEqual([Math.round(second.red), requestsFor(imageUrl)], [0, 2])
  assert.deepEqual(await record(new Date('2026-02-01T00:00:00Z')), second)
})

test('a new avatar gets a new URL, and the former file is deleted', async () => {
  const name = uniqueName('changed')
  const identity = { uri: `${HOST}/users/${name}`, handle: { username: name, domain: 'far.test' } }
  const setAvatar = async (background: string) => {
    const avatar = { url: serve(await createImage('png', { background })), description: '' }
    const accountId = await createRemoteAccount(ctx, { ...identity, avatar, publishedAt: null })
    const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
    const { rawPayload } = await get(body.avatar)
    return { url: body.avatar as string, red: (await sharp(rawPayload).stats()).channels[0]!.mean }
  }
  const [first, second] = [await setAvatar('#ff0000'), await setAvatar('#000000')]
  assert.notEqual(first.url, second.url)
  assert.deepEqual([Math.round(first.red), Math.round(second.red)], [255, 0])
  await testServer.waitForJobs()
  assert.deepEqual((await listCachedKeys()).toSorted(), (await listStoredKeys()).toSorted())
})

test('VI10 ME10 404= hidden media get the same response as missing ones, for guessed ids, keys and names', async () => {
  const url = serve(await createImage('png'))
  const hidden = await attach(url, { status: { visibility: 'direct', mentionedIds: [viewer.accountId] } })
  assert.equal((await get(hidden.url!)).statusCode, 200)
  const visible = await attach(url)
  const withoutQuery = (link: string) => link.replace(/\?.*/, '')
  assert.equal((await get(withoutQuery(visible.url!))).statusCode, 200)
  const deleted = await attach(url)
  await ctx.db.updateTable('statuses').set({ deleted_at: new Date() }).where('id', '=', deleted.statusId).execute()
  const suspended = await attach(url)
  await suspend(ctx, suspended)
  const withoutAvatar = await createRemoteAccount(ctx)
  const before = requestsFor(url)

  const unknown = await get('/media_proxy/999999999/original')
  assert.deepEqual([unknown.statusCode, unknown.json()], [404, { error: 'Record not found' }])
  const hiddenPath = `/media_proxy/${hidden.id}`
  for (const path of [
    `${hiddenPath}/original`,
    `${hiddenPath}/small`,
    `${hiddenPath}/original?key=${'0'.repeat(32)}`,
    `${hiddenPath}/original?key=${visible.url!.slice(-32)}`,
    `${hiddenPath}/original?key=`,
    `${hiddenPath}/original?key=%00`,
    `${hiddenPath}/original?key[]=x`,
    `${hiddenPath}/original?url=${encodeURIComponent(url)}`,
    `/media_proxy/${visible.id}/huge`,
    `/media_proxy/${visible.id}/original%00`,
    withoutQuery(deleted.url!),
    withoutQuery(suspended.url!),
    suspended.url!,
    '/media_proxy/0x1/original',
    `/media_proxy/accounts/${withoutAvatar}/avatar`,
    `/media_proxy/accounts/${withoutAvatar}/constructor`,
    `/media_proxy/accounts/${viewer.accountId}/avatar`,
    '/media_proxy/emojis/999999999/original',
    `/media_proxy/${encodeURIComponent(url)}/original`,
  ]) {
    const { statusCode, body, headers } = await get(path)
    assert.deepEqual([statusCode, body], [404, unknown.body], path)
    assert.equal(headers['cache-control'], 'private, no-store')
  }
  assert.equal(requestsFor(url), before)
})

test('with a cache size of 0 clients get remote URLs, and the proxy responds with 404', async (t) => {
  const direct = await openTestServer({ env: { MEDIA_CACHE_GB: '0' } })
  t.after(direct.close)
  const avatar = { url: `${HOST}/face.png`, description: '' }
  const accountId = await createRemoteAccount(direct.ctx, { avatar })
  const { body } = await direct.anonymous.get(`/api/v1/accounts/${accountId}`)
  assert.deepEqual([body.avatar, body.avatar_static], [avatar.url, avatar.url])
  assert.equal((await direct.anonymous.get(`/media_proxy/accounts/${accountId}/avatar`)).status, 404)
  const page = await direct.server.inject({ url: '/about' })
  assert.match(String(page.headers['content-security-policy']), /img-src 'self' https:\/\/linnet\.test https: data:;/)
})

test('no host may fill more than its share of the cache in an hour', async () => {
  const video = Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(60_000_000)])
  const fetchFile = async (url: string) => {
    const { id } = await attach(url)
    const lookup = await findCachedFile(ctx, { owner: 'media', id, rendition: 'original', key: null })
    // A fifth of this size is less than the largest file, which is always accepted.
    const config = { ...ctx.config, mediaCacheBytes: 400_000_000 }
    return getCachedFile({ ...ctx, config }, lookup).then(
      () => 'stored',
      (err: unknown) => (err instanceof BadGatewayError ? 'refused' : String(err)),
    )
  }
  const before = (await listStoredKeys()).length
  assert.equal(await fetchFile(serve(video)), 'stored')
  assert.equal(await fetchFile(serve(video)), 'refused')
  assert.equal((await listStoredKeys()).length, before + 1)
  advanceClock(1)
  assert.equal(await fetchFile(serve(await createImage('png'))), 'stored')
})
