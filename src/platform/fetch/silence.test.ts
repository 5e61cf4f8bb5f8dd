import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { failure, fetcherFor, openRaw } from '../../../test/site.ts'
import type { Site } from '../../../test/site.ts'
import type { FetcherOptions } from '../fetch.ts'

suite('FE6 FE15 answers that do not come, or not as HTTP', async () => {
  const once = (text: string) => openRaw((socket) => socket.once('data', () => socket.write(text)))
  const ask = async (site: Site, options: Partial<FetcherOptions> = {}, scheme = 'http') =>
    fetcherFor(site, { connectTimeoutMs: 150, timeoutMs: 300, ...options }).request({
      url: `${scheme}://a.test/`,
      allowHttp: true,
      maxBytes: 1000,
    })

  test('silence ends: while connecting, in TLS, before and within the headers, within the body', async () => {
    const started = performance.now()
    const silent = await openRaw(() => {})
    assert.equal(await failure(ask(silent, {}, 'https')), 'timeout')
    assert.equal(await failure(ask(silent)), 'timeout')
    assert.equal(await failure(ask(await once('HTTP/1.1 200 OK\r\nconte'))), 'timeout')
    assert.equal(await failure(ask(await once('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'))), 'timeout')
    const slowNames = { lookup: async () => new Promise<never>(() => {}), testHosts: new Map() }
    assert.equal(await failure(ask(silent, slowNames)), 'timeout')
    assert.ok(performance.now() - started < 4000)
  })

  test('a trickle does not stretch the time', async () => {
    const site = await openRaw((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'))
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const started = performance.now()
    assert.equal(await failure(ask(site)), 'timeout')
    assert.ok(performance.now() - started < 2000)
  })

  test('the time of all redirects together is that of one request', async () => {
    const site = await openRaw((socket) =>
      socket.on('data', () => {
        setTimeout(() => socket.write('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'), 120)
      }),
    )
    assert.equal(await failure(ask(site)), 'timeout')
  })

  test('who waits in line for a silent host waits no longer than others', async () => {
    const site = await openRaw(() => {})
    const fetcher = fetcherFor(site, { timeoutMs: 300 })
    const started = performance.now()
    const one = () => failure(fetcher.request({ url: 'http://a.test/', allowHttp: true, maxBytes: 10 }))
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, one))), new Set(['timeout']))
    assert.ok(performance.now() - started < 1500)
    assert.ok(site.connections <= 2 * 20)
  })

  test('ten thousand headers, or one without end, are too many', async () => {
    const headers = Array.from({ length: 10_000 }, (_, i) => `x-${i}: y\r\n`).join('')
    assert.equal(await failure(ask(await once(`HTTP/1.1 200 OK\r\n${headers}\r\n`))), 'too-large')
    assert.equal(await failure(ask(await once(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`))), 'too-large')
  })

  test('a length that lies, and what is no HTTP, are failures', async () => {
    const short = await openRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    )
    assert.equal(await failure(ask(short)), 'network')
    const both = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
    assert.equal(await failure(ask(await once(both))), 'protocol')
    assert.equal(await failure(ask(await once('SSH-2.0-OpenSSH_9.2\r\n'))), 'protocol')
    assert.equal(await failure(ask(await openRaw((socket) => socket.resetAndDestroy()))), 'network')
    assert.equal(await failure(ask({ ...(await openRaw(() => {})), port: 1 })), 'network')
  })

  test('a header called like a part of every object is a header', async () => {
    const { headers } = await ask(
      await once('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n'),
    )
    assert.equal(headers['constructor'], 'y')
    assert.equal(Object.getPrototypeOf(headers), null)
  })
})
