import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../test/http/browser.ts'
import { untilWindow } from '../../test/http/until-window.ts'
import { eventually } from '../../test/servers/linnet-process.ts'
import { openSocket } from '../../test/streaming/streams.ts'
import { noValkey, openValkey } from '../../test/services/valkey.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { createLog } from './log/log.ts'
import { connectProcesses } from './connect-processes.ts'

test('Valkey connects the processes of a server', { skip: noValkey }, async (t) => {
  const valkey = await openValkey()
  after(() => valkey.kill())
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const testServer = await openTestServer({ env: { REDIS_URL: valkey.url }, now })
  after(testServer.close)
  const { config } = testServer.ctx
  // The connection of another process of the same server, which needs no database.
  const join = () => connectProcesses(config, { log: createLog('silent') } as Parameters<typeof connectProcesses>[1])
  const other = await join()
  after(() => other.disconnect())
  const otherServer = await connectProcesses({ ...config, localDomain: 'else.test' }, {
    log: createLog('silent'),
  } as Parameters<typeof connectProcesses>[1])
  after(() => otherServer.disconnect())

  const receivesAfter = async (publish: () => void, received: unknown[]) => {
    const before = received.length
    await eventually(async () => {
      publish()
      assert.ok(received.length > before)
    })
  }

  await t.test(
    'each process receives the messages of all processes of its server, but not of other servers',
    async () => {
      const [ownMessages, otherMessages, foreignMessages]: unknown[][] = [[], [], []]
      testServer.ctx.bus.subscribe('greeting', (message) => ownMessages!.push(message))
      other.bus.subscribe('greeting', (message) => otherMessages!.push(message))
      otherServer.bus.subscribe('greeting', (message) => foreignMessages!.push(message))
      for (const n of [1, 2]) void other.bus.publish('greeting', { n })
      await other.bus.publish('other', { n: 3 })
      await eventually(async () => assert.equal(ownMessages!.length, 2))
      await eventually(async () =>
        assert.deepEqual(
          [ownMessages, otherMessages],
          [
            [{ n: 1 }, { n: 2 }],
            [{ n: 1 }, { n: 2 }],
          ],
        ),
      )
      assert.deepEqual(foreignMessages, [])
    },
  )

  await t.test('all processes of a server share the rate limits, but not with other servers', async () => {
    const throttle = { name: 'test', limit: 5, windowSeconds: 3_600 }
    const now = new Date('2026-11-05T00:00:10Z')
    const take = async ({ rateLimiter }: { rateLimiter: typeof other.rateLimiter }) =>
      (await rateLimiter.take(throttle, 'known', now)).remaining
    const counted = await Promise.all([testServer.ctx, other, testServer.ctx, other].map(take))
    assert.deepEqual(
      counted.toSorted((a, b) => a - b),
      [1, 2, 3, 4],
    )
    assert.equal(await take(otherServer), 4)
    assert.equal((await other.rateLimiter.refund(throttle, 'known', now)).remaining, 2)
    assert.equal((await testServer.ctx.rateLimiter.peek(throttle, 'known', now)).remaining, 2)
    for (const left of [1, 0, -1, -1]) assert.equal(await take(other), left)
    assert.equal((await other.rateLimiter.refund(throttle, 'unknown', now)).remaining, 5)
    const later = new Date('2026-11-05T01:00:00Z')
    assert.deepEqual(await other.rateLimiter.take(throttle, 'known', later), {
      throttle,
      remaining: 4,
      resetsAt: new Date('2026-11-05T02:00:00Z'),
    })
  })

  await t.test('BI19 two servers on one database refuse the sum of their requests', async () => {
    aheadMs = untilWindow(1)
    const { connection } = testServer
    const database = { connection, drop: async () => {} }
    const second = await openTestServer({ env: { REDIS_URL: valkey.url }, now, database, effects: false })
    const servers = [testServer.server, second.server]
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const answers = []
    for (let i = 0; i < 6; i += 1) {
      const payload = { client_name: 'app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }
      answers.push(await servers[i % 2]!.inject({ method: 'POST', url: '/api/v1/apps', headers, payload }))
    }
    assert.deepEqual(
      answers.map(({ statusCode, headers: { 'x-ratelimit-remaining': left } }) => [statusCode, left]),
      [...['4', '3', '2', '1', '0'].map((left) => [200, left]), [429, '0']],
    )
    const browsers = servers.map((server) => createBrowser(server))
    const pages = await Promise.all(browsers.map(async (browser) => browser.get('/auth/sign_in')))
    const attempts = []
    for (let i = 0; i < 26; i += 1) {
      // Too short for a password, so nothing is hashed.
      const fields = { login: 'nobody@mail.test', password: 'x' }
      const visit = await browsers[i % 2]!.submit(pages[i % 2]!, '/auth/sign_in', fields, uniqueAddressHeaders())
      attempts.push(visit.status)
    }
    assert.deepEqual(attempts, [...Array.from({ length: 25 }, () => 422), 429])
    aheadMs = 0
    await second.close()
  })

  await t.test(
    'F9 BI20 without Valkey users read and post but cannot log in, and everything works after it returns',
    async () => {
      const alice = await testServer.createUser()
      const { ws, received, subscribe } = await openSocket(await testServer.listen(), { token: alice.token })
      await subscribe('user')
      const post = async (status: string) => (await alice.client.post('/api/v1/statuses', { status })).status
      const browser = createBrowser(testServer.server)
      const page = await browser.get('/auth/sign_in')
      const signIn = () =>
        browser.submit(page, '/auth/sign_in', { login: 'nobody@mail.test', password: 'wrong-password' })
      assert.equal(await post('before'), 200)
      assert.notEqual((await signIn()).status, 503)
      await valkey.kill()
      const read = await alice.client.get('/api/v1/timelines/home')
      assert.deepEqual([read.status, read.headers['x-ratelimit-limit']], [200, undefined])
      assert.equal(await post('meanwhile'), 200)
      assert.equal((await signIn()).status, 503)
      await valkey.start()
      const messages: unknown[] = []
      other.bus.subscribe('back', (message) => messages.push(message))
      await receivesAfter(() => void testServer.ctx.bus.publish('back', {}), messages)
      await eventually(async () => assert.notEqual((await signIn()).status, 503))
      const before = received.length
      assert.equal(await post('after'), 200)
      await eventually(async () => assert.ok(received.length > before))
      const { body } = await alice.client.get('/api/v1/timelines/home')
      assert.deepEqual(
        body.map(({ content }: { content: string }) => content),
        ['<p>after</p>', '<p>meanwhile</p>', '<p>before</p>'],
      )
      ws.close()
    },
  )
})

const joinAt = (redisUrl: string) =>
  connectProcesses(
    { redisUrl, localDomain: 'a.test' } as Parameters<typeof connectProcesses>[0],
    {
      log: createLog('silent'),
    } as Parameters<typeof connectProcesses>[1],
  )

test('an unusable Valkey ends the start with its address and the reason, but without the password', async () => {
  await assert.rejects(joinAt('redis://:hunter2@127.0.0.1:1'), {
    name: 'ValkeyUnavailableError',
    message: "Valkey at 127.0.0.1:1 (REDIS_URL) can't be used: connect ECONNREFUSED 127.0.0.1:1",
  })
})

test('a Valkey without the database of the URL ends the start, too', { skip: noValkey }, async () => {
  const valkey = await openValkey()
  const { host } = new URL(valkey.url)
  try {
    await assert.rejects(joinAt(`redis://${host}/99`), {
      name: 'ValkeyUnavailableError',
      message: `Valkey at ${host} (REDIS_URL) can't be used: ERR DB index is out of range`,
    })
  } finally {
    await valkey.kill()
  }
})
