import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { errorKindOf, fetcherFor, openRawServer } from '../../../test/services/test-site.ts'
import type { TestSite } from '../../../test/services/test-site.ts'
import type { FetcherOptions } from './fetcher.ts'

suite('FE6 FE15 missing and invalid responses', async () => {
  const once = (text: string) => openRawServer((socket) => socket.once('data', () => socket.write(text)))
  const request = async (site: TestSite, options: Partial<FetcherOptions> = {}, scheme = 'http') =>
    fetcherFor(site, { connectTimeoutMs: 150, timeoutMs: 300, ...options }).request({
      url: `${scheme}://a.test/`,
      allowHttp: true,
      maxBytes: 1000,
    })

  test('an unresponsive host times out: connecting, in TLS, before and in the headers, in the body', async () => {
    const started = performance.now()
    const silent = await openRawServer(() => {})
    assert.equal(await errorKindOf(request(silent, {}, 'https')), 'timeout')
    assert.equal(await errorKindOf(request(silent)), 'timeout')
    assert.equal(await errorKindOf(request(await once('HTTP/1.1 200 OK\r\nconte'))), 'timeout')
    assert.equal(await errorKindOf(request(await once('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'))), 'timeout')
    const slowNames = { lookup: async () => new Promise<never>(() => {}), testHosts: new Map() }
    assert.equal(await errorKindOf(request(silent, slowNames)), 'timeout')
    assert.ok(performance.now() - started < 4000)
  })

  test('a slow body does not extend the time limit', async () => {
    const site = await openRawServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'))
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const started = performance.now()
    assert.equal(await errorKindOf(request(site)), 'timeout')
    assert.ok(performance.now() - started < 2000)
  })

  test('all redirects together have the time limit of one request', async () => {
    const site = await openRawServer((socket) =>
      socket.on('data', () => {
        setTimeout(() => socket.write('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'), 120)
      }),
    )
    assert.equal(await errorKindOf(request(site)), 'timeout')
  })

  test('requests that wait for a connection to an unresponsive host have the same time limit', async () => {
    const site = await openRawServer(() => {})
    const fetcher = fetcherFor(site, { timeoutMs: 300 })
    const started = performance.now()
    const requestKind = () => errorKindOf(fetcher.request({ url: 'http://a.test/', allowHttp: true, maxBytes: 10 }))
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, requestKind))), new Set(['timeout']))
    assert.ok(performance.now() - started < 1500)
    assert.ok(site.connections <= 2 * 20)
  })

  test('ten thousand headers or an endless header exceed the limit', async () => {
    const headers = Array.from({ length: 10_000 }, (_, i) => `x-${i}: y\r\n`).join('')
    assert.equal(await errorKindOf(request(await once(`HTTP/1.1 200 OK\r\n${headers}\r\n`))), 'too-large')
    assert.equal(await errorKindOf(request(await once(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`))), 'too-large')
  })

  test('a wrong content length and invalid HTTP are errors', async () => {
    const short = await openRawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    )
    assert.equal(await errorKindOf(request(short)), 'network')
    const both = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
    assert.equal(await errorKindOf(request(await once(both))), 'protocol')
    assert.equal(await errorKindOf(request(await once('SSH-2.0-OpenSSH_9.2\r\n'))), 'protocol')
    assert.equal(await errorKindOf(request(await openRawServer((socket) => socket.resetAndDestroy()))), 'network')
    assert.equal(await errorKindOf(request({ ...(await openRawServer(() => {})), port: 1 })), 'network')
  })

  test('a header with the name of an object property is an ordinary header', async () => {
    const { headers } = await request(
      await once('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n'),
    )
    assert.equal(headers['constructor'], 'y')
    assert.equal(Object.getPrototypeOf(headers), null)
  })
})
