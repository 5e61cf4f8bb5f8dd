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

const sockets: Socket[] = []
const collect = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
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
  const timeouts = sockets.filter(({ remotePort }) => remotePort === port).map(({ timeout }) => timeout)
  assert.deepEqual(timeouts, [TEN_MINUTES_MS])
  accept!()
  await testServer.waitForJobs()
  assert.equal(received, 1)
})
