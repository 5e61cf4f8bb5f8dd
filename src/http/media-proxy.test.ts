import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { openPeer } from '../../test/peer.ts'
import { answer, gzipBomb, huge, redirectTo, reset } from '../../test/peer/behaviour.ts'
import type { PeerAnswer } from '../../test/peer/behaviour.ts'
import { movingPicture, stillPicture } from '../../test/pictures.ts'
import { HOST, makeRemote, makeRemoteStatus, newName } from '../../test/remote.ts'
import { openWorld } from '../../test/world.ts'
import type { MediaAttachment } from '../entities/media.ts'
import type { Status } from '../entities/status.ts'
import type { RemoteMediaFacts } from '../domain/media/record-remote.ts'

const peer = await openPeer({ hosts: ['far.test', 'other.test'] })
let hours = 0
const world = await openWorld({
  env: peer.env,
  extraCa: peer.ca,
  now: () => new Date(Date.now() + hours * 3_600_000),
})
after(async () => {
  await world.close()
  await peer.close()
})
const { ctx } = world
const far = peer.host('far.test')
const viewer = await world.createPerson()

beforeEach(() => far.recover())

/** Serves a file there; gives its address. */
function serve(body: Buffer | string, type = 'image/png', more: Partial<PeerAnswer> = {}): string {
  const path = `/files/${newName()}`
  far.serveAt(path, () => ({ status: 200, headers: { 'content-type': type }, body, ...more }))
  return HOST + path
}

/** A public post from there with a file, unless more is said; as the viewer sees the file. */
async function attach(
  url: string,
  { status = {}, ...more }: Partial<RemoteMediaFacts> & { status?: object } = {},
): Promise<MediaAttachment & { statusId: string; accountId: string }> {
  const facts = { type: 'image', mediaType: null, description: null, blurhash: null, focus: null } as const
  const attachment: RemoteMediaFacts = { ...facts, url, width: null, height: null, previewUrl: null, ...more }
  const accountId = await makeRemote(ctx)
  const id = await makeRemoteStatus(ctx, { accountId, attachments: [attachment], ...status })
  const { body } = await viewer.client.get<Status>(`/api/v1/statuses/${id}`)
  return { ...body.media_attachments[0]!, statusId: id, accountId }
}

function get(url: string, headers: Record<string, string> = {}) {
  return world.server.inject({ url: url.replace(ctx.config.origin, ''), headers })
}

const requestsFor = (url: string) => far.countRequests(new URL(url).pathname)

/** What is kept, and what is left of work: nothing of either where a file was refused. */
async function traces(): Promise<string[]> {
  return [...(await readdir(join(ctx.config.dataDir, 'uploads')).catch(() => [])), ...(await keysStored())]
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

async function keysStored(): Promise<string[]> {
  return (await Array.fromAsync(ctx.storage.list({ folder: 'cache/' }))).map(({ key }) => key)
}

async function keysKnown(): Promise<string[]> {
  const rows = await ctx.db.selectFrom('cached_files').select(['file_key', 'static_key']).execute()
  return rows.flatMap((row) => [row.file_key, row.static_key]).filter((key) => key !== null)
}

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

const svg =
  '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'

/** A header that promises 50,000 × 50,000 pixels. */
async function pixelBomb(): Promise<Buffer> {
  const png = Buffer.from(await stillPicture('png'))
  png.writeUInt32BE(50_000, 16)
  png.writeUInt32BE(50_000, 20)
  png.writeUInt32BE(crcOf(png.subarray(12, 29)), 29)
  return png
}

function crcOf(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let n = 0; n < 8; n += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

test('FE5 FE11 FE12 ME1 ME2 whatever is no picture, film or sound is refused, remembered, and leaves nothing behind', async () => {
  const before = await traces()
  const wrong: [string, string | Buffer, string][] = [
    ['a page', '<html><script>alert(1)</script></html>', 'text/html'],
    ['a page that calls itself a picture', '<html><script>alert(1)</script></html>', 'image/png'],
    ['SVG', svg, 'image/svg+xml'],
    ['SVG that calls itself a picture', svg, 'image/png'],
    ['a script', 'alert(1)//', 'image/jpeg'],
    ['an activity', '{"@context":"https://www.w3.org/ns/activitystreams"}', 'image/png'],
    ['a PDF', '%PDF-1.7\n', 'image/png'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', 'video/mp4'],
    ['a picture of 50,000 × 50,000', await pixelBomb(), 'image/png'],
    ['half a header', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
    ['nothing', '', 'image/png'],
  ]
  for (const [what, body, type] of wrong) {
    const url = serve(body, type)
    const media = await attach(url)
    for (let n = 0; n < 3; n += 1) {
      const { statusCode, json } = await get(media.url!)
      assert.deepEqual([statusCode, json()], [502, { error: 'The other server did not give the file' }], what)
    }
    assert.equal((await get(media.preview_url!)).statusCode, 502, what)
    assert.equal(requestsFor(url), 1, what)
  }
  assert.deepEqual(await traces(), before)
})

test('FE5 FE6 endless answers, false lengths and bombs end at the cap, and the next file comes all the same', async () => {
  const before = await traces()
  for (const behaviour of [huge(200_000_000), huge(200_000_000, { told: true }), gzipBomb(150_000_000), reset]) {
    const url = serve(await stillPicture('png'))
    const media = await attach(url, { type: 'video' })
    far.behave(new URL(url).pathname, behaviour)
    assert.equal((await get(media.url!)).statusCode, 502)
    hours += 2
  }
  assert.deepEqual(await traces(), before)
  assert.equal((await get((await attach(serve(await stillPicture('png')))).url!)).statusCode, 200)
})

test('what is not there either is remembered for a day; a server that fails is asked again sooner', async () => {
  const picture = await stillPicture('png')
  const [gone, failing] = [serve(picture), serve(picture)]
  const media = { gone: await attach(gone), failing: await attach(failing) }
  far.behave(new URL(gone).pathname, answer(410))
  far.behave(new URL(failing).pathname, answer(500))
  const look = async () => [(await get(media.gone.url!)).statusCode, (await get(media.failing.url!)).statusCode]
  assert.deepEqual(
    [await look(), await look()],
    [
      [404, 502],
      [404, 502],
    ],
  )
  assert.deepEqual([requestsFor(gone), requestsFor(failing)], [1, 1])
  hours += 1
  assert.deepEqual([await look(), requestsFor(gone), requestsFor(failing)], [[404, 502], 1, 2])
  far.recover()
  hours += 1
  assert.deepEqual([await look(), requestsFor(gone), requestsFor(failing)], [[404, 200], 1, 3])
  hours += 24
  assert.deepEqual([await look(), requestsFor(gone), requestsFor(failing)], [[200, 200], 2, 3])
})

test('a dead host costs one try for all its files, and rests', async () => {
  const other = peer.host('other.test')
  const picture = await stillPicture('png')
  const urls = Array.from({ length: 20 }, (_, n) => `https://other.test/${n}.png`)
  for (const url of urls) {
    other.serveAt(new URL(url).pathname, () => ({
      status: 200,
      headers: { 'content-type': 'image/png' },
      body: picture,
    }))
  }
  const media = await Promise.all(urls.map((url) => attach(url)))
  other.behave(/./, reset)
  for (const { url } of media) assert.equal((await get(url!)).statusCode, 502)
  const tries = other.countRequests(/./)
  assert.ok(tries <= 2, `${tries} tries`)
  other.recover()
  assert.equal((await get(media[5]!.url!)).statusCode, 502)
  hours += 1
  for (const { url } of media) assert.equal((await get(url!)).statusCode, 200)
})

test('FE3 a redirect leads neither to us, nor to a private address, nor to whom we block', async () => {
  await ctx.db
    .insertInto('domain_blocks')
    .values({ domain: 'other.test', severity: 'noop', reject_media: true })
    .execute()
  const before = peer.host('other.test').requests.length
  for (const location of [
    'https://linnet.test/health',
    'https://10.0.0.1/a.png',
    'https://other.test/0.png',
    'http://far.test/x',
  ]) {
    const url = serve('')
    far.behave(new URL(url).pathname, redirectTo(location))
    assert.equal((await get((await attach(url)).url!)).statusCode, 502, location)
  }
  assert.equal(peer.host('other.test').requests.length, before)
  await ctx.db.deleteFrom('domain_blocks').execute()
  const url = serve('')
  far.behave(new URL(url).pathname, redirectTo(serve(await stillPicture('png'))))
  assert.equal((await get((await attach(url)).url!)).statusCode, 200)
})

test('somebody who asks for too much that is not kept here is told to wait; what is kept stays open', async () => {
  const kept = await attach(serve(await stillPicture('png')))
  assert.equal((await get(kept.url!)).statusCode, 200)
  const url = serve('')
  far.behave(new URL(url).pathname, reset)
  const missing = await attach(url)
  // Its host rests from then on, so that nothing is remembered of the file itself.
  assert.equal((await get(missing.url!)).statusCode, 502)
  const others = await Promise.all(Array.from({ length: 5 }, () => attach(serve(''))))
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  let asked = 0
  let last = await get(others[0]!.url!, headers)
  while (last.statusCode === 502 && asked < 1_100) {
    asked += 1
    last = await get(others[asked % 5]!.url!, headers)
  }
  assert.deepEqual([last.statusCode, asked], [429, 1000])
  assert.ok(Number(last.headers['retry-after']) > 0)
  assert.equal((await get(kept.url!, headers)).statusCode, 200)
  hours += 1
})
