import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../test/browser.ts'
import { eventually } from '../../test/linnet.ts'
import { openSocket } from '../../test/streams.ts'
import { noValkey, openValkey } from '../../test/valkey.ts'
import { openWorld } from '../../test/world.ts'
import { createLog } from './log.ts'
import { joinProcesses } from './join-processes.ts'

test('what Valkey joins', { skip: noValkey }, async (t) => {
  const valkey = await openValkey()
  after(() => valkey.kill())
  const world = await openWorld({ env: { REDIS_URL: valkey.url } })
  after(world.close)
  const { config } = world.ctx
  // What another process of the same server has; it needs no database for that.
  const join = () => joinProcesses(config, { log: createLog('silent') } as Parameters<typeof joinProcesses>[1])
  const other = await join()
  after(() => other.part())
  const stranger = await joinProcesses({ ...config, localDomain: 'else.test' }, {
    log: createLog('silent'),
  } as Parameters<typeof joinProcesses>[1])
  after(() => stranger.part())

  const hears = async (say: () => void, heard: unknown[]) => {
    const before = heard.length
    await eventually(async () => {
      say()
      assert.ok(heard.length > before)
    })
  }

  await t.test('each process hears what any of them says, and nothing of another server', async () => {
    const [here, there, elsewhere]: unknown[][] = [[], [], []]
    world.ctx.bus.subscribe('greeting', (message) => here!.push(message))
    other.bus.subscribe('greeting', (message) => there!.push(message))
    stranger.bus.subscribe('greeting', (message) => elsewhere!.push(message))
    for (const n of [1, 2]) void other.bus.publish('greeting', { n })
    await other.bus.publish('other', { n: 3 })
    await eventually(async () => assert.equal(here!.length, 2))
    await eventually(async () =>
      assert.deepEqual(
        [here, there],
        [
          [{ n: 1 }, { n: 2 }],
          [{ n: 1 }, { n: 2 }],
        ],
      ),
    )
    assert.deepEqual(elsewhere, [])
  })

  await t.test('all count together, each server for itself', async () => {
    const throttle = { name: 'test', limit: 5, windowSeconds: 3_600 }
    const now = new Date('2026-11-05T00:00:10Z')
    const take = async ({ limiter }: { limiter: typeof other.limiter }) =>
      (await limiter.take(throttle, 'somebody', now)).remaining
    const counted = await Promise.all([world.ctx, other, world.ctx, other].map(take))
    assert.deepEqual(
      counted.toSorted((a, b) => a - b),
      [1, 2, 3, 4],
    )
    assert.equal(await take(stranger), 4)
    assert.equal((await other.limiter.giveBack(throttle, 'somebody', now)).remaining, 2)
    assert.equal((await world.ctx.limiter.peek(throttle, 'somebody', now)).remaining, 2)
    for (const left of [1, 0, -1, -1]) assert.equal(await take(other), left)
    assert.equal((await other.limiter.giveBack(throttle, 'nobody', now)).remaining, 5)
    const later = new Date('2026-11-05T01:00:00Z')
    assert.deepEqual(await other.limiter.take(throttle, 'somebody', later), {
      throttle,
      remaining: 4,
      resetsAt: new Date('2026-11-05T02:00:00Z'),
    })
  })

  await t.test('F9 BI20 without it people read and post, nobody logs in, and when it is back all goes on', async () => {
    const alice = await world.createPerson()
    const { ws, received, subscribe } = await openSocket(await world.listen(), { token: alice.token })
    await subscribe('user')
    const post = async (status: string) => (await alice.client.post('/api/v1/statuses', { status })).status
    const browser = createBrowser(world.server)
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
    const heard: unknown[] = []
    other.bus.subscribe('back', (message) => heard.push(message))
    await hears(() => void world.ctx.bus.publish('back', {}), heard)
    await eventually(async () => assert.notEqual((await signIn()).status, 503))
    const told = received.length
    assert.equal(await post('after'), 200)
    await eventually(async () => assert.ok(received.length > told))
    const { body } = await alice.client.get('/api/v1/timelines/home')
    assert.deepEqual(
      body.map(({ content }: { content: string }) => content),
      ['<p>after</p>', '<p>meanwhile</p>', '<p>before</p>'],
    )
    ws.close()
  })
})
