import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { Client } from 'undici'
import { openRawServer, openTestSite } from '../../../test/services/test-site.ts'
import { until } from '../../../test/streaming/streams.ts'
import { OriginConnections } from './origin-connections.ts'

const HOSTS = ['a.test', 'b.test', 'c.test']

/** Sends requests over connections to this port. */
function clientOf({ port }: { port: number }) {
  const connections = new OriginConnections((origin) => {
    return new Client(origin, {
      connect: (_destination, callback) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('connect', () => callback(null, socket)).once('error', (err) => callback(err, null))
      },
    })
  })
  after(async () => connections.close())
  const get = async (host: string, path = '/', { signal } = new AbortController()) => {
    const origin = `http://${host}`
    const { statusCode, body } = await connections.send(origin, {
      signal,
      request: async (connection) => connection.request({ method: 'GET', path, signal }),
    })
    return `${statusCode} ${await body.text()}`
  }
  return { connections, get, getAll: async () => Promise.all(HOSTS.map(async (host) => get(host))) }
}

/** A server whose responses to `/slow…` wait until they are released. */
async function openSlowSite() {
  const releases = new Map<string, () => void>()
  const slow = (request: IncomingMessage, response: ServerResponse) =>
    void releases.set(request.url!, () => response.end(`late ${request.url}`))
  const site = await openTestSite(
    {
      '/': (_request, response) => void response.writeHead(200, { connection: 'close' }).end('at once'),
      '/quick': (_request, response) => void response.end('quick'),
      '/slow1': slow,
      '/slow2': slow,
      '/aborted': slow,
    },
    { tls: false },
  )
  return { site, release: (path: string) => releases.get(path)!() }
}

test('an origin is forgotten when its connections are closed, and gets others with the next request', async () => {
  const site = await openTestSite({ '/': (_request, response) => void response.end('hello') }, { tls: false })
  const { connections, getAll } = clientOf(site)
  for (const expected of [3, 6]) {
    assert.deepEqual(await getAll(), Array<string>(3).fill('200 hello'))
    assert.deepEqual([connections.size, site.connections], [3, expected])
    for (const socket of site.sockets) socket.end()
    await until(() => connections.size === 0)
  }
})

test('an origin is forgotten when it cannot be reached', async () => {
  const resetting = await openRawServer((socket) => socket.destroy())
  for (const port of [resetting.port, 1]) {
    const { connections, getAll } = clientOf({ port })
    await assert.rejects(getAll())
    await until(() => connections.size === 0)
  }
})

test('an origin with a request that waits for its response is retained when another connection is closed', async () => {
  const { site, release } = await openSlowSite()
  const { connections, get } = clientOf(site)
  const slow = get('a.test', '/slow1')
  await until(() => site.log.length === 1)
  assert.equal(await get('a.test'), '200 at once')
  await until(() => site.sockets.size === 1)
  assert.equal(connections.size, 1)
  release('/slow1')
  assert.equal(await slow, '200 late /slow1')
})

test('requests beyond two wait in their order for the connection that is free first, and are not sent after an abort', async () => {
  const { site, release } = await openSlowSite()
  const { connections, get } = clientOf(site)
  const paths = () => site.log.map((line) => line.replace('GET a.test', ''))
  const [slow, other] = [get('a.test', '/slow1'), get('a.test', '/slow2')]
  await until(() => site.log.length === 2)
  const controller = new AbortController()
  const aborted = Promise.race([get('a.test', '/aborted', controller), once(controller.signal, 'abort')])
  const quick = Promise.all([get('a.test', '/quick'), get('a.test', '/'), get('a.test', '/quick')])
  controller.abort()
  await aborted
  assert.deepEqual(paths(), ['/slow1', '/slow2'])
  release('/slow2')
  assert.deepEqual(await quick, ['200 quick', '200 at once', '200 quick'])
  assert.deepEqual(paths(), ['/slow1', '/slow2', '/quick', '/', '/quick'])
  assert.deepEqual([connections.size, site.connections], [1, 3])
  release('/slow1')
  assert.deepEqual(await Promise.all([slow, other]), ['200 late /slow1', '200 late /slow2'])
})

test('requests that wait for a connection fail when all are closed', async () => {
  const { site } = await openSlowSite()
  const { connections, get } = clientOf(site)
  const requests = ['/slow1', '/slow2', '/quick'].map(async (path) => get('a.test', path))
  const settled = Promise.allSettled(requests)
  await until(() => site.log.length === 2)
  await connections.close()
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
})
