// Slow: decompresses bodies that would exhaust the memory.
import assert from 'node:assert/strict'
import { pipeline, Readable } from 'node:stream'
import { suite, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { errorKindOf, fetcherFor, openTestSite } from '../../../test/services/test-site.ts'
import type { Handler } from '../../../test/services/test-site.ts'
import { until } from '../../../test/streaming/streams.ts'

const MEGABYTE = 1024 * 1024
const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE))
const encoded =
  (encoding: string, body: Buffer): Handler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-encoding': encoding }).end(body)

suite('FE5 F13 limits of bodies', async () => {
  const text = Buffer.from('hello '.repeat(100))
  const site = await openTestSite({
    '/gzip': encoded('gzip', gzipSync(text)),
    '/x-gzip': encoded('X-GZIP', gzipSync(text)),
    '/br': encoded('br', brotliCompressSync(text)),
    '/deflate': encoded('deflate', deflateSync(text)),
    '/identity': encoded('identity', text),
    '/gzip-bomb': encoded('gzip', bomb),
    '/br-bomb': encoded('br', brotliCompressSync(Buffer.alloc(64 * MEGABYTE))),
    '/double': encoded('gzip, gzip', gzipSync(gzipSync(text))),
    '/many': encoded(Array(50).fill('gzip').join(','), gzipSync(text)),
    '/unknown': encoded('zstd', text),
    '/garbage': encoded('gzip', text),
    '/cut': encoded('gzip', gzipSync(text).subarray(0, -10)),
    '/empty-members': encoded('gzip', Buffer.concat(Array<Buffer>(100_000).fill(gzipSync('')))),
    '/endless': (_request, response) => {
      const zeros = new Readable({ read: (size) => void zeros.push(Buffer.alloc(size)) })
      pipeline(zeros, response, () => {})
    },
    '/long': (_request, response) => void response.writeHead(200, { 'content-length': 5_000_000_000 }).write('x'),
    '/exact': (_request, response) => void response.end(Buffer.alloc(1000)),
  })
  const fetcher = fetcherFor(site)
  const get = (path: string, maxBytes = 1000) => fetcher.request({ url: `https://a.test${path}`, maxBytes })

  test('encoded bodies are decoded', async () => {
    for (const path of ['/gzip', '/x-gzip', '/br', '/deflate', '/identity']) {
      assert.deepEqual((await get(path)).body, text, path)
    }
  })

  test('the memory is limited before and after decoding', async () => {
    const before = process.memoryUsage().rss
    for (const path of ['/gzip-bomb', '/br-bomb', '/endless', '/long', '/empty-members']) {
      assert.equal(await errorKindOf(get(path, MEGABYTE)), 'too-large', path)
    }
    assert.ok(process.memoryUsage().rss - before < 100 * MEGABYTE)
    assert.equal((await get('/exact', 1000)).body.length, 1000)
    assert.equal(await errorKindOf(get('/exact', 999)), 'too-large')
    await until(() => site.sockets.size <= 2, 'the connections of bombs to be closed')
  })

  test('several codings, unknown codings and damaged data are errors', async () => {
    for (const path of ['/double', '/many', '/unknown', '/garbage', '/cut']) {
      assert.equal(await errorKindOf(get(path)), 'protocol', path)
    }
  })

  test('the fetcher does not wait for a discarded body', async () => {
    for (const path of ['/gzip-bomb', '/endless', '/long', '/garbage', '/gzip']) {
      const { status, body } = await get(path, 0)
      assert.deepEqual([status, body.length], [200, 0], path)
    }
    await until(() => site.sockets.size <= 2, 'the connections to be closed')
  })

  test('a stream is limited like a body', async () => {
    const { body } = await fetcher.open({ url: 'https://a.test/gzip', maxBytes: 1000 })
    assert.deepEqual(Buffer.concat(await body.toArray()), text)
    const endless = await fetcher.open({ url: 'https://a.test/endless', maxBytes: MEGABYTE })
    assert.equal(await errorKindOf(endless.body.toArray()), 'too-large')
    const left = await fetcher.open({ url: 'https://a.test/endless', maxBytes: MEGABYTE })
    left.body.destroy()
    await until(() => site.sockets.size <= 2, 'the connection to be closed')
  })
})
