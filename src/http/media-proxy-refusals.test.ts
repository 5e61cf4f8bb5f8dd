// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFarFiles } from '../../test/far-files.ts'
import { answer, gzipBomb, huge, redirectTo, reset } from '../../test/peer/behaviour.ts'
import { stillPicture } from '../../test/pictures.ts'
import { untilWindow } from '../../test/until-window.ts'

const { world, peer, far, pass, serve, attach, get, requestsFor, keysStored } = await openFarFiles()
const { ctx } = world

/** What is kept, and what is left of work: nothing of either where a file was refused. */
async function traces(): Promise<string[]> {
  return [...(await readdir(join(ctx.config.dataDir, 'uploads')).catch(() => [])), ...(await keysStored())]
}

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
    pass(2)
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
  pass(1)
  assert.deepEqual([await look(), requestsFor(gone), requestsFor(failing)], [[404, 502], 1, 2])
  far.recover()
  pass(1)
  assert.deepEqual([await look(), requestsFor(gone), requestsFor(failing)], [[404, 200], 1, 3])
  pass(24)
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
  pass(1)
  for (const { url } of media) assert.equal((await get(url!)).statusCode, 200)
})

test('FE3 FE4 a redirect leads neither to us, nor to a private address, nor to whom we block', async () => {
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
  pass(untilWindow(1, ctx.now()) / 3_600_000)
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
  pass(1)
})
