import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { Pool } from 'undici'
import { openRawServer, openTestSite } from '../../../test/services/test-site.ts'
import { until } from '../../../test/streaming/streams.ts'
import { OriginPools } from './origin-pools.ts'

const HOSTS = ['a.test', 'b.test', 'c.test']

/** Sends requests through pools of connections to this port. */
function clientOf({ port }: { port: number }) {
  const pools = new OriginPools<Pool>()
  after(async () => pools.close())
  const open = (origin: string) =>
    new Pool(origin, {
      connect: (_destination, callback) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('connect', () => callback(null, socket)).once('error', (err) => callback(err, null))
      },
    })
  const get = async (host: string, path = '/') => {
    const origin = `http://${host}`
    const { statusCode, body } = await pools.find(origin, () => open(origin)).request({ method: 'GET', path })
    return `${statusCode} ${await body.text()}`
  }
  return { pools, get, getAll: async () => Promise.all(HOSTS.map(async (host) => get(host))) }
}

test('an origin is forgotten when its connections are closed, and gets others with the next request', async () => {
  const site = await openTestSite({ '/': (_request, response) => void response.end('hello') }, { tls: false })
  const { pools, getAll } = clientOf(site)
  for (const expected of [3, 6]) {
    assert.deepEqual(await getAll(), Array<string>(3).fill('200 hello'))
    assert.deepEqual([pools.size, site.connections], [3, expected])
    for (const socket of site.sockets) socket.end()
    await until(() => pools.size === 0)
  }
})

test('an origin is forgotten when it cannot be reached', async () => {
  const resetting = await openRawServer((socket) => socket.destroy())
  for (const port of [resetting.port, 1]) {
    const { pools, getAll } = clientOf({ port })
    await assert.rejects(getAll())
    await until(() => pools.size === 0)
  }
})

test('an origin with a request that waits for its response is retained when another connection is closed', async () => {
  let respond = () => {}
  const site = await openTestSite(
    {
      '/': (_request, response) => void response.writeHead(200, { connection: 'close' }).end('at once'),
      '/slow': (_request, response) => void (respond = () => response.end('late')),
    },
    { tls: false },
  )
  const { pools, get } = clientOf(site)
  const slow = get('a.test', '/slow')
  await until(() => site.log.length === 1)
  assert.equal(await get('a.test'), '200 at once')
  await until(() => site.sockets.size === 1)
  assert.equal(pools.size, 1)
  respond()
  assert.equal(await slow, '200 late')
})
