import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createIpBlock } from '../../domain/ip-blocks/write-ip-block.ts'
import type { IpBlockSeverity } from '../../domain/ip-blocks/find-ip-block.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { openEventStream, openSocket, openStreamingServer, until } from '../../../test/streaming/streams.ts'

const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
const { origin, streaming, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})
const { token } = await testServer.createUser()

const block = async (ip: string, severity: IpBlockSeverity = 'no_access') =>
  ctx.write((tx) => createIpBlock(tx, { by: null, callerIp: null, ip, severity }))

test('the streams of an address close within a second of its block, and those of other addresses stay open', async () => {
  const openEvents = async (ip: string) =>
    openEventStream(origin, { path: '/api/v1/streaming/user', token, headers: { 'x-forwarded-for': ip } })
  const [socket, ipv6Socket, otherSocket] = await Promise.all(
    ['203.0.113.7', '2001:db8:1::7', '198.51.100.7'].map(async (ip) => openSocket(origin, { token, ip })),
  )
  const [events, otherEvents] = await Promise.all(['::ffff:203.0.113.8', '198.51.100.8'].map(openEvents))
  await block('198.51.100.0/24', 'sign_up_block')
  const start = Date.now()
  await block('203.0.113.0/24')
  assert.deepEqual(await socket!.closed, { code: 1008, reason: 'The IP address was blocked' })
  await events!.ended
  assert.ok(Date.now() - start < 1_000)
  await block('2001:db8::/32')
  assert.equal((await ipv6Socket!.closed).code, 1008)
  await otherSocket!.subscribe('user')
  assert.equal(streaming.count(), 2)
  assert.equal(otherEvents!.response.complete, false)
  otherEvents!.request.destroy()
  otherSocket!.ws.close()
  await until(() => streaming.count() === 0)
})
