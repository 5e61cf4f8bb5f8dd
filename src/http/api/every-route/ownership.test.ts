import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { readApiDocument } from '../../../../test/http/entities/api-document.ts'
import { multipart } from '../../../../test/http/client.ts'
import { createCollection, createDiscoverableUser } from '../../../../test/features/collections.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Filter } from '../../../entities/accounts/filter.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { ALL_SCOPES } from '../../../lib/http/scopes.ts'

/** Advanced for each request, so that no throttle applies. */
let now = new Date('2026-11-05T00:00:00Z')
const testServer = await openTestServer({ now: () => now })
after(testServer.close)

const scopes = ALL_SCOPES.join(' ')
const [owner, unrelatedUser, friend] = [
  await testServer.createUser({ locked: true, scopes }),
  await testServer.createUser({ scopes }),
  await createDiscoverableUser(testServer),
]

async function send(user: TestUser, method: string, url: string, payload?: object) {
  now = new Date(now.getTime() + 60_000)
  const request = { method: method as 'GET', url, ...(payload && { payload }) }
  return user.client.send(request)
}
/** Sends a POST request that must succeed. Returns the created entity. */
async function create<T = { id: string }>(user: TestUser, url: string, payload: object = {}): Promise<T> {
  const { status, body } = await send(user, 'POST', url, payload)
  assert.equal(status, 200, `${url} ${JSON.stringify(body)}`)
  return body as T
}

const image = await multipart({
  file: {
    filename: 'x.png',
    type: 'image/png',
    bytes: await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  },
})

/** Creates one record of each kind that belongs to a user. Returns the ids. */
async function createOwnedRecords(user: TestUser) {
  await create(user, `/api/v1/accounts/${friend.accountId}/follow`)
  const list = await create(user, '/api/v1/lists', { title: 'Mine' })
  await create(user, `/api/v1/lists/${list.id}/accounts`, { account_ids: [friend.accountId] })
  const publicStatus = await create(user, '/api/v1/statuses', { status: 'public', visibility: 'public' })
  const directStatus = await create<Status>(user, '/api/v1/statuses', {
    status: 'direct',
    visibility: 'direct',
    poll: { options: ['a', 'b'], expires_in: 86_400 * 30 },
  })
  const filter = await create<Filter>(user, '/api/v2/filters', {
    title: 'F',
    context: ['home'],
    keywords_attributes: [{ keyword: 'x' }],
  })
  const later = new Date(now.getTime() + 300 * 86_400_000).toISOString()
  await create(friend, `/api/v1/statuses/${publicStatus.id}/favourite`)
  const sender = await testServer.createUser()
  await create(sender, '/api/v1/statuses', { status: `@${user.username} psst`, visibility: 'direct' })
  await testServer.waitForJobs()
  return {
    list: list.id,
    publicStatus: publicStatus.id,
    directStatus: directStatus.id,
    poll: directStatus.poll!.id,
    filter: filter.id,
    keyword: filter.keywords![0]!.id,
    filtered: (await create(user, `/api/v2/filters/${filter.id}/statuses`, { status_id: publicStatus.id })).id,
    scheduled: (await create(user, '/api/v1/statuses', { status: 'later', scheduled_at: later })).id,
    invite: (await create(user, '/api/v1/invites', { comment: 'mine' })).id,
    featured: (await create(user, '/api/v1/featured_tags', { name: 'mine' })).id,
    media: (await user.client.post('/api/v2/media', image.payload, image.headers)).body.id,
    conversation: (await send(user, 'GET', '/api/v1/conversations')).body[0].id,
    notification: (await send(user, 'GET', '/api/v1/notifications?types[]=favourite')).body[0].id,
    request: (await send(user, 'GET', '/api/v1/notifications/requests')).body[0].id,
  }
}

const owned = await createOwnedRecords(owner)
await createOwnedRecords(unrelatedUser)
const requester = await testServer.createUser()
await create(requester, `/api/v1/accounts/${owner.accountId}/follow`)
const collection = await createCollection(owner, { account_ids: [friend.accountId] })

/** The owner's ids for each path; the first match counts. Every route with ids must match here or in OPEN. */
const OWNED: [pattern: RegExp, ids: string[]][] = [
  [/^\/api\/v1\/(lists|timelines\/list)\//, [owned.list]],
  [/^\/api\/v2\/filters\/keywords\/|^\/api\/v1\/filters\//, [owned.keyword]],
  [/^\/api\/v2\/filters\/statuses\//, [owned.filtered]],
  [/^\/api\/v2\/filters\//, [owned.filter]],
  [/^\/api\/v1\/scheduled_statuses\//, [owned.scheduled]],
  [/^\/api\/v1\/featured_tags\//, [owned.featured]],
  [/^\/api\/v1\/media\//, [owned.media]],
  [/^\/api\/v1\/notifications\/requests\//, [owned.request]],
  [/^\/api\/v1\/notifications\//, [owned.notification]],
  [/^\/api\/v1\/conversations\//, [owned.conversation]],
  [/^\/api\/v1\/follow_requests\//, [requester.accountId]],
  [/^\/api\/v1\/invites\//, [owned.invite]],
  [/^\/api\/v1\/polls\//, [owned.poll]],
  [/^\/api\/v1\/statuses\//, [owned.directStatus]],
]
/**
 * Paths of public records: other users may see them and may learn that they do not own them. Those of the admin API
 * have no owner; `route-policies.test.ts` tests who may use them.
 */
const OPEN = /^\/api\/v1(_alpha)?\/(accounts|admin|announcements|suggestions|collections)\//
/** Actions on a public status that only its author may take. */
const AUTHOR_ONLY = /^(PUT|DELETE) \/api\/v1\/statuses\/\{id\}(\/interaction_policy)?$/

/** Values that would be valid in a request for the caller's own record. */
const BODY = {
  account_ids: [friend.accountId],
  title: 'Not mine',
  phrase: 'not mine',
  keyword: 'not mine',
  context: ['home', 'public'],
  status: 'not mine',
  status_id: owned.publicStatus,
  scheduled_at: new Date(now.getTime() + 200 * 86_400_000).toISOString(),
  description: 'not mine',
  quote_approval_policy: 'nobody',
  choices: [0],
}

const { routes } = await readApiDocument(testServer)
const withIds = routes.filter(({ operation }) => operation.parameters?.some(({ schema }) => schema['x-id']))

/** Returns all records of the owner, as the owner sees them, once their notifications exist. */
async function readOwnedRecords(): Promise<string> {
  await testServer.waitForJobs()
  const paths = [
    'lists',
    'conversations',
    'scheduled_statuses',
    'featured_tags',
    'notifications',
    'follow_requests',
    'invites',
    'filters',
  ]
  const all = [
    ...paths.map((name) => `/api/v1/${name}`),
    `/api/v1/lists/${owned.list}/accounts`,
    '/api/v2/filters',
    `/api/v1/media/${owned.media}`,
    `/api/v1/statuses/${owned.publicStatus}`,
    `/api/v1/statuses/${owned.directStatus}`,
    `/api/v1/statuses/${owned.directStatus}/source`,
    `/api/v1/collections/${collection.id}`,
    '/api/v1/markers?timeline[]=home&timeline[]=notifications',
  ]
  const bodies = []
  for (const url of all) bodies.push((await send(owner, 'GET', url)).body)
  return JSON.stringify(bodies)
}

test('VI11 every route with an id treats a record of another user like one that does not exist', async () => {
  await create(owner, '/api/v1/markers', { home: { last_read_id: owned.publicStatus } })
  const before = await readOwnedRecords()
  const missing: string[] = []
  for (const { key, method, path, operation } of withIds) {
    if (OPEN.test(path)) continue
    const ids = OWNED.find(([pattern]) => pattern.test(path))?.[1]
    if (!ids) {
      missing.push(key)
      continue
    }
    const fields = Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties ?? {}
    const body = Object.fromEntries(Object.entries(BODY).filter(([name]) => name in fields))
    const request = async (user: TestUser, id: string) => {
      const url = path.replace(/\{[^}]+\}/g, id)
      const response = await send(user, method, url, operation.requestBody && body)
      return [response.status, response.body]
    }
    for (const id of [...ids, ...(AUTHOR_ONLY.test(key) ? [owned.publicStatus] : [])]) {
      assert.deepEqual(await request(unrelatedUser, id), [404, { error: 'Record not found' }], `${key} with ${id}`)
      assert.deepEqual(await request(unrelatedUser, '99999999999'), [404, { error: 'Record not found' }], key)
      if (method === 'GET') assert.equal((await request(owner, id))[0], 200, `${key} for its owner`)
    }
  }
  assert.deepEqual(missing, [], 'routes with ids that match neither OWNED nor OPEN')
  assert.equal(await readOwnedRecords(), before)
})

test('VI11 an id in a body does not reach a record of another user', async () => {
  const before = await readOwnedRecords()
  const own = await create(unrelatedUser, '/api/v2/filters', { title: 'Own', context: ['home'] })
  const list = await create(unrelatedUser, '/api/v1/lists', { title: 'Own' })
  const keyword = { keywords_attributes: [{ id: owned.keyword, keyword: 'taken', _destroy: 'true' }] }
  for (const [method, url, payload, expected] of [
    ['PUT', `/api/v2/filters/${own.id}`, keyword, 404],
    ['POST', `/api/v2/filters/${own.id}/statuses`, { status_id: owned.directStatus }, 404],
    ['POST', '/api/v1/statuses', { status: 'x', media_ids: [owned.media] }, 422],
    ['POST', '/api/v1/statuses', { status: 'x', in_reply_to_id: owned.directStatus }, 404],
    ['POST', '/api/v1/statuses', { status: 'x', quoted_status_id: owned.directStatus }, 404],
    ['POST', `/api/v1/lists/${list.id}/accounts`, { account_ids: [requester.accountId] }, 422],
  ] as const) {
    assert.equal((await send(unrelatedUser, method, url, payload)).status, expected, `${method} ${url}`)
  }
  assert.equal(await readOwnedRecords(), before)
})

test('VI11 a user cannot change the collection or its items of another user, nor revoke another account', async () => {
  const before = await readOwnedRecords()
  const path = `/api/v1/collections/${collection.id}`
  const item = `${path}/items/${collection.items[0]!.id}`
  for (const [method, url, payload] of [
    ['PATCH', path, { name: 'Not mine' }],
    ['PUT', path, { name: 'Not mine' }],
    ['POST', `${path}/items`, { account_id: unrelatedUser.accountId }],
    ['DELETE', item],
    ['POST', `${item}/revoke`],
    ['DELETE', path],
  ] as const) {
    for (const versionedUrl of [url, url.replace('/v1/', '/v1_alpha/')]) {
      const { status, body } = await send(unrelatedUser, method, versionedUrl, payload)
      assert.deepEqual([status, body], [403, { error: 'This action is not allowed' }], `${method} ${versionedUrl}`)
    }
  }
  assert.equal(await readOwnedRecords(), before)
})
