import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createIpBlock } from '../../domain/ip-blocks/write-ip-block.ts'
import type { IpBlockSeverity } from '../../domain/ip-blocks/find-ip-block.ts'
import type { Db } from '../../platform/db/connection.ts'
import { ConnectionRegistry } from './connection-registry.ts'
import { startIpBlockCheck } from './start-ip-block-check.ts'
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

test('during an outage of the database, only the first failed check of the addresses is a warning', async (t) => {
  const levels: string[] = []
  const note = (level: string) => () => void levels.push(level)
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  let isReachable = false
  let reads = 0
  const db: Db = {
    ...ctx.db,
    async query(text, values) {
      if (!isReachable) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      const result = await ctx.db.query(text, values)
      reads += 1
      return result
    },
  }
  const connections = Object.assign(new ConnectionRegistry(), { takeOpened: () => [] })
  Object.defineProperty(connections, 'size', { value: 1 })
  const timer = startIpBlockCheck({ ...ctx, db, log }, { connections, intervalMs: 1 })
  t.after(() => clearInterval(timer))
  await until(() => levels.length > 3)
  isReachable = true
  await until(() => reads > 3)
  isReachable = false
  await until(() => levels.lastIndexOf('warn') > 3)
  assert.equal(levels.filter((level) => level === 'warn').length, 2)
})
