// Slow: decodes pictures.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { openFarFiles } from '../../test/far-files.ts'
import { movingPicture, stillPicture } from '../../test/pictures.ts'
import { HOST, makeRemote, newName } from '../../test/remote.ts'
import { openWorld } from '../../test/world.ts'
import { findCached } from '../domain/media/cached/find.ts'
import { getCached } from '../domain/media/cached/keep.ts'
import { BadGateway } from '../lib/errors.ts'

const { world, viewer, serve, attach, get, requestsFor, keysStored, pass } = await openFarFiles()
const { ctx } = world

async function keysKnown(): Promise<string[]> {
  const rows = await ctx.db.selectFrom('cached_files').select(['file_key', 'static_key']).execute()
  return rows.flatMap((row) => [row.file_key, row.static_key]).filter((key) => key !== null)
}

test('FE13 BI13 a picture from elsewhere has an address here, and is asked for once however many want it at once', async () => {
  const picture = await stillPicture('png', { width: 1000, height: 500 })
  const url = serve(picture)
  const media = await attach(url)
  assert.match(media.url!, new RegExp(`^https://linnet\\.test/media_proxy/${media.id}/original\\?key=[0-9a-f]{32}$`))
  assert.match(media.preview_url!, new RegExp(`^https://linnet\\.test/media_proxy/${media.id}/small\\?key=`))
  assert.equal(media.remote_url, url)
  const answers = await Promise.all(Array.from({ length: 30 }, () => get(media.url!)))
  for (const { statusCode, rawPayload } of answers) {
    assert.equal(statusCode, 200)
    assert.deepEqual(rawPayload, picture)
  }
  const small = await get(media.preview_url!)
  const { width, height } = await sharp(small.rawPayload).metadata()
  assert.deepEqual([small.statusCode, width * height <= 230_400, requestsFor(url)], [200, true, 1])
  assert.deepEqual(await readdir(join(ctx.config.dataDir, 'uploads')), [])
})

test('ME2 VI10 what is kept is served so that nothing in it runs, and may be kept for ever', async () => {
  const { headers } = await get((await attach(serve(await stillPicture('jpeg'), 'image/gif'))).url!)
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

test('ME10 a kept file is had in one range, conditionally, and whole for whoever asks for a thousand ranges', async () => {
  const picture = await stillPicture('png')
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
    const answer = await get(url!, headers)
    assert.equal(answer.statusCode, status, JSON.stringify(headers))
    if (status === 304) assert.deepEqual([answer.rawPayload.length, answer.headers.etag], [0, etag])
  }
})

test('a film keeps its form, and what stands for it comes from its server', async () => {
  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000)])
  const previewUrl = serve(await stillPicture('jpeg', { width: 1600, height: 900 }), 'image/jpeg')
  const media = await attach(serve(film, 'video/mp4'), { type: 'video', previewUrl })
  const [whole, small] = [await get(media.url!), await get(media.preview_url!)]
  assert.deepEqual([whole.headers['content-type'], whole.rawPayload], ['video/mp4', film])
  assert.equal((await sharp(small.rawPayload).metadata()).width, 640)
  assert.equal(media.preview_remote_url, previewUrl)
  const without = await attach(serve(film, 'video/mp4'), { type: 'video' })
  assert.equal(without.preview_url, null)
  assert.equal((await get(without.url!.replace('original', 'small'))).statusCode, 404)
})

test('people and emojis from elsewhere are shown in our sizes, also standing still', async () => {
  const name = newName('face')
  const accountId = await makeRemote(ctx, {
    displayName: `:${name}:`,
    avatar: { url: serve(await movingPicture(), 'image/gif'), description: '' },
    header: { url: serve(await stillPicture('jpeg', { width: 3000, height: 2000 }), 'image/jpeg'), description: '' },
    emojis: [{ uri: null, shortcode: name, imageUrl: serve(await movingPicture(), 'image/gif'), updatedAt: null }],
  })
  const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
  const pages = async (url: string) => {
    assert.ok(url.startsWith('https://linnet.test/media_proxy/'), url)
    const { statusCode, rawPayload } = await get(url)
    assert.equal(statusCode, 200, url)
    const { width, pages: count = 1 } = await sharp(rawPayload).metadata()
    return [width, count]
  }
  assert.deepEqual(await pages(body.avatar), [60, 2])
  assert.deepEqual(await pages(body.avatar_static), [60, 1])
  assert.deepEqual(await pages(body.header), [1500, 1])
  assert.deepEqual(await pages(body.header_static), [1500, 1])
  assert.deepEqual(await pages(body.emojis[0].url), [60, 2])
  assert.deepEqual(await pages(body.emojis[0].static_url), [60, 1])
})

test('another picture of somebody has another address, and the former goes with its file', async () => {
  const name = newName('changed')
  const facts = { uri: `${HOST}/users/${name}`, handle: { username: name, domain: 'far.test' } }
  const show = async (background: string) => {
    const avatar = { url: serve(await stillPicture('png', { background })), description: '' }
    const accountId = await makeRemote(ctx, { ...facts, avatar, publishedAt: null })
    const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
    const { rawPayload } = await get(body.avatar)
    return { url: body.avatar as string, red: (await sharp(rawPayload).stats()).channels[0]!.mean }
  }
  const [first, second] = [await show('#ff0000'), await show('#000000')]
  assert.notEqual(first.url, second.url)
  assert.deepEqual([Math.round(first.red), Math.round(second.red)], [255, 0])
  await world.settle()
  assert.deepEqual((await keysKnown()).toSorted(), (await keysStored()).toSorted())
})

test('VI10 ME10 404= what is hidden is as if it were not there: for whoever guesses ids, keys or names', async () => {
  const url = serve(await stillPicture('png'))
  const hidden = await attach(url, { status: { visibility: 'direct', mentionedIds: [viewer.accountId] } })
  assert.equal((await get(hidden.url!)).statusCode, 200)
  const open = await attach(url)
  const bare = (one: string) => one.replace(/\?.*/, '')
  assert.equal((await get(bare(open.url!))).statusCode, 200)
  const deleted = await attach(url)
  await ctx.db.updateTable('statuses').set({ deleted_at: new Date() }).where('id', '=', deleted.statusId).execute()
  const suspended = await attach(url)
  await ctx.db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', suspended.accountId).execute()
  const faceless = await makeRemote(ctx)
  const before = requestsFor(url)

  const unknown = await get('/media_proxy/999999999/original')
  assert.deepEqual([unknown.statusCode, unknown.json()], [404, { error: 'Record not found' }])
  const theirs = `/media_proxy/${hidden.id}`
  for (const path of [
    `${theirs}/original`,
    `${theirs}/small`,
    `${theirs}/original?key=${'0'.repeat(32)}`,
    `${theirs}/original?key=${open.url!.slice(-32)}`,
    `${theirs}/original?key=`,
    `${theirs}/original?key=%00`,
    `${theirs}/original?key[]=x`,
    `${theirs}/original?url=${encodeURIComponent(url)}`,
    `/media_proxy/${open.id}/huge`,
    `/media_proxy/${open.id}/original%00`,
    bare(deleted.url!),
    bare(suspended.url!),
    suspended.url!,
    '/media_proxy/0x1/original',
    `/media_proxy/accounts/${faceless}/avatar`,
    `/media_proxy/accounts/${faceless}/constructor`,
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

test('without a budget nothing is kept: readers get what lies elsewhere from there, and no address here leads on', async (t) => {
  const direct = await openWorld({ env: { MEDIA_CACHE_GB: '0' } })
  t.after(direct.close)
  const avatar = { url: `${HOST}/face.png`, description: '' }
  const accountId = await makeRemote(direct.ctx, { avatar })
  const { body } = await direct.anonymous.get(`/api/v1/accounts/${accountId}`)
  assert.deepEqual([body.avatar, body.avatar_static], [avatar.url, avatar.url])
  assert.equal((await direct.anonymous.get(`/media_proxy/accounts/${accountId}/avatar`)).status, 404)
  const page = await direct.server.inject({ url: '/about' })
  assert.match(String(page.headers['content-security-policy']), /img-src 'self' https:\/\/linnet\.test https: data:;/)
})

test('no host may give more in an hour than its share of the cache', async () => {
  const video = Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(60_000_000)])
  const look = async (url: string) => {
    const { id } = await attach(url)
    const found = await findCached(ctx, { of: 'media', id, rendition: 'original', key: null })
    // A fifth of that is less than the largest file, which is always taken.
    const config = { ...ctx.config, mediaCacheBytes: 400_000_000 }
    return getCached({ ...ctx, config }, found).then(
      () => 'stored',
      (err: unknown) => (err instanceof BadGateway ? 'refused' : String(err)),
    )
  }
  const before = (await keysStored()).length
  assert.equal(await look(serve(video)), 'stored')
  assert.equal(await look(serve(video)), 'refused')
  assert.equal((await keysStored()).length, before + 1)
  pass(1)
  assert.equal(await look(serve(await stillPicture('png'))), 'stored')
})
