import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createCa } from '../../../test/services/certificates.ts'
import { errorKindOf, fetcherFor, openRawServer, openTestSite, redirect } from '../../../test/services/test-site.ts'
import { until } from '../../../test/streaming/streams.ts'
import type { OutboundRequest } from './fetcher.ts'

suite('an ordinary request', async () => {
  const site = await openTestSite({
    '/echo': (request, response) => {
      response.setHeader('x-twice', ['1', '2'])
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body: request.body }))
    },
  })
  const fetcher = fetcherFor(site)

  test('returns status, headers, URL and body of the response', async () => {
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
    assert.deepEqual([missing.status, String(missing.body)], [404, 'not found'])
  })

  test('sends a body and reuses connections', async () => {
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

  test('FE10 uses the normalised host name', async () => {
    for (const host of ['BÜCHER.test', 'xn--bcher-kva.test', 'bücher.test.', 'ｂücher.test', 'bu\u0308cher.TEST']) {
      const { url } = await fetcher.request({ url: `https://${host}/`, maxBytes: 100 })
      assert.equal(url, 'https://xn--bcher-kva.test/')
    }
  })

  test('rejects a certificate of another name or of an unknown authority', async () => {
    assert.equal(await errorKindOf(fetcher.request({ url: 'https://other.test/', maxBytes: 100 })), 'tls')
    const otherAuthority = fetcherFor(site, { extraCa: createCa().pem })
    assert.equal(await errorKindOf(otherAuthority.request({ url: 'https://a.test/', maxBytes: 100 })), 'tls')
  })

  test('uses http only with allowHttp', async () => {
    const plain = await openTestSite({ '/': (_request, response) => void response.end('plain') }, { tls: false })
    const other = fetcherFor(plain)
    assert.equal(await errorKindOf(other.request({ url: 'http://a.test/', maxBytes: 100 })), 'scheme')
    const { body } = await other.request({ url: 'http://a.test/', maxBytes: 100, allowHttp: true })
    assert.equal(String(body), 'plain')
    assert.equal(await errorKindOf(other.request({ url: 'https://a.test/', maxBytes: 100 })), 'tls')
  })
})

suite('FE2', () => {
  test('each connection resolves the name once, and a changed address is not followed', async () => {
    const site = await openTestSite({
      '/': (_request, response) => void response.setHeader('connection', 'close').end(),
    })
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1']
    let lookups = 0
    const fetcher = fetcherFor(site, {
      testHosts: new Map(),
      ports: [site.port],
      allowedPrivate: ['127.0.0.1'],
      lookup: async () => [{ address: answers[lookups++]!, family: 4 }],
    })
    const send = async () => fetcher.request({ url: `https://a.test:${site.port}/`, maxBytes: 100 })
    assert.equal((await send()).status, 200)
    await until(() => site.sockets.size === 0)
    assert.equal(await errorKindOf(send()), 'address')
    assert.equal((await send()).status, 200)
    assert.deepEqual({ lookups, connections: site.connections }, { lookups: 3, connections: 2 })
  })
})

suite('redirects', async () => {
  const site = await openTestSite({
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
    assert.equal(await errorKindOf(get('/0')), 'redirects')
    assert.equal(await errorKindOf(get('/loop')), 'redirects')
  })

  test('FE3 each hop is checked like the first one', async () => {
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
    for (const [path, reason] of Object.entries(table)) assert.equal(await errorKindOf(get(path)), reason, path)
    assert.deepEqual(
      site.log,
      Object.keys(table).map((path) => `GET a.test${path}`),
    )
  })

  test('other responses are returned', async () => {
    for (const path of ['/nowhere', '/not-modified', '/choices'])
      assert.equal((await get(path)).url, `https://a.test${path}`)
    const { status, headers } = await fetcher.request({ url: 'https://a.test/1', maxBytes: 100, redirects: 'none' })
    assert.deepEqual([status, headers['location']], [302, '/2'])
  })

  test('FE3 each hop is signed; credentials are not sent to another origin', async () => {
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

  test('FE15 a POST does not follow redirects', async () => {
    site.log.length = 0
    for (const path of ['/1', '/2', '/3']) {
      const answer = await fetcher.request({ method: 'POST', url: `https://a.test${path}`, body: 'x', maxBytes: 0 })
      assert.ok(answer.status >= 301 && answer.status <= 307)
    }
    assert.deepEqual(site.log, ['POST a.test/1', 'POST a.test/2', 'POST a.test/3'])
  })
})

suite('connections', () => {
  test('F12 a host gets at most two connections', async () => {
    let most = 0
    let now = 0
    const site = await openTestSite({
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

  test('are aborted when the fetcher is closed', async () => {
    const site = await openRawServer(() => {})
    const fetcher = fetcherFor(site)
    const waiting = errorKindOf(fetcher.request({ url: 'http://a.test/', allowHttp: true, maxBytes: 10 }))
    await until(() => site.sockets.size > 0)
    await fetcher.close()
    assert.equal(await waiting, 'network')
    await until(() => site.sockets.size === 0)
  })
})
