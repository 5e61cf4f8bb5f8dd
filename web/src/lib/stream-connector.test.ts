import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StreamConnector } from './stream-connector.ts'

/** A connector whose server is reached or not, with the sockets that it has opened. */
function createConnector(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const server = { isUp: true }
  const sockets: (EventTarget & { close: () => void })[] = []
  const network = new EventTarget()
  const open = () => {
    const socket = Object.assign(new EventTarget(), { close: () => void socket.dispatchEvent(new Event('close')) })
    sockets.push(socket)
    setTimeout(() => socket.dispatchEvent(new Event(server.isUp ? 'open' : 'close')), 1)
    return socket as unknown as WebSocket
  }
  const connector = new StreamConnector(open, network)
  t.after(() => connector.kill())
  /** Timers that a timer starts run, too. */
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) t.mock.timers.tick(1_000)
  }
  return { connector, server, sockets, network, pass }
}

test('after a long time without the server, the stream is there again within half a minute', async (t) => {
  const { connector, server, sockets, pass } = createConnector(t)
  pass(2)
  assert.equal(await connector.acquire(), sockets[0])
  server.isUp = false
  sockets[0]!.close()
  pass(3_600)
  const attempts = sockets.length
  server.isUp = true
  const acquired = connector.acquire()
  pass(32)
  assert.equal(sockets.length, attempts + 1)
  assert.equal(await acquired, sockets.at(-1))
})

test('a device that is online again connects at once, and a connection that is open stays', async (t) => {
  const { connector, server, sockets, network, pass } = createConnector(t)
  server.isUp = false
  pass(120)
  const attempts = sockets.length
  server.isUp = true
  network.dispatchEvent(new Event('online'))
  network.dispatchEvent(new Event('online'))
  pass(1)
  network.dispatchEvent(new Event('online'))
  pass(60)
  assert.equal(sockets.length, attempts + 1)
  assert.equal(await connector.acquire(), sockets.at(-1))
})

test('a closed connector opens no connection any more', async (t) => {
  const { connector, sockets, network, pass } = createConnector(t)
  pass(2)
  const [socket] = sockets
  connector.kill()
  network.dispatchEvent(new Event('online'))
  pass(120)
  assert.deepEqual(sockets, [socket])
  assert.equal(await connector.acquire(), null)
})
