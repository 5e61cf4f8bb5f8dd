import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, test } from 'node:test'
import { eventually } from '../../test/servers/linnet-process.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { stopListening } from './prepare-shutdown.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

test('requests on connections from before the stop are answered, and new connections refused', async () => {
  const { server } = testServer
  const { port } = new URL(await testServer.listen())
  const open = async () => {
    const accepted = once(server.server, 'connection')
    const client = connect(Number(port), '127.0.0.1')
    const [peer] = (await accepted) as [Socket]
    return { client, peer }
  }
  const [{ client: early }, { client: late, peer }] = [await open(), await open()]
  const request = 'GET /api/v1/instance/rules HTTP/1.1\r\nHost: localhost\r\n\r\n'

  await stopListening(server, {
    async requestsArrived() {
      early.write(request)
      // Resolves at the end of the connection, which the response has closed.
      assert.match(await text(early), /^HTTP\/1\.1 200 OK\r\n[^]*\r\nconnection: close\r\n/i)
    },
  })
  const refused = connect(Number(port), '127.0.0.1')
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException]
  assert.equal(error.code, 'ECONNREFUSED')

  late.write(request.slice(0, -2))
  await eventually(async () => assert.ok(peer.bytesRead > 0))
  const closing = server.close()
  late.write('\r\n')
  assert.match(await text(late), /^HTTP\/1\.1 200 OK\r\n/)
  await closing
})

test('requests are answered whose connections the server has not yet accepted when the stop begins', async () => {
  const other = await openTestServer({ effects: false })
  after(other.close)
  const { port } = new URL(await other.listen())
  const client = connect(Number(port), '127.0.0.1')
  client.write('GET /api/v1/instance/rules HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // Node connects in the next tick, so that the connection waits in the kernel's queue.
  await new Promise((resolve) => process.nextTick(resolve))
  await stopListening(other.server)
  assert.match(await text(client), /^HTTP\/1\.1 200 OK\r\n/)
})

test('requests are answered that arrive while the stopping server is busy', async () => {
  const { server, ...other } = await openTestServer({ effects: false })
  after(other.close)
  const accepted = once(server.server, 'connection')
  const client = connect(Number(new URL(await other.listen()).port), '127.0.0.1')
  await accepted
  const closed = stopListening(server).then(() => server.close())
  while (server.server.listening) await nextTurn()
  client.write('GET /api/v1/instance/rules HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const start = performance.now()
  while (performance.now() - start < 200);
  assert.match(await text(client), /^HTTP\/1\.1 200 OK\r\n/)
  await closed
})

test('no request is lost of clients that open a connection for the next one after each response', async () => {
  const { server, ...other } = await openTestServer({ effects: false })
  after(other.close)
  const port = Number(new URL(await other.listen()).port)
  let answered = 0
  const repeat = async () => {
    for (;;) {
      const client = connect(port, '127.0.0.1')
      client.write('GET /api/v1/instance/rules HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const [event] = await Promise.race([once(client, 'data'), once(client, 'error')]).catch((err) => [err])
      client.destroy()
      if (event instanceof Error) return (event as NodeJS.ErrnoException).code
      answered += 1
    }
  }
  const errors = Promise.all(Array.from({ length: 20 }, repeat))
  await eventually(async () => assert.ok(answered > 20))
  await stopListening(server)
  assert.deepEqual([...new Set(await errors)], ['ECONNREFUSED'])
})
