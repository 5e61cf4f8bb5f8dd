import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { readApi } from '../../test/api-document.ts'
import { multipart } from '../../test/client.ts'
import { makeCollection, makeDiscoverable } from '../../test/collections.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import type { Filter } from '../entities/filter.ts'
import type { Status } from '../entities/status.ts'
import { ALL_SCOPES } from '../lib/scopes.ts'

/** Moved on for each request, so that no throttle is ever reached. */
let now = new Date('2026-11-05T00:00:00Z')
const world = await openWorld({ now: () => now })
after(world.close)

const scopes = ALL_SCOPES.join(' ')
const [owner, stranger, friend] = [
  await world.createPerson({ locked: true, scopes }),
  await world.createPerson({ scopes }),
  await makeDiscoverable(world),
]

async function send(person: Person, method: string, url: string, payload?: object) {
  now = new Date(now.getTime() + 60_000)
  const request = { method: method as 'GET', url, ...(payload && { payload }) }
  return person.client.send(request)
}
/** Does it, and gives what came of it. */
async function make<T = { id: string }>(person: Person, url: string, payload: object = {}): Promise<T> {
  const { status, body } = await send(person, 'POST', url, payload)
  assert.equal(status, 200, `${url} ${JSON.stringify(body)}`)
  return body as T
}

const picture = await multipart({
  file: {
    filename: 'x.png',
    type: 'image/png',
    bytes: await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  },
})

/** One of each thing that people have for themselves. */
async function furnish(person: Person) {
  await make(person, `/api/v1/accounts/${friend.accountId}/follow`)
  const list = await make(person, '/api/v1/lists', { title: 'Mine' })
  await make(person, `/api/v1/lists/${list.id}/accounts`, { account_ids: [friend.accountId] })
  const open = await make(person, '/api/v1/statuses', { status: 'for everybody', visibility: 'public' })
  const secret = await make<Status>(person, '/api/v1/statuses', {
    status: 'for me',
    visibility: 'direct',
    poll: { options: ['a', 'b'], expires_in: 86_400 * 30 },
  })
  const filter = await make<Filter>(person, '/api/v2/filters', {
    title: 'F',
    context: ['home'],
    keywords_attributes: [{ keyword: 'x' }],
  })
  const later = new Date(now.getTime() + 300 * 86_400_000).toISOString()
  await make(friend, `/api/v1/statuses/${open.id}/favourite`)
  const caller = await world.createPerson()
  await make(caller, '/api/v1/statuses', { status: `@${person.username} psst`, visibility: 'direct' })
  await world.settle()
  return {
    list: list.id,
    open: open.id,
    secret: secret.id,
    poll: secret.poll!.id,
    filter: filter.id,
    keyword: filter.keywords![0]!.id,
    filtered: (await make(person, `/api/v2/filters/${filter.id}/statuses`, { status_id: open.id })).id,
    scheduled: (await make(person, '/api/v1/statuses', { status: 'later', scheduled_at: later })).id,
    featured: (await make(person, '/api/v1/featured_tags', { name: 'mine' })).id,
    media: (await person.client.post('/api/v2/media', picture.payload, picture.headers)).body.id,
    conversation: (await send(person, 'GET', '/api/v1/conversations')).body[0].id,
    notification: (await send(person, 'GET', '/api/v1/notifications?types[]=favourite')).body[0].id,
    request: (await send(person, 'GET', '/api/v1/notifications/requests')).body[0].id,
  }
}

const theirs = await furnish(owner)
await furnish(stranger)
const asker = await world.createPerson()
await make(asker, `/api/v1/accounts/${owner.accountId}/follow`)
const collection = await makeCollection(owner, { account_ids: [friend.accountId] })

/** Whose ids stand in which paths, the first that fits. What is in neither table is missing in this test. */
const OWNED: [pattern: RegExp, ids: string[]][] = [
  [/^\/api\/v1\/(lists|timelines\/list)\//, [theirs.list]],
  [/^\/api\/v2\/filters\/keywords\/|^\/api\/v1\/filters\//, [theirs.keyword]],
  [/^\/api\/v2\/filters\/statuses\//, [theirs.filtered]],
  [/^\/api\/v2\/filters\//, [theirs.filter]],
  [/^\/api\/v1\/scheduled_statuses\//, [theirs.scheduled]],
  [/^\/api\/v1\/featured_tags\//, [theirs.featured]],
  [/^\/api\/v1\/media\//, [theirs.media]],
  [/^\/api\/v1\/notifications\/requests\//, [theirs.request]],
  [/^\/api\/v1\/notifications\//, [theirs.notification]],
  [/^\/api\/v1\/conversations\//, [theirs.conversation]],
  [/^\/api\/v1\/follow_requests\//, [asker.accountId]],
  [/^\/api\/v1\/polls\//, [theirs.poll]],
  [/^\/api\/v1\/statuses\//, [theirs.secret]],
]
/** Whom and what everybody may look at by its id, and may be told that it is not theirs. */
const OPEN = /^\/api\/v1(_alpha)?\/(accounts|announcements|suggestions|collections)\//
/** Deeds of its author alone, with a status that everybody sees. */
const AUTHORS = /^(PUT|DELETE) \/api\/v1\/statuses\/\{id\}(\/interaction_policy)?$/

/** Bodies that would do with a thing of one's own. */
const BODY = {
  account_ids: [friend.accountId],
  title: 'Not mine',
  phrase: 'not mine',
  keyword: 'not mine',
  context: ['home', 'public'],
  status: 'not mine',
  status_id: theirs.open,
  scheduled_at: new Date(now.getTime() + 200 * 86_400_000).toISOString(),
  description: 'not mine',
  quote_approval_policy: 'nobody',
  choices: [0],
}

const { routes } = await readApi(world)
const withIds = routes.filter(({ operation }) => operation.parameters?.some(({ schema }) => schema['x-id']))

/** All that the owner has, as the owner sees it. */
async function inventory(): Promise<string> {
  const paths = [
    'lists',
    'conversations',
    'scheduled_statuses',
    'featured_tags',
    'notifications',
    'follow_requests',
    'filters',
  ]
  const all = [
    ...paths.map((name) => `/api/v1/${name}`),
    `/api/v1/lists/${theirs.list}/accounts`,
    '/api/v2/filters',
    `/api/v1/media/${theirs.media}`,
    `/api/v1/statuses/${theirs.open}`,
    `/api/v1/statuses/${theirs.secret}`,
    `/api/v1/statuses/${theirs.secret}/source`,
    `/api/v1/collections/${collection.id}`,
    '/api/v1/markers?timeline[]=home&timeline[]=notifications',
  ]
  const answers = []
  for (const url of all) answers.push((await send(owner, 'GET', url)).body)
  return JSON.stringify(answers)
}

test('VI11 what belongs to somebody is for others, by every route with its id, as if it had never been', async () => {
  await make(owner, '/api/v1/markers', { home: { last_read_id: theirs.open } })
  const before = await inventory()
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
    const ask = async (person: Person, id: string) => {
      const url = path.replace(/\{[^}]+\}/g, id)
      const answer = await send(person, method, url, operation.requestBody && body)
      return [answer.status, answer.body]
    }
    for (const id of [...ids, ...(AUTHORS.test(key) ? [theirs.open] : [])]) {
      assert.deepEqual(await ask(stranger, id), [404, { error: 'Record not found' }], `${key} with ${id}`)
      assert.deepEqual(await ask(stranger, '99999999999'), [404, { error: 'Record not found' }], key)
      if (method === 'GET') assert.equal((await ask(owner, id))[0], 200, `${key} for its owner`)
    }
  }
  assert.deepEqual(missing, [], 'routes with ids that are in neither table')
  assert.equal(await inventory(), before)
})

test('VI11 nor can anything of somebody else be reached by an id in a body', async () => {
  const before = await inventory()
  const own = await make(stranger, '/api/v2/filters', { title: 'Own', context: ['home'] })
  const list = await make(stranger, '/api/v1/lists', { title: 'Own' })
  const keyword = { keywords_attributes: [{ id: theirs.keyword, keyword: 'taken', _destroy: 'true' }] }
  for (const [method, url, payload, expected] of [
    ['PUT', `/api/v2/filters/${own.id}`, keyword, 404],
    ['POST', `/api/v2/filters/${own.id}/statuses`, { status_id: theirs.secret }, 404],
    ['POST', '/api/v1/statuses', { status: 'x', media_ids: [theirs.media] }, 422],
    ['POST', '/api/v1/statuses', { status: 'x', in_reply_to_id: theirs.secret }, 404],
    ['POST', '/api/v1/statuses', { status: 'x', quoted_status_id: theirs.secret }, 404],
    ['POST', `/api/v1/lists/${list.id}/accounts`, { account_ids: [asker.accountId] }, 422],
  ] as const) {
    assert.equal((await send(stranger, method, url, payload)).status, expected, `${method} ${url}`)
  }
  assert.equal(await inventory(), before)
})

test('VI11 nobody changes the collection of another, who is in it, or withdraws somebody else', async () => {
  const before = await inventory()
  const path = `/api/v1/collections/${collection.id}`
  const item = `${path}/items/${collection.items[0]!.id}`
  for (const [method, url, payload] of [
    ['PATCH', path, { name: 'Not mine' }],
    ['PUT', path, { name: 'Not mine' }],
    ['POST', `${path}/items`, { account_id: stranger.accountId }],
    ['DELETE', item],
    ['POST', `${item}/revoke`],
    ['DELETE', path],
  ] as const) {
    for (const url_ of [url, url.replace('/v1/', '/v1_alpha/')]) {
      const { status, body } = await send(stranger, method, url_, payload)
      assert.deepEqual([status, body], [403, { error: 'This action is not allowed' }], `${method} ${url_}`)
    }
  }
  assert.equal(await inventory(), before)
})
