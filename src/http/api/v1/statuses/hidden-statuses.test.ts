import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { openLibreTranslate } from '../../../../../test/services/fake-translators.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { ROUTE_POLICIES } from '../../../route-policies.ts'

// Advanced between groups of requests, so that no throttle applies.
let days = 0
const libre = await openLibreTranslate()
const testServer = await openTestServer({
  effects: false,
  now: () => new Date(Date.now() + days * 86_400_000),
  env: { LIBRE_TRANSLATE_ENDPOINT: libre.endpoint },
})
after(async () => {
  await testServer.close()
  await libre.close()
})
const { db } = testServer.ctx

const [author, unrelatedUser, follower] = [
  await testServer.createUser(),
  await testServer.createUser(),
  await testServer.createUser(),
]
const owner = await testServer.createUser({ role: 'owner' })
await follower.client.post(`/api/v1/accounts/${author.accountId}/follow`)

/** Request bodies of the routes that need one. */
const BODIES: Record<string, object> = {
  'PUT /api/v1/statuses/:id': { status: 'other words' },
  'POST /api/v1/statuses/:id/translate': { lang: 'de' },
  'PUT /api/v1/statuses/:id/interaction_policy': { quote_approval_policy: 'nobody' },
}

/** Every route with a status id in its path, taken from ROUTE_POLICIES so that none is missing. */
const ROUTES: { key: string; request: (id: string) => InjectOptions }[] = Object.keys(ROUTE_POLICIES)
  .filter((key) => key.includes(' /api/v1/statuses/:id'))
  .map((key) => {
    const [method, path] = key.split(' ') as ['GET', string]
    const url = (id: string) => path.replace(':id', id).replace(':quoting_status_id', own)
    return { key, request: (id) => ({ method, url: url(id), ...(BODIES[key] && { payload: BODIES[key] }) }) }
  })

/** Other requests with a status id. */
const OTHER_REQUESTS: typeof ROUTES = [
  {
    key: 'reply',
    request: (id) => ({ method: 'POST', url: '/api/v1/statuses', payload: { status: 'x', in_reply_to_id: id } }),
  },
  {
    key: 'quote',
    request: (id) => ({ method: 'POST', url: '/api/v1/statuses', payload: { status: 'x', quoted_status_id: id } }),
  },
  {
    key: 'report',
    request: (id) => ({
      method: 'POST',
      url: '/api/v1/reports',
      payload: { account_id: author.accountId, status_ids: [id] },
    }),
  },
  { key: 'several statuses', request: (id) => ({ method: 'GET', url: `/api/v1/statuses?id[]=${id}` }) },
]

let own = ''

async function post(user: TestUser, body: object): Promise<{ id: string; poll: { id: string } | null }> {
  const poll = { options: ['a', 'b'], expires_in: 3_600 }
  const response = await user.client.post('/api/v1/statuses', { status: 'hush', language: 'en', poll, ...body })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

/** Sends a request. Returns the response without the headers that differ between identical requests. */
async function send(user: TestUser | null, options: InjectOptions): Promise<unknown> {
  const headers = user ? { authorization: `Bearer ${user.token}` } : {}
  const { statusCode, headers: responseHeaders, rawPayload } = await testServer.server.inject({ ...options, headers })
  const { date: _date, 'x-request-id': _id, ...rest } = responseHeaders
  for (const name of Object.keys(rest)) if (name.startsWith('x-ratelimit')) delete rest[name]
  return { statusCode, headers: rest, body: rawPayload.toString() }
}

async function countActions(): Promise<number[]> {
  const tables = [
    'favourites',
    'bookmarks',
    'status_pins',
    'conversation_mutes',
    'poll_votes',
    'quotes',
    'statuses',
  ] as const
  return Promise.all(
    tables.map(async (table) => {
      const { count } = await db
        .selectFrom(table)
        .select(db.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    }),
  )
}

/** Checks that every request gets the same response for a hidden status as for one that does not exist. */
async function assertHidden(
  hidden: { id: string; poll?: { id: string } | null },
  users: (TestUser | null)[],
): Promise<void> {
  days += 1
  for (const user of users) {
    own = user ? (await post(user, {})).id : '1'
    const actions = await countActions()
    for (const { key, request } of [...ROUTES, ...OTHER_REQUESTS]) {
      const [hiddenResponse, unknownResponse] = [
        await send(user, request(hidden.id)),
        await send(user, request('4711')),
      ]
      assert.deepEqual(hiddenResponse, unknownResponse, key)
      const { statusCode } = hiddenResponse as { statusCode: number }
      const expectedCodes = user === null ? [401, 404] : [404]
      assert.ok(key === 'several statuses' ? statusCode === 200 : expectedCodes.includes(statusCode), key)
    }
    if (hidden.poll) {
      for (const [method, path, payload] of [
        ['GET', '', undefined],
        ['POST', '/votes', { choices: [0] }],
      ] as const) {
        const requestFor = (id: string) => ({ method, url: `/api/v1/polls/${id}${path}`, ...(payload && { payload }) })
        assert.deepEqual(await send(user, requestFor(hidden.poll.id)), await send(user, requestFor('4711')), path)
      }
    }
    assert.deepEqual(await countActions(), actions, 'no request has changed anything')
  }
}

test('VI1 a private status of an unfollowed account gets the same bytes as an unknown status', async () => {
  assert.ok(ROUTES.length >= 22, 'ROUTE_POLICIES has the routes')
  await assertHidden(await post(author, { visibility: 'private' }), [null, unrelatedUser])
})

test('VI1 VI8 a direct status is hidden from accounts that it does not mention, also followers and owner', async () => {
  const status = await post(author, { status: `@${unrelatedUser.username} hush`, visibility: 'direct' })
  await assertHidden(status, [null, follower, owner])
  assert.equal((await unrelatedUser.client.get(`/api/v1/statuses/${status.id}`)).status, 200)
})

test('VI1 a status and its boosts are hidden from accounts that its author blocks', async () => {
  const [blocked, reblogger] = [await testServer.createUser(), await testServer.createUser()]
  const status = await post(author, {})
  const reblog = await reblogger.client.post(`/api/v1/statuses/${status.id}/reblog`)
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await assertHidden(status, [blocked])
  await assertHidden({ id: reblog.body.id }, [blocked])
  assert.equal((await unrelatedUser.client.get(`/api/v1/statuses/${reblog.body.id}`)).status, 200)
})

test('VI1 VI20 a status that is deleted, reported and deleted, or by a suspended account is hidden', async () => {
  const deleted = await post(author, {})
  await author.client.delete(`/api/v1/statuses/${deleted.id}`)
  await assertHidden(deleted, [null, author, follower])
  const reported = await post(author, {})
  const report = { account_id: author.accountId, status_ids: [reported.id], comment: 'look' }
  assert.equal((await unrelatedUser.client.post('/api/v1/reports', report)).status, 200)
  for (const action of ['bookmark', 'favourite'])
    await follower.client.post(`/api/v1/statuses/${reported.id}/${action}`)
  await author.client.delete(`/api/v1/statuses/${reported.id}`)
  assert.equal((await db.selectFrom('statuses').select('id').where('id', '=', reported.id).execute()).length, 1)
  await assertHidden(reported, [author, follower, owner])
  for (const list of ['bookmarks', 'favourites'])
    assert.deepEqual((await follower.client.get(`/api/v1/${list}`)).body, [])
  const suspended = await testServer.createUser()
  const status = await post(suspended, {})
  await suspend(testServer.ctx, suspended)
  await assertHidden(status, [null, unrelatedUser])
})

test('VI1 a local-only status is hidden from anonymous requests', async () => {
  await assertHidden(await post(author, { local_only: true }), [null])
})

test('FP10 an id gives no access to a hidden status, and ids near a known one do not exist', async () => {
  const [visible, hidden] = [await post(author, {}), await post(author, { visibility: 'private' })]
  const guesses = Array.from({ length: 20 }, (_, n) => String(BigInt(visible.id) + BigInt(n + 1)))
  for (const id of [...guesses, hidden.id]) {
    assert.equal((await unrelatedUser.client.get(`/api/v1/statuses/${id}`)).status, 404)
  }
  const { body } = await unrelatedUser.client.get(
    `/api/v1/statuses?${[visible.id, hidden.id].map((id) => `id[]=${id}`).join('&')}`,
  )
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    [visible.id],
  )
})
