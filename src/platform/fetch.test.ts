import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { after, suite, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { createCa } from '../../test/certificates.ts'
import { until } from '../../test/streams.ts'
import { FetchFailed, FetchRefused } from './fetch/refusals.ts'
import { createFetcher } from './fetch.ts'
import type { Fetcher, FetcherOptions, OutboundRequest } from './fetch.ts'

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void

const ca = createCa()
const certificate = ca.issue(['a.test', 'b.test', 'xn--bcher-kva.test', '127.0.0.1'])

interface Site {
  port: number
  /** `METHOD host/path` of all that came. */
  log: string[]
  sockets: Set<Socket>
  connections: number
}

async function listen(server: Server): Promise<Site> {
  const site: Site = { port: 0, log: [], sockets: new Set(), connections: 0 }
  server.on('connection', (socket: Socket) => {
    site.connections += 1
    site.sockets.add(socket.on('close', () => site.sockets.delete(socket)).on('error', () => {}))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  site.port = (server.address() as AddressInfo).port
  after(() => {
    server.close()
    for (const socket of site.sockets) socket.destroy()
  })
  return site
}

/** A site of the names a.test and b.test, answering by path. */
async function openSite(pages: Record<string, Handler>, { tls = true } = {}): Promise<Site> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = request.url!.split('?')
    site.log.push(`${request.method} ${request.headers.host}${request.url}`)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => (pages[path] ?? notFound)(Object.assign(request, { body }), response))
  }
  const notFound: Handler = (_request, response) => void response.writeHead(404).end('nothing here')
  const site: Site = await listen(tls ? createServer(certificate, answer) : createHttpServer(answer))
  return site
}

function fetcherFor(site: Pick<Site, 'port'>, options: Partial<FetcherOptions> = {}): Fetcher {
  const here = { ip: '127.0.0.1', port: site.port }
  const fetcher = createFetcher({
    userAgent: 'Linnet test',
    allowedPrivate: ['127.0.0.0/8'],
    testHosts: new Map(['a.test', 'b.test', 'xn--bcher-kva.test', 'other.test'].map((name) => [name, here])),
    extraCa: ca.pem,
    ...options,
  })
  after(() => fetcher.close())
  return fetcher
}

const redirect =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end('elsewhere')

async function failure(work: Promise<unknown>): Promise<string> {
  const err: unknown = await work.then(
    () => assert.fail('it should not have been answered'),
    (err: unknown) => err,
  )
  if (err instanceof FetchFailed) return err.kind
  if (err instanceof FetchRefused) return err.reason
  throw err
}

suite('an ordinary exchange', async () => {
  const site = await openSite({
    '/echo': (request, response) => {
      response.setHeader('x-twice', ['1', '2'])
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body: request.body }))
    },
  })
  const fetcher = fetcherFor(site)

  test('the answer comes with its status, headers, address and bytes', async () => {
    const answer = await fetcher.request({ url: 'https://A.test./echo?x=1#y', accept: 'a/b', maxBytes: 5000 })
    assert.equal(answer.status, 200)
    assert.equal(answer.url, 'https://a.test/echo?x=1')
    assert.equal(answer.headers['x-twice'], '1, 2')
    const { method, headers } = JSON.parse(String(answer.body)) as { method: string; headers: Record<string, string> }
    assert.equal(method, 'GET')
    assert.equal(headers['host'], 'a.test')
    assert.equal(headers['user-agent'], 'Linnet test')
    assert.equal(headers['accept'], 'a/b')
    const missing = await fetcher.request({ url: 'https://a.test/none', maxBytes: 5000 })
    assert.deepEqual([missing.status, String(missing.body)], [404, 'nothing here'])
  })

  test('a body is sent, and connections are kept', async () => {
    const before = site.connections
    for (let i = 0; i < 5; i += 1) {
      const { body } = await fetcher.request({
        method: 'POST',
        url: 'https://b.test/echo',
        body: `${i}`,
        maxBytes: 5000,
      })
      assert.equal((JSON.parse(String(body)) as { body: string }).body, `${i}`)
    }
    assert.ok(site.connections - before <= 2)
  })

  test('FE10 a name has one spelling, whatever was written', async () => {
    for (const host of ['BÜCHER.test', 'xn--bcher-kva.test', 'bücher.test.', 'ｂücher.test', 'bu\u0308cher.TEST']) {
      const { url } = await fetcher.request({ url: `https://${host}/`, maxBytes: 100 })
      assert.equal(url, 'https://xn--bcher-kva.test/')
    }
  })

  test('a certificate of another name, or of nobody we know, is refused', async () => {
    assert.equal(await failure(fetcher.request({ url: 'https://other.test/', maxBytes: 100 })), 'tls')
    const stranger = fetcherFor(site, { extraCa: createCa().pem })
    assert.equal(await failure(stranger.request({ url: 'https://a.test/', maxBytes: 100 })), 'tls')
  })

  test('plain http is for those who ask for it', async () => {
    const plain = await openSite({ '/': (_request, response) => void response.end('plain') }, { tls: false })
    const other = fetcherFor(plain)
    assert.equal(await failure(other.request({ url: 'http://a.test/', maxBytes: 100 })), 'scheme')
    const { body } = await other.request({ url: 'http://a.test/', maxBytes: 100, allowHttp: true })
    assert.equal(String(body), 'plain')
    assert.equal(await failure(other.request({ url: 'https://a.test/', maxBytes: 100 })), 'tls')
  })
})

suite('FE2', () => {
  test('each connection asks the resolver once, and a name that changed sides is not followed', async () => {
    const site = await openSite({ '/': (_request, response) => void response.setHeader('connection', 'close').end() })
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1']
    let asked = 0
    const fetcher = fetcherFor(site, {
      testHosts: new Map(),
      ports: [site.port],
      allowedPrivate: ['127.0.0.1'],
      lookup: async () => [{ address: answers[asked++]!, family: 4 }],
    })
    const ask = async () => fetcher.request({ url: `https://a.test:${site.port}/`, maxBytes: 100 })
    assert.equal((await ask()).status, 200)
    await until(() => site.sockets.size === 0)
    assert.equal(await failure(ask()), 'address')
    assert.equal((await ask()).status, 200)
    assert.deepEqual({ asked, connections: site.connections }, { asked: 3, connections: 2 })
  })
})

suite('redirects', async () => {
  const site = await openSite({
    '/1': redirect('/2'),
    '/2': redirect('https://b.test/3', 301),
    '/3': redirect('//a.test/end', 307),
    '/end': (request, response) =>
      void response.end(`${request.headers.authorization} ${String(request.headers['x-signed'])}`),
    '/0': redirect('/1', 308),
    '/loop': redirect('/loop'),
    '/http': redirect('http://b.test/end'),
    '/file': redirect('file:///etc/passwd'),
    '/private': redirect('https://10.0.0.1/'),
    '/metadata': redirect('https://169.254.169.254/latest'),
    '/port': redirect('https://a.test:22/'),
    '/user': redirect('https://a@b.test/end'),
    '/backslash': redirect('https://a.test\\@b.test/end'),
    '/broken': redirect('https://[/'),
    '/nowhere': (_request, response) => void response.writeHead(302).end('no location'),
    '/not-modified': redirect('/end', 304),
    '/choices': redirect('/end', 300),
  })
  const fetcher = fetcherFor(site)
  const get = (path: string) => fetcher.request({ url: `https://a.test${path}`, maxBytes: 100 })

  test('FE3 three hops are followed, four are not', async () => {
    assert.equal((await get('/1')).url, 'https://a.test/end')
    assert.equal(await failure(get('/0')), 'redirects')
    assert.equal(await failure(get('/loop')), 'redirects')
  })

  test('FE3 every hop is judged as the first one', async () => {
    const table = {
      '/http': 'scheme',
      '/file': 'scheme',
      '/private': 'address',
      '/metadata': 'address',
      '/port': 'port',
      '/user': 'credentials',
      '/backslash': 'url',
      '/broken': 'url',
    }
    site.log.length = 0
    for (const [path, reason] of Object.entries(table)) assert.equal(await failure(get(path)), reason, path)
    assert.deepEqual(
      site.log,
      Object.keys(table).map((path) => `GET a.test${path}`),
    )
  })

  test('what is no redirect is an answer', async () => {
    for (const path of ['/nowhere', '/not-modified', '/choices'])
      assert.equal((await get(path)).url, `https://a.test${path}`)
    const { status, headers } = await fetcher.request({ url: 'https://a.test/1', maxBytes: 100, redirects: 'none' })
    assert.deepEqual([status, headers['location']], [302, '/2'])
  })

  test('FE3 each hop is signed anew; a password stays with the server that it is for', async () => {
    const signed: OutboundRequest[] = []
    const { body } = await fetcher.request({
      url: 'https://a.test/1',
      headers: { Authorization: 'secret' },
      maxBytes: 100,
      sign: async (request) => {
        signed.push(request)
        return { 'x-signed': request.url }
      },
    })
    assert.equal(String(body), 'secret https://a.test/end')
    const urls = ['https://a.test/1', 'https://a.test/2', 'https://b.test/3', 'https://a.test/end']
    assert.deepEqual(
      signed.map(({ url }) => url),
      urls,
    )
    assert.deepEqual(
      signed.map(({ headers }) => headers['authorization']),
      ['secret', 'secret', undefined, 'secret'],
    )
    assert.deepEqual(
      signed.map(({ headers }) => headers['host']),
      ['a.test', 'a.test', 'b.test', 'a.test'],
    )
  })

  test('FE15 what is posted is never posted elsewhere', async () => {
    site.log.length = 0
    for (const path of ['/1', '/2', '/3']) {
      const answer = await fetcher.request({ method: 'POST', url: `https://a.test${path}`, body: 'x', maxBytes: 0 })
      assert.ok(answer.status >= 301 && answer.status <= 307)
    }
    assert.deepEqual(site.log, ['POST a.test/1', 'POST a.test/2', 'POST a.test/3'])
  })
})

const MEGABYTE = 1024 * 1024
const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE))
const encoded =
  (encoding: string, body: Buffer): Handler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-encoding': encoding }).end(body)

suite('FE5 bytes', async () => {
  const text = Buffer.from('hello '.repeat(100))
  const site = await openSite({
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

  test('no more than asked for is ever held, before or after decoding', async () => {
    const before = process.memoryUsage().rss
    for (const path of ['/gzip-bomb', '/br-bomb', '/endless', '/long', '/empty-members']) {
      assert.equal(await failure(get(path, MEGABYTE)), 'too-large', path)
    }
    assert.ok(process.memoryUsage().rss - before < 100 * MEGABYTE)
    assert.equal((await get('/exact', 1000)).body.length, 1000)
    assert.equal(await failure(get('/exact', 999)), 'too-large')
    await until(() => site.sockets.size <= 2, 'the connections of bombs to be closed')
  })

  test('layers of coding, unknown ones and broken ones are no answer', async () => {
    for (const path of ['/double', '/many', '/unknown', '/garbage', '/cut']) {
      assert.equal(await failure(get(path)), 'protocol', path)
    }
  })

  test('a body that nobody wants is not waited for', async () => {
    for (const path of ['/gzip-bomb', '/endless', '/long', '/garbage', '/gzip']) {
      const { status, body } = await get(path, 0)
      assert.deepEqual([status, body.length], [200, 0], path)
    }
    await until(() => site.sockets.size <= 2, 'the connections to be given up')
  })

  test('a stream is capped like a body', async () => {
    const { body } = await fetcher.open({ url: 'https://a.test/gzip', maxBytes: 1000 })
    assert.deepEqual(Buffer.concat(await body.toArray()), text)
    const endless = await fetcher.open({ url: 'https://a.test/endless', maxBytes: MEGABYTE })
    assert.equal(await failure(endless.body.toArray()), 'too-large')
    const left = await fetcher.open({ url: 'https://a.test/endless', maxBytes: MEGABYTE })
    left.body.destroy()
    await until(() => site.sockets.size <= 2, 'the connection to be given up')
  })
})

/** A server that speaks as it likes. */
const openRaw = async (speak: (socket: Socket) => void): Promise<Site> =>
  listen(createTcpServer((socket) => speak(socket.resume())))

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

suite('sockets', () => {
  test('F12 one host gets two connections, however much there is to say to it', async () => {
    let most = 0
    let now = 0
    const site = await openSite({
      '/': (_request, response) => {
        most = Math.max(most, (now += 1))
        setImmediate(() => {
          now -= 1
          response.end()
        })
      },
    })
    const fetcher = fetcherFor(site)
    await Promise.all(Array.from({ length: 50 }, async () => fetcher.request({ url: 'https://a.test/', maxBytes: 10 })))
    assert.ok(most <= 2)
    assert.equal(site.connections, 2)
  })

  test('when the program ends, what is under way is broken off', async () => {
    const site = await openRaw(() => {})
    const fetcher = fetcherFor(site)
    const waiting = failure(fetcher.request({ url: 'http://a.test/', allowHttp: true, maxBytes: 10 }))
    await until(() => site.sockets.size > 0)
    await fetcher.close()
    assert.equal(await waiting, 'network')
    await until(() => site.sockets.size === 0)
  })
})
