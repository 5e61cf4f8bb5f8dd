// Slow: sends many requests to hostile servers.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openRemoteFiles } from '../../../test/media/remote-files.ts'
import {
  respondWith,
  gzipBomb,
  largeBody,
  redirectTo,
  resetConnection,
} from '../../../test/federation/peer/behaviour.ts'
import { createImage } from '../../../test/media/images.ts'
import { untilWindow } from '../../../test/http/until-window.ts'

const { testServer, peer, remoteHost, advanceClock, serve, attach, get, requestsFor, listStoredKeys } =
  await openRemoteFiles()
const { ctx } = testServer

/** Returns the names of stored and of temporary files. Rejected files must leave none of either. */
async function listAllFiles(): Promise<string[]> {
  return [...(await readdir(join(ctx.config.dataDir, 'uploads')).catch(() => [])), ...(await listStoredKeys())]
}

const svg =
  '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'

/** Returns a PNG whose header declares 50,000 × 50,000 pixels. */
async function pixelBomb(): Promise<Buffer> {
  const png = Buffer.from(await createImage('png'))
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

test('FE5 FE11 FE12 ME1 ME2 other files than media are rejected once and leave no files', async () => {
  const before = await listAllFiles()
  const invalidFiles: [string, string | Buffer, string][] = [
    ['a page', '<html><script>alert(1)</script></html>', 'text/html'],
    ['a page with the type of an image', '<html><script>alert(1)</script></html>', 'image/png'],
    ['SVG', svg, 'image/svg+xml'],
    ['SVG with the type of a PNG', svg, 'image/png'],
    ['a script', 'alert(1)//', 'image/jpeg'],
    ['an activity', '{"@context":"https://www.w3.org/ns/activitystreams"}', 'image/png'],
    ['a PDF', '%PDF-1.7\n', 'image/png'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', 'video/mp4'],
    ['an image of 50,000 × 50,000', await pixelBomb(), 'image/png'],
    ['half a header', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
    ['nothing', '', 'image/png'],
  ]
  for (const [name, body, type] of invalidFiles) {
    const url = serve(body, type)
    const media = await attach(url)
    for (let n = 0; n < 3; n += 1) {
      const { statusCode, json } = await get(media.url!)
      assert.deepEqual([statusCode, json()], [502, { error: 'The other server did not give the file' }], name)
    }
    assert.equal((await get(media.preview_url!)).statusCode, 502, name)
    assert.equal(requestsFor(url), 1, name)
  }
  assert.deepEqual(await listAllFiles(), before)
})

test('FE5 FE6 endless responses, false lengths and gzip bombs are cut off, and the next file is fetched', async () => {
  const before = await listAllFiles()
  for (const behaviour of [
    largeBody(200_000_000),
    largeBody(200_000_000, { declaresLength: true }),
    gzipBomb(150_000_000),
    resetConnection,
  ]) {
    const url = serve(await createImage('png'))
    const media = await attach(url, { type: 'video' })
    remoteHost.behave(new URL(url).pathname, behaviour)
    assert.equal((await get(media.url!)).statusCode, 502)
    advanceClock(2)
  }
  assert.deepEqual(await listAllFiles(), before)
  assert.equal((await get((await attach(serve(await createImage('png')))).url!)).statusCode, 200)
})

test('a missing file is not requested again for a day; after a server error it is requested sooner', async () => {
  const picture = await createImage('png')
  const [gone, failing] = [serve(picture), serve(picture)]
  const media = { gone: await attach(gone), failing: await attach(failing) }
  remoteHost.behave(new URL(gone).pathname, respondWith(410))
  remoteHost.behave(new URL(failing).pathname, respondWith(500))
  const getStatuses = async () => [(await get(media.gone.url!)).statusCode, (await get(media.failing.url!)).statusCode]
  assert.deepEqual(
    [await getStatuses(), await getStatuses()],
    [
      [404, 502],
      [404, 502],
    ],
  )
  assert.deepEqual([requestsFor(gone), requestsFor(failing)], [1, 1])
  advanceClock(1)
  assert.deepEqual([await getStatuses(), requestsFor(gone), requestsFor(failing)], [[404, 502], 1, 2])
  remoteHost.recover()
  advanceClock(1)
  assert.deepEqual([await getStatuses(), requestsFor(gone), requestsFor(failing)], [[404, 200], 1, 3])
  advanceClock(24)
  assert.deepEqual([await getStatuses(), requestsFor(gone), requestsFor(failing)], [[200, 200], 2, 3])
})

test('an unreachable host is tried once for all its files, and then not until its backoff ends', async () => {
  const other = peer.host('other.test')
  const picture = await createImage('png')
  const urls = Array.from({ length: 20 }, (_, n) => `https://other.test/${n}.png`)
  for (const url of urls) {
    other.serveAt(new URL(url).pathname, () => ({
      status: 200,
      headers: { 'content-type': 'image/png' },
      body: picture,
    }))
  }
  const media = await Promise.all(urls.map((url) => attach(url)))
  other.behave(/./, resetConnection)
  for (const { url } of media) assert.equal((await get(url!)).statusCode, 502)
  const attempts = other.countRequests(/./)
  assert.ok(attempts <= 2, `${attempts} attempts`)
  other.recover()
  assert.equal((await get(media[5]!.url!)).statusCode, 502)
  advanceClock(1)
  for (const { url } of media) assert.equal((await get(url!)).statusCode, 200)
})

test('FE3 FE4 redirects to this server, to private addresses and to blocked servers are not followed', async () => {
  await blockDomainAsStaff(ctx, 'other.test', { severity: 'noop', rejectMedia: true })
  const before = peer.host('other.test').requests.length
  for (const location of [
    'https://linnet.test/health',
    'https://10.0.0.1/a.png',
    'https://other.test/0.png',
    'http://far.test/x',
  ]) {
    const url = serve('')
    remoteHost.behave(new URL(url).pathname, redirectTo(location))
    assert.equal((await get((await attach(url)).url!)).statusCode, 502, location)
  }
  assert.equal(peer.host('other.test').requests.length, before)
  await unblockDomainAsStaff(ctx, 'other.test')
  const url = serve('')
  remoteHost.behave(new URL(url).pathname, redirectTo(serve(await createImage('png'))))
  assert.equal((await get((await attach(url)).url!)).statusCode, 200)
})

test('a client that requests too many files that are not cached gets 429; cached files are still served', async () => {
  advanceClock(untilWindow(1, ctx.now()) / 3_600_000)
  const cached = await attach(serve(await createImage('png')))
  assert.equal((await get(cached.url!)).statusCode, 200)
  const url = serve('')
  remoteHost.behave(new URL(url).pathname, resetConnection)
  const missing = await attach(url)
  // The host is in backoff from now on, so no failure is recorded for the files themselves.
  assert.equal((await get(missing.url!)).statusCode, 502)
  const others = await Promise.all(Array.from({ length: 5 }, () => attach(serve(''))))
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  let count = 0
  let last = await get(others[0]!.url!, headers)
  while (last.statusCode === 502 && count < 1_100) {
    count += 1
    last = await get(others[count % 5]!.url!, headers)
  }
  assert.deepEqual([last.statusCode, count], [429, 1000])
  assert.ok(Number(last.headers['retry-after']) > 0)
  assert.equal((await get(cached.url!, headers)).statusCode, 200)
  advanceClock(1)
})
