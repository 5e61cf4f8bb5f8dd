import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { openLibreTranslate } from '../../../../../test/translators.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import { ACCESS } from '../../../access.ts'

// Moved on now and then, so that no throttle is reached.
let days = 0
const libre = await openLibreTranslate()
const world = await openWorld({
  effects: false,
  now: () => new Date(Date.now() + days * 86_400_000),
  env: { LIBRE_TRANSLATE_ENDPOINT: libre.endpoint },
})
after(async () => {
  await world.close()
  await libre.close()
})
const { db } = world.ctx

const [author, stranger, follower] = [
  await world.createPerson(),
  await world.createPerson(),
  await world.createPerson(),
]
const owner = await world.createPerson({ role: 'owner' })
await follower.client.post(`/api/v1/accounts/${author.accountId}/follow`)

/** What each way of using the id of a status has to send along. */
const BODIES: Record<string, object> = {
  'PUT /api/v1/statuses/:id': { status: 'other words' },
  'POST /api/v1/statuses/:id/translate': { lang: 'de' },
  'PUT /api/v1/statuses/:id/interaction_policy': { quote_approval_policy: 'nobody' },
}

/** Every route with the id of a status in its path, by the table of authorisation: none can be forgotten. */
const ROUTES: { key: string; request: (id: string) => InjectOptions }[] = Object.keys(ACCESS)
  .filter((key) => key.includes(' /api/v1/statuses/:id'))
  .map((key) => {
    const [method, path] = key.split(' ') as ['GET', string]
    const url = (id: string) => path.replace(':id', id).replace(':quoting_status_id', own)
    return { key, request: (id) => ({ method, url: url(id), ...(BODIES[key] && { payload: BODIES[key] }) }) }
  })

/** The other ways. */
const USES: typeof ROUTES = [
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
  { key: 'several by their ids', request: (id) => ({ method: 'GET', url: `/api/v1/statuses?id[]=${id}` }) },
]

let own = ''

async function post(person: Person, body: object): Promise<{ id: string; poll: { id: string } | null }> {
  const poll = { options: ['a', 'b'], expires_in: 3_600 }
  const answer = await person.client.post('/api/v1/statuses', { status: 'hush', language: 'en', poll, ...body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Everything of an answer but what every answer has anew. */
async function ask(person: Person | null, options: InjectOptions): Promise<unknown> {
  const headers = person ? { authorization: `Bearer ${person.token}` } : {}
  const { statusCode, headers: told, rawPayload } = await world.server.inject({ ...options, headers })
  const { date: _date, 'x-request-id': _id, ...rest } = told
  for (const name of Object.keys(rest)) if (name.startsWith('x-ratelimit')) delete rest[name]
  return { statusCode, headers: rest, body: rawPayload.toString() }
}

async function countDeeds(): Promise<number[]> {
  const tables = ['favourites', 'bookmarks', 'pins', 'conversation_mutes', 'poll_votes', 'quotes', 'statuses'] as const
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

/** Asks in every way about a hidden status and about one that never was. */
async function assertHidden(
  hidden: { id: string; poll?: { id: string } | null },
  people: (Person | null)[],
): Promise<void> {
  days += 1
  for (const person of people) {
    own = person ? (await post(person, {})).id : '1'
    const deeds = await countDeeds()
    for (const { key, request } of [...ROUTES, ...USES]) {
      const [found, unknown] = [await ask(person, request(hidden.id)), await ask(person, request('4711'))]
      assert.deepEqual(found, unknown, key)
      const { statusCode } = found as { statusCode: number }
      const refusals = person === null ? [401, 404] : [404]
      assert.ok(key === 'several by their ids' ? statusCode === 200 : refusals.includes(statusCode), key)
    }
    if (hidden.poll) {
      for (const [method, path, payload] of [
        ['GET', '', undefined],
        ['POST', '/votes', { choices: [0] }],
      ] as const) {
        const about = (id: string) => ({ method, url: `/api/v1/polls/${id}${path}`, ...(payload && { payload }) })
        assert.deepEqual(await ask(person, about(hidden.poll.id)), await ask(person, about('4711')), path)
      }
    }
    assert.deepEqual(await countDeeds(), deeds, 'nothing was done')
  }
}

test('VI1 whatever somebody does with a post for followers that they do not follow, it answers byte by byte like one that never was', async () => {
  assert.ok(ROUTES.length >= 22, 'the table of authorisation was read')
  await assertHidden(await post(author, { visibility: 'private' }), [null, stranger])
})

test('VI1 VI8 a direct post is there for whom it mentions alone: neither for followers nor for the owner of the server', async () => {
  const status = await post(author, { status: `@${stranger.username} hush`, visibility: 'direct' })
  await assertHidden(status, [null, follower, owner])
  assert.equal((await stranger.client.get(`/api/v1/statuses/${status.id}`)).status, 200)
})

test('VI1 a post of somebody who blocks is not there for whom they block, nor is a boost of it', async () => {
  const [blocked, booster] = [await world.createPerson(), await world.createPerson()]
  const status = await post(author, {})
  const boost = await booster.client.post(`/api/v1/statuses/${status.id}/reblog`)
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await assertHidden(status, [blocked])
  await assertHidden({ id: boost.body.id }, [blocked])
  assert.equal((await stranger.client.get(`/api/v1/statuses/${boost.body.id}`)).status, 200)
})

test('VI1 VI20 a post that is deleted, kept for moderators, or by somebody suspended is there for nobody', async () => {
  const gone = await post(author, {})
  await author.client.delete(`/api/v1/statuses/${gone.id}`)
  await assertHidden(gone, [null, author, follower])
  const kept = await post(author, {})
  const report = { account_id: author.accountId, status_ids: [kept.id], comment: 'look' }
  assert.equal((await stranger.client.post('/api/v1/reports', report)).status, 200)
  for (const deed of ['bookmark', 'favourite']) await follower.client.post(`/api/v1/statuses/${kept.id}/${deed}`)
  await author.client.delete(`/api/v1/statuses/${kept.id}`)
  assert.equal((await db.selectFrom('statuses').select('id').where('id', '=', kept.id).execute()).length, 1)
  await assertHidden(kept, [author, follower, owner])
  for (const list of ['bookmarks', 'favourites'])
    assert.deepEqual((await follower.client.get(`/api/v1/${list}`)).body, [])
  const fallen = await world.createPerson()
  const status = await post(fallen, {})
  await db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', fallen.accountId).execute()
  await assertHidden(status, [null, stranger])
})

test('VI1 a post that stays on its server is not there for strangers of the network', async () => {
  await assertHidden(await post(author, { local_only: true }), [null])
})

test('FP10 to know the id of a post gives no access to it, and ids beside a known one lead nowhere', async () => {
  const [open, hidden] = [await post(author, {}), await post(author, { visibility: 'private' })]
  const guesses = Array.from({ length: 20 }, (_, n) => String(BigInt(open.id) + BigInt(n + 1)))
  for (const id of [...guesses, hidden.id]) {
    assert.equal((await stranger.client.get(`/api/v1/statuses/${id}`)).status, 404)
  }
  const { body } = await stranger.client.get(
    `/api/v1/statuses?${[open.id, hidden.id].map((id) => `id[]=${id}`).join('&')}`,
  )
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    [open.id],
  )
})
