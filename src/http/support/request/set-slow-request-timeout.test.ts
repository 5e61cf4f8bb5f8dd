import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { open } from '../auth/route-policy.ts'
import { sendClientError } from '../response/send-client-error.ts'
import { setSlowRequestTimeout } from './set-slow-request-timeout.ts'

const GRACE_MS = 120
const MAX_MS = 1_500
/** Much longer than the upload in the test takes, also on a busy machine. */
const MAX_ARCHIVE_MS = 20_000

const app = Fastify({ clientErrorHandler: sendClientError })
setSlowRequestTimeout(app, { graceMs: GRACE_MS, minBytesPerSecond: 2_000, maxMs: MAX_MS, maxArchiveMs: MAX_ARCHIVE_MS })
app.post('/', async ({ body }) => ({ length: (body as string).length }))
app.post('/archive', { config: { access: open({ files: 'archive' }) } }, async ({ body }) => ({
  length: (body as string).length,
}))
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
after(() => app.close())

async function beginRequest(contentLength: number, path = '/'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${contentLength}\r\n\r\n`,
  )
  return socket
}

/** Sends `bytes` every 10 ms, up to `times` times or until the server closes the connection. */
function drip(socket: Socket, { bytes, times }: { bytes: number; times: number }): void {
  let remaining = times
  const timer = setInterval(() => {
    if ((remaining -= 1) < 0 || socket.destroyed) clearInterval(timer)
    else socket.write('x'.repeat(bytes))
  }, 10)
}

test('BI11 a body that arrives too slowly, or not at all, gets 408 after the grace time', async () => {
  for (const bytes of [1, 0]) {
    const start = performance.now()
    const socket = await beginRequest(10_000)
    drip(socket, { bytes, times: 1_000 })
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 408 [^]*"error":"Request Timeout"/)
    assert.ok(performance.now() - start >= GRACE_MS)
  }
})

test('a body that takes longer than the grace time, but is fast enough, is accepted', async () => {
  const socket = await beginRequest(100 * 60)
  const start = performance.now()
  drip(socket, { bytes: 100, times: 60 })
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200 [^]*"length":6000/)
  assert.ok(performance.now() - start > 2 * GRACE_MS)
  socket.destroy()
})

test('BI11 a body that takes too long gets 408 at any rate; archives have more time', async () => {
  const [start, body] = [performance.now(), 'x'.repeat(100)]
  const [plain, archive] = [await beginRequest(1_000_000), await beginRequest(18_000, '/archive')]
  drip(plain, { bytes: body.length, times: 1_000 })
  drip(archive, { bytes: body.length, times: 180 })
  const accepted = once(archive, 'data') as Promise<[Buffer]>
  assert.match(await text(plain), /^HTTP\/1\.1 408 /)
  assert.ok(performance.now() - start >= MAX_MS)
  assert.match((await accepted)[0].toString(), /^HTTP\/1\.1 200 [^]*"length":18000/)
  archive.destroy()
})

test('BI11 headers must be complete within a minute', () => {
  assert.equal(app.server.headersTimeout, 60_000)
  assert.equal(app.server.requestTimeout, MAX_ARCHIVE_MS)
})
