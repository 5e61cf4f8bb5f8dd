import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../../test/servers/linnet-process.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'

/** RFC 5321, section 4.5.3.2.6. */
const TEN_MINUTES_MS = 600_000
const HALF_MINUTE_MS = 30_000

/** Accepts the mail that the mail server has received. */
let accept: (() => void) | undefined
let received = 0

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _, done) {
    stream.resume().on('end', () => {
      received += 1
      accept = () => done()
    })
  },
})
await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
const { port } = smtp.server.address() as AddressInfo

/** The time limits of connections to the mail server, in milliseconds. */
const timeouts: number[] = []
const collect = (message: unknown): void => {
  const { socket } = message as { socket: Socket }
  const setTimeout = socket.setTimeout.bind(socket)
  socket.setTimeout = (ms, callback) => {
    if (socket.remotePort === port && ms > 0) timeouts.push(ms)
    return setTimeout(ms, callback)
  }
}
subscribe('net.client.socket', collect)
const testServer = await openTestServer({
  env: { SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(port), SMTP_ENABLE_STARTTLS: 'never' },
})
after(async () => {
  unsubscribe('net.client.socket', collect)
  await testServer.close()
  await new Promise<void>((resolve) => {
    smtp.close(resolve)
  })
})
const { ctx } = testServer

test('F11: a mail that the mail server takes minutes to accept is sent once', async () => {
  await ctx.write((tx) =>
    enqueueMail(tx, { key: 'checked', recipient: 'ada@mail.test', subject: 's', text: 't', html: 'h' }),
  )
  await eventually(async () => assert.ok(accept))
  assert.deepEqual(timeouts, [TEN_MINUTES_MS])
  accept!()
  await testServer.waitForJobs()
  assert.equal(received, 1)
})

test('a check of the mail server, for which a user waits, takes at most half a minute for each reply', async () => {
  timeouts.length = 0
  await ctx.smtp!.verify()
  assert.deepEqual(timeouts, [HALF_MINUTE_MS])
})
