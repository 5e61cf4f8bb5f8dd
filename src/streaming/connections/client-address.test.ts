import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { expectSocketRejected, openEventStream, openSocket, until } from '../../../test/streaming/streams.ts'

test('BI11 requests, event streams and WebSockets have the same client address, whatever an untrusted peer claims', async () => {
  const testServer = await openTestServer({ effects: false, env: { TRUSTED_PROXY_IP: '10.0.0.0/8' } })
  after(testServer.close)
  const origin = await testServer.listen()
  const { token } = await testServer.createUser()
  const block = async (ip: string) => {
    await testServer.ctx.db
      .insertInto('ip_blocks')
      .values({ ip, severity: 'no_access', comment: '', created_at: new Date() })
      .execute()
  }
  const forged = { 'x-forwarded-for': '198.51.100.1' }
  const openEvents = async () => openEventStream(origin, { path: '/api/v1/streaming/user', token, headers: forged })
  await block('198.51.100.1/32')
  await block('10.0.0.0/8')
  // A process that has not checked for a second may still use the blocks before.
  await until(
    async () => (await testServer.server.inject({ url: '/about', remoteAddress: '10.1.2.3' })).statusCode === 403,
  )
  const events = await openEvents()
  assert.equal(events.status, 200)
  events.request.destroy()
  const socket = await openSocket(origin, { token, ip: forged['x-forwarded-for'] })
  socket.ws.close()

  await block('127.0.0.1/32')
  await until(
    async () => (await testServer.server.inject({ url: '/about', remoteAddress: '127.0.0.1' })).statusCode === 403,
  )
  assert.equal((await openEvents()).status, 403)
  assert.equal((await expectSocketRejected(origin, { token, ip: forged['x-forwarded-for'] })).status, 403)
})
