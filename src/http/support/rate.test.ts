// Slow: reaches every throttle.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createBrowser } from '../../../test/browser.ts'
import type { Answer } from '../../../test/client.ts'
import { makeSessions, makeTokens, someAddress } from '../../../test/more-senders.ts'
import { makeFaces } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { hashSecret, makeSecret } from '../../lib/secrets.ts'
import type { Throttle } from '../../platform/rate-limit.ts'
import { ACCESS } from '../access.ts'
import { networkOf } from '../../lib/network.ts'
import { THROTTLES } from './throttles.ts'
import type { RateKey } from './throttles.ts'

/** Ten seconds into windows of every length. */
const START = new Date('2026-11-05T00:00:10Z')
let now = START
const world = await openWorld({ effects: false, now: () => now })
after(world.close)
beforeEach(() => {
  now = START
})
const later = (seconds: number) => new Date(START.getTime() + seconds * 1_000)

interface Sender {
  token?: string | undefined
  /** Of a browser. */
  sessionId?: string | undefined
  ip?: string | undefined
}

function send(
  url: string,
  { token, sessionId, ip = someAddress() }: Sender,
  options: InjectOptions = {},
): Promise<Answer> {
  const headers = {
    'x-forwarded-for': ip,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(sessionId ? { cookie: `__Host-linnet-session=${sessionId}` } : {}),
    ...options.headers,
  }
  return world.anonymous.send({ method: 'GET', url, ...options, headers })
}

const moreTokens = ({ userId }: Person, count: number) => makeTokens(world.ctx, { userId, count })
const moreSessions = ({ userId }: Person, count: number) => makeSessions(world.ctx, { userId, count })

/** Sends requests up to the limit, none of which may be refused, and then one that must be. Gives that last answer. */
async function reach(
  throttle: Throttle,
  request: (i: number) => Promise<Answer>,
  { done = 0 }: { done?: number } = {},
): Promise<Answer> {
  for (let count = done; count < throttle.limit;) {
    const some = Math.min(25, throttle.limit - count)
    const answers = await Promise.all(Array.from({ length: some }, async (_, i) => request(count + i)))
    for (const { status } of answers) assert.notEqual(status, 429, `${throttle.name}: refused among ${count + some}`)
    count += some
  }
  const last = await request(throttle.limit)
  const resetsAt = new Date(
    (Math.floor(now.getTime() / 1000 / throttle.windowSeconds) + 1) * throttle.windowSeconds * 1000,
  )
  assert.deepEqual(
    {
      status: last.status,
      limit: last.headers['x-ratelimit-limit'],
      remaining: last.headers['x-ratelimit-remaining'],
      reset: last.headers['x-ratelimit-reset'],
      retryAfter: last.headers['retry-after'],
    },
    {
      status: 429,
      limit: String(throttle.limit),
      remaining: '0',
      reset: resetsAt.toISOString().replace('.000Z', '.000000Z'),
      retryAfter: String(Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)),
    },
    throttle.name,
  )
  return last
}

const HOME = '/api/v1/timelines/home'
/** What every token may ask, and costs little. */
const CHEAP = '/api/v1/emails/check_confirmation'

test('BI19 a token has 300 requests in five minutes, wherever they come from, and gets 300 more in the next five', async () => {
  const alice = await world.createPerson()
  const refused = await reach(THROTTLES.apiToken, () => send(CHEAP, { token: alice.token }))
  assert.deepEqual(refused.body, { error: 'Too many requests' })
  const [other] = await moreTokens(alice, 1)
  assert.equal((await send(CHEAP, { token: other })).status, 200)
  now = later(289.999)
  const last = await send(CHEAP, { token: alice.token })
  assert.deepEqual([last.status, last.headers['retry-after']], [429, '1'])
  now = later(290)
  const again = await send(CHEAP, { token: alice.token })
  assert.equal(again.status, 200)
  assert.equal(again.headers['x-ratelimit-remaining'], '299')
  assert.equal(again.headers['x-ratelimit-reset'], '2026-11-05T00:10:00.000000Z')
})

test('BI19 a person has 1,500 requests in five minutes, with all tokens together', async () => {
  const alice = await world.createPerson()
  const tokens = await moreTokens(alice, 8)
  await reach(THROTTLES.apiAccount, (i) => send(CHEAP, { token: tokens[i % tokens.length] }))
  assert.equal((await (await world.createPerson()).client.get(CHEAP)).status, 200)
})

test('BI19 an address has 300 requests without a person: by nobody, by garbage, and by an app', async () => {
  const ip = someAddress()
  const appToken = makeSecret()
  await world.ctx.db
    .insertInto('access_tokens')
    .values({ token_hash: hashSecret(appToken), scopes: ['read'] })
    .execute()
  const senders: Sender[] = [{ ip }, { ip, token: 'garbage' }, { ip, token: appToken }]
  await reach(THROTTLES.apiAnonymous, (i) => send(HOME, senders[i % 3]!))
  assert.equal((await send(HOME, {})).status, 401)
  const alice = await world.createPerson()
  assert.equal((await send(HOME, { ip, token: alice.token })).status, 200)
})

test('BI19 an address of IPv6 is counted by its network, and one that is IPv4 in disguise as that', async () => {
  const left = async (ip: string) => Number((await send(HOME, { ip })).headers['x-ratelimit-remaining'])
  const first = await left('2001:db8:1:2::1')
  assert.equal(await left('2001:db8:1:2:ffff:ffff:ffff:ffff'), first - 1)
  assert.equal(await left('2001:0db8:0001:0002::3'), first - 2)
  assert.equal(await left('2001:db8:1:3::1'), first)
  const plain = await left('203.250.0.1')
  assert.equal(await left('::ffff:203.250.0.1'), plain - 1)
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0')
  assert.equal(networkOf('no address'), 'no address')
})

test('BI19 pages of lists have 300 in a quarter of an hour, by person or by address, whatever the cursor is called', async () => {
  const alice = await world.createPerson()
  const tokens = await moreTokens(alice, 2)
  const names = ['max_id', 'min_id', 'since_id', 'page']
  await reach(THROTTLES.paging, (i) => send(`${HOME}?limit=0&${names[i % 4]}=1`, { token: tokens[i % 2] }))
  const [fresh] = await moreTokens(alice, 1)
  assert.equal((await send(HOME, { token: fresh })).status, 200)
  assert.equal((await send(`${HOME}?min_id[]=1`, { token: fresh })).status, 429)

  // Also a cursor in a body, which the query of a GET takes over.
  assert.equal((await send(HOME, { token: fresh }, { payload: { max_id: '1' } })).status, 429)
  assert.equal((await send(HOME, { token: fresh }, { payload: { limit: 1 } })).status, 200)

  const ip = someAddress()
  for (let i = 0; i < 150; i += 1) await send(`${HOME}?max_id=1`, { ip })
  now = later(300)
  await reach(THROTTLES.paging, () => send(`${HOME}?max_id=1`, { ip }), { done: 150 })
  assert.equal((await send(HOME, { ip })).status, 401)
})

/** Every pair of a throttle and whom it counts that rows of the table name, with these rows. */
function throttlesOfRows(): { throttle: Throttle; by: RateKey; keys: string[] }[] {
  const found = new Map<string, { throttle: Throttle; by: RateKey; keys: string[] }>()
  for (const [key, { throttles }] of Object.entries(ACCESS)) {
    for (const { throttle, by } of throttles) {
      const id = `${throttle.name} ${by}`
      const known = found.get(id) ?? { throttle, by, keys: [] }
      found.set(id, { ...known, keys: [...known.keys, key] })
    }
  }
  return [...found.values()]
}

test('BI19 every throttle of the table of authorisation is reached on all of its routes together', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, async () => world.createPerson()))
  for (const { throttle, by, keys } of throttlesOfRows()) {
    const alice = await world.createPerson()
    const tokens = await moreTokens(alice, 2)
    const sessions = await moreSessions(alice, 2)
    const ip = someAddress()
    const ask = (i: number) => {
      const [method, path] = keys[i % keys.length]!.split(' ') as ['GET', string]
      const url = path.replace(/:\w+|\*/g, '1')
      // By address: each time another person. By person: each time another address, and now this token, now that.
      const one = { token: tokens[i % 2], sessionId: sessions[i % 2] }
      const sender = by === 'ip' ? { ip, token: people[i % people.length]!.token } : one
      return send(url, sender, { method })
    }
    await reach(throttle, ask)
    for (const i of keys.keys())
      assert.equal((await ask(i)).status, 429, `${keys[i]} is not counted by ${throttle.name}`)
    const other = by === 'ip' ? { token: alice.token } : { token: people[0]!.token }
    const [method, path] = keys[0]!.split(' ') as ['GET', string]
    assert.notEqual((await send(path.replace(/:\w+|\*/g, '1'), other, { method })).status, 429, throttle.name)
  }
})

/** One person asks for the same again and again, now by this token, now by that. */
async function byTurns(path: string, payloadOf: (i: number) => object): Promise<(i: number) => Promise<Answer>> {
  const tokens = await moreTokens(await world.createPerson(), 2)
  return (i) => send(path, { token: tokens[i % 2] }, { method: 'POST', payload: payloadOf(i) })
}

/** A browser sends a form again and again, each time from elsewhere, with one e-mail address in two spellings. */
async function byForm(
  at: string,
  path: string,
  fieldsOf: (email: string) => Record<string, string>,
): Promise<(i: number) => Promise<Answer>> {
  const browser = createBrowser(world.server)
  const page = await browser.get(at, { 'x-forwarded-for': someAddress() })
  return async (i) => {
    const fields = fieldsOf(i % 2 ? 'Nobody@Mail.test ' : 'nobody@mail.test')
    const visit = await browser.submit(page, path, fields, { 'x-forwarded-for': someAddress() })
    return { status: visit.status, headers: visit.headers as Answer['headers'], body: visit.text }
  }
}

/** Throttles that are counted by the deed itself, each with a request that does it. */
const DEEDS: Record<string, () => Promise<(i: number) => Promise<Answer>>> = {
  async statuses() {
    return byTurns('/api/v1/statuses', (i) => ({ status: `${i}` }))
  },
  async follows() {
    const bob = await world.createPerson()
    return byTurns(`/api/v1/accounts/${bob.accountId}/follow`, () => ({}))
  },
  async reports() {
    const bob = await world.createPerson()
    return byTurns('/api/v1/reports', () => ({ account_id: bob.accountId }))
  },
  async 'remote-files'() {
    const ids = await makeFaces(world.ctx, { count: THROTTLES.remoteFiles.limit + 1 })
    const ip = someAddress()
    return (i) => send(`/media_proxy/accounts/${ids[i]}/avatar`, { ip })
  },
  async 'password-mail'() {
    return byForm('/auth/password/new', '/auth/password', (email) => ({ email }))
  },
  async 'sign-in-account'() {
    // Too short to be anybody's, so it costs no hash.
    return byForm('/auth/sign_in', '/auth/sign_in', (login) => ({ login, password: 'x' }))
  },
}

for (const [name, prepare] of Object.entries(DEEDS)) {
  test(`BI19 the throttle ${name} is reached by the deed that it counts`, async () => {
    const throttle = Object.values(THROTTLES).find((one) => one.name === name)
    assert.ok(throttle)
    await reach(throttle, await prepare())
  })
}

test('BI19 every throttle that there is has been reached by a test of this file', () => {
  const general = [THROTTLES.apiAccount, THROTTLES.apiToken, THROTTLES.apiAnonymous, THROTTLES.paging]
  const reached = new Set([
    ...general.map(({ name }) => name),
    ...throttlesOfRows().map(({ throttle }) => throttle.name),
    ...Object.keys(DEEDS),
  ])
  const missing = Object.values(THROTTLES).filter(({ name }) => !reached.has(name))
  assert.deepEqual(missing, [], 'add the deed that counts it to DEEDS')
  assert.equal(new Set(Object.values(THROTTLES).map(({ name }) => name)).size, Object.keys(THROTTLES).length)
})

test('a post that fails is not counted, and the headers tell of the throttle that has least left', async () => {
  const alice = await world.createPerson()
  const [token] = await moreTokens(alice, 1)
  const post = (text: string, by: string | undefined) =>
    send('/api/v1/statuses', { token: by }, { method: 'POST', payload: { status: text } })
  const shown = ({ headers }: Answer) => [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
  assert.deepEqual(shown(await post('one', token)), ['299', '2026-11-05T03:00:00.000000Z'])
  const failed = await post('', token)
  assert.deepEqual([failed.status, ...shown(failed)], [422, '298', '2026-11-05T00:05:00.000000Z'])
  const other = await post('two', alice.token)
  assert.deepEqual(shown(other), ['298', '2026-11-05T03:00:00.000000Z'])
  const boost = await send(`/api/v1/statuses/${other.body.id}/reblog`, { token: alice.token }, { method: 'POST' })
  assert.deepEqual(shown(boost), ['298', '2026-11-05T03:00:00.000000Z'])
  assert.deepEqual(shown(await post('three', alice.token)), ['297', '2026-11-05T03:00:00.000000Z'])
})

test('fifty posts at once are counted as fifty', async () => {
  const alice = await world.createPerson()
  const [token] = await moreTokens(alice, 1)
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) =>
      send('/api/v1/statuses', { token }, { method: 'POST', payload: { status: i % 2 ? `${i}` : '' } }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 25)
  const next = await send('/api/v1/statuses', { token: alice.token }, { method: 'POST', payload: { status: 'x' } })
  assert.equal(next.headers['x-ratelimit-remaining'], '274')
})

test('pages, files and streams are outside the throttles of the API', async () => {
  for (const path of ['/', '/auth/sign_in', '/system/x.png', '/api/v1/streaming/health', '/health']) {
    assert.equal((await send(path, {})).headers['x-ratelimit-limit'], undefined, path)
  }
})
