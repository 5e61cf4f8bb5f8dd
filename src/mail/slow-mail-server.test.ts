import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../test/servers/linnet-process.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'

const WORKER_SLOTS = 8

const sockets: Socket[] = []
const silent = createServer((socket) => sockets.push(socket.on('error', () => {})))
silent.listen(0, '127.0.0.1')
await once(silent, 'listening')
const testServer = await openTestServer({
  env: {
    SMTP_SERVER: '127.0.0.1',
    SMTP_PORT: String((silent.address() as AddressInfo).port),
    SMTP_ENABLE_STARTTLS: 'never',
    NETWORK_CONCURRENCY: String(WORKER_SLOTS),
  },
})
const { ctx } = testServer
after(async () => {
  silent.close()
  for (const socket of sockets) socket.destroy()
  await testServer.close()
})

test('F11: mails to a mail server that does not respond leave worker slots for deliveries', async () => {
  await ctx.write(async (tx) => {
    for (const n of Array.from({ length: WORKER_SLOTS * 3 }).keys())
      await enqueueMail(tx, { key: `mail ${n}`, recipient: 'ada@mail.test', subject: 's', text: 't', html: 'h' })
  })
  await eventually(async () => assert.ok(sockets.length > 0))
  const startedAt = performance.now()
  await ctx.write(async (tx) => tx.emit('deliveries.due', { domain: 'remote.test' }))
  await eventually(async () => {
    const { rows } = await sql`select from jobs where name = 'deliverToHost'`.execute(ctx.db)
    assert.equal(rows.length, 0)
  })
  const waitedMs = performance.now() - startedAt
  assert.ok(waitedMs < 5_000, `${waitedMs} ms`)
  const { rows } = await sql`select from mails where sent_at is null`.execute(ctx.db)
  assert.equal(rows.length, WORKER_SLOTS * 3)
})
