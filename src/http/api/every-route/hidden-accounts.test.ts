// Slow: calls every route about hidden accounts.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { readApiDocument } from '../../../../test/http/entities/api-document.ts'
import type { Operation } from '../../../../test/http/entities/api-document.ts'
import { createCollection } from '../../../../test/features/collections.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { expectSocketRejected, openSocket, until } from '../../../../test/streaming/streams.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { CLIENT_PATHS } from '../../web-client/client-paths.ts'
import { ROUTE_POLICIES } from '../../route-policies.ts'
import { ALL_SCOPES } from '../../../lib/http/scopes.ts'

/** Routes that need what this test does not create; those of the lists of these objects are called. */
const UNREACHED = [
  'GET /api/v1/annual_reports/{year}',
  'GET /api/v1/notifications/requests/{id}',
  'GET /api/v1/timelines/link',
]

/** The pages and documents of an account, with NAME and ID in place of the username and the id. */
const PAGES_OF_ACCOUNTS = Object.keys(ROUTE_POLICIES)
  .filter((key) => /^GET \/(@:name|users\/:name|ap\/users\/:id)/.test(key))
  .map((key) => key.slice('GET '.length).replace(':name', 'NAME').replace('users/:id', 'users/ID'))
  .map((path) => path.replaceAll(/:\w+/g, '1'))
const CLIENT_PAGES = new Set<string>(CLIENT_PATHS.map((path) => path.replace(':name', 'NAME').replaceAll(/:\w+/g, '1')))

/** Advanced for each request, so that no throttle applies. */
let now = new Date('2026-11-05T00:00:00Z')
const testServer = await openTestServer({ now: () => now })
after(testServer.close)
const { db } = testServer.ctx
const origin = await testServer.listen()
const { document, routes } = await readApiDocument(testServer)

/** The names of the schemas that contain an account, directly or in one of their parts. */
const ACCOUNT_SCHEMAS = new Set(['Account', 'MutedAccount', 'CredentialAccount', 'PartialAccountWithAvatar'])
for (let size = 0; size !== ACCOUNT_SCHEMAS.size;) {
  size = ACCOUNT_SCHEMAS.size
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (refersToAccount(schema)) ACCOUNT_SCHEMAS.add(name)
}
/** All routes whose response contains accounts, except those for the staff, who see sign-ups, and the lookup. */
const ACCOUNT_ROUTES = routes.filter(
  ({ path, operation }) => !/\/admin\/|\/lookup$/.test(path) && refersToAccount(operation.responses[200]),
)

const UNKNOWN_ACCOUNT_ID = '99999999999'
const scopes = ALL_SCOPES.join(' ')

async function send(user: TestUser | null, method: string, url: string, payload?: object) {
  now = new Date(now.getTime() + 60_000)
  const client = user?.client ?? testServer.anonymous
  return client.send({ method, url, ...(payload && { payload }) })
}
async function create<T = { id: string }>(user: TestUser, url: string, payload: object = {}): Promise<T> {
  const { status, body } = await send(user, 'POST', url, payload)
  assert.equal(status, 200, `${url} ${JSON.stringify(body)}`)
  return body as T
}

/**
 * Creates every relation that two users and a common friend can have, except posts of the hidden user: a user who is
 * not confirmed or approved has never posted, since a confirmed or approved user never loses that state.
 */
async function createEveryRelation(ghost: TestUser, viewer: TestUser) {
  for (const { client } of [ghost, viewer]) {
    await client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  }
  const friend = await testServer.createUser({ scopes })
  for (const [from, to] of [
    [ghost, viewer],
    [viewer, ghost],
    [ghost, friend],
    [friend, ghost],
    [viewer, friend],
    [friend, viewer],
  ] as const) {
    await create(from, `/api/v1/accounts/${to.accountId}/follow`)
  }
  for (const { client } of [friend, viewer]) await client.post(`/api/v1/accounts/${ghost.accountId}/endorse`)
  await create(viewer, `/api/v1/accounts/${ghost.accountId}/note`, { comment: 'met at a party' })
  const list = await create(viewer, '/api/v1/lists', { title: 'Friends' })
  await create(viewer, `/api/v1/lists/${list.id}/accounts`, { account_ids: [ghost.accountId, friend.accountId] })
  const status = await create(viewer, '/api/v1/statuses', { status: 'mine #haunted', visibility: 'public' })
  await create(ghost, `/api/v1/statuses/${status.id}/favourite`)
  await create(ghost, '/api/v1/featured_tags', { name: 'haunted' })
  const collection = await createCollection(viewer, { account_ids: [ghost.accountId] })
  const ownCollection = await createCollection(ghost, { name: 'ghastly', account_ids: [viewer.accountId] })
  // Relations that exclude the ones above.
  const other = await testServer.createUser({ scopes })
  await create(other, `/api/v1/accounts/${ghost.accountId}/mute`)
  for (const [table, from, to] of [
    ['blocks', other, ghost],
    ['follow_requests', ghost, other],
  ] as const) {
    await sql`insert into ${sql.table(table)} (account_id, target_account_id)
      values (${from.accountId}, ${to.accountId})`.execute(db)
  }
  await testServer.waitForJobs()
  await sql`delete from notifications where from_account_id = ${ghost.accountId}`.execute(db)
  return { friend, other, list: list.id, status: status.id, collection: collection.id, ownCollection: ownCollection.id }
}

const HIDDEN_STATES = { 'not confirmed': { confirmed_at: null }, 'not approved': { approved: false } }

for (const [state, change] of Object.entries(HIDDEN_STATES)) {
  suite(`AC11 a user who is ${state}`, async () => {
    const name = `ghost${state.length}`
    const ghost = await testServer.createUser({ username: name, displayName: 'Ghastly', scopes })
    const viewer = await testServer.createUser({ scopes })
    const known = await createEveryRelation(ghost, viewer)
    const { friend, other } = known
    await db.updateTable('users').set(change).where('id', '=', ghost.userId).execute()
    await sql`update accounts set version = version + 1 where id = ${ghost.accountId}`.execute(db)

    const ids: Record<string, string[]> = {
      accounts: [viewer.accountId, friend.accountId],
      statuses: [known.status],
      lists: [known.list],
      timelines: [known.list],
      collections: [known.collection],
      tags: ['haunted'],
      notifications: await notificationsOf(viewer),
    }
    const query = new URLSearchParams({ q: name, order: 'new' })
    for (const id of [viewer.accountId, friend.accountId]) query.append('id[]', id)

    test('occurs in no response to any user', async () => {
      const reached = new Set<string>()
      for (const { method, path, key } of routes) {
        if (method !== 'GET' || path.includes('/streaming/') || path.endsWith('/lookup')) continue
        const [, collection = ''] = /^\/api\/v\w+\/(\w+)/.exec(path) ?? []
        for (const id of path.includes('{') ? (ids[collection] ?? []) : ['']) {
          for (const user of [viewer, friend, other, null]) {
            const url = `${path.replace(/\{[^}]+\}/g, id)}?${query.toString()}`
            const { status, body } = await send(user, 'GET', url)
            assert.ok(status < 500)
            assert.doesNotMatch(JSON.stringify(body), new RegExp(`${name}|ghastly`, 'i'), `${key} ${id}`)
            if (status === 200) reached.add(key)
          }
        }
      }
      const missed = ACCOUNT_ROUTES.filter(({ method, key }) => method === 'GET' && !reached.has(key))
      assert.deepEqual(missed.map(({ key }) => key).toSorted(), UNREACHED)
    })

    test('gets in every path the response of an unknown account', async () => {
      let count = 0
      for (const { method, path, key } of routes) {
        if (!/^\/api\/v\w+\/(accounts|follow_requests|suggestions)\/\{id\}/.test(path)) continue
        for (const user of [viewer, friend, other, null]) {
          const [hiddenResponse, unknownResponse] = [ghost.accountId, UNKNOWN_ACCOUNT_ID].map(async (id) =>
            send(user, method, path.replace('{id}', id)),
          )
          const [hidden, unknown] = [await hiddenResponse!, await unknownResponse!]
          assert.deepEqual([hidden.status, hidden.body], [unknown.status, unknown.body], key)
          assert.ok(hidden.status >= 400, key)
          count += 1
        }
      }
      assert.ok(count > 80)
    })

    test('gets in every parameter the response of an unknown account', async () => {
      const tried: string[] = []
      for (const { method, path, key, operation } of routes) {
        for (const field of accountFields(operation)) {
          const filled = path.replace(/\{[^}]+\}/g, ids[path.split('/')[3]!]?.[0] ?? '1')
          const request = (id: string) =>
            method === 'GET'
              ? send(viewer, method, `${filled}?q=x&${field}=${id}`)
              : send(viewer, method, filled, { name: 'x', sensitive: false, discoverable: false, [field]: [id] })
          const [hidden, unknown] = [await request(ghost.accountId), await request(UNKNOWN_ACCOUNT_ID)]
          assert.deepEqual([hidden.status, hidden.body], [unknown.status, unknown.body], `${key} ${field}`)
          tried.push(`${key} ${field}`)
        }
      }
      assert.ok(tried.length > 5, tried.join())
    })

    test('has no visible collections', async () => {
      for (const { method, path, key } of routes) {
        if (!path.startsWith('/api/v1/collections/{id}')) continue
        const { status, body } = await send(viewer, method, path.replace(/\{[^}]+\}/g, known.ownCollection), {})
        assert.deepEqual([status, body], [404, { error: 'Record not found' }], key)
      }
    })

    test('is not mentioned by any form of the handle, and the post is accepted', async () => {
      for (const handle of [`@${name}`, `@${name.toUpperCase()}@linnet.test`]) {
        const created = await create<Status>(viewer, '/api/v1/statuses', { status: `Hi ${handle}!` })
        const direct = await create<Status>(viewer, '/api/v1/statuses', {
          status: `Hi ${handle}!`,
          visibility: 'direct',
        })
        const edited = await send(viewer, 'PUT', `/api/v1/statuses/${created.id}`, { status: `Hello ${handle}!` })
        for (const { mentions, content } of [created, direct, edited.body as Status]) {
          assert.deepEqual(mentions, [])
          assert.ok(content!.startsWith('<p>H') && content!.endsWith(` ${handle}!</p>`), content!)
        }
      }
    })

    test('is not found by a search among followed accounts, which finds only the others', async () => {
      for (const path of ['/api/v1/accounts/search', '/api/v2/search']) {
        const find = async (q: string) => {
          const { status, body } = await send(viewer, 'GET', `${path}?q=${q}&following=true&limit=40`)
          assert.equal(status, 200)
          return ((body.accounts ?? body) as { id: string }[]).map(({ id }) => id)
        }
        assert.deepEqual(await find(name), [])
        // The usernames of all other test users begin with this word.
        assert.deepEqual(await find('person'), [friend.accountId])
      }
    })

    test('gets outside of the API the response of an unknown account', async () => {
      const webFinger = ['acct:NAME@linnet.test', 'https://linnet.test/@NAME', 'https://linnet.test/ap/users/ID']
      const addresses = [
        ...PAGES_OF_ACCOUNTS,
        ...webFinger.map((resource) => `/.well-known/webfinger?resource=${resource}`),
      ]
      assert.ok(addresses.length > 25)
      for (const address of addresses) {
        const [hidden, unknown] = await Promise.all(
          [
            [name, ghost.accountId],
            ['nobody', UNKNOWN_ACCOUNT_ID],
          ].map(async ([username = '', id = '']) => {
            const [url = '', document] = address.replace('NAME', username).replace('ID', id).split(' as ')
            const accept = document === 'page' ? 'text/html' : 'application/activity+json'
            const { statusCode, body } = await testServer.server.inject({ url, headers: { accept } })
            return [statusCode, body.replace(/<code>[^<]*<\/code>/, '')]
          }),
        )
        assert.deepEqual(hidden, unknown, address)
        // Pages of the web client lead every anonymous visitor to the log-in page.
        assert.equal(hidden![0], CLIENT_PAGES.has(address) ? 303 : 404, address)
      }
    })

    test('occurs in no event of a stream, and cannot open one', async () => {
      const socket = await openSocket(origin, { token: viewer.token })
      await socket.subscribe('user', 'public')
      await create(viewer, '/api/v1/statuses', { status: `Live @${name}!` })
      await until(() => socket.received.filter(({ event }) => event === 'update').length === 2)
      for (const { payload } of socket.received) assert.doesNotMatch(payload, new RegExp(`"acct":"${name}"|ghastly`))
      socket.ws.close()
      assert.equal((await expectSocketRejected(origin, { token: ghost.token })).status, 401)
    })

    test('is found by a lookup, but by nothing else', async () => {
      for (const user of [viewer, null]) {
        const { status, body } = await send(user, 'GET', `/api/v1/accounts/lookup?acct=%20@${name}%20`)
        assert.deepEqual([status, body.id], [200, ghost.accountId])
      }
    })

    // At the end, because the actions include the deletion of the status.
    test('occurs in no response to an action', async () => {
      let count = 0
      const actions = ACCOUNT_ROUTES.filter(({ method }) => method !== 'GET')
      for (const { method, path, key } of actions.toSorted((a, b) => b.method.localeCompare(a.method))) {
        const filled = path.replace('{id}', ids[path.split('/')[3]!]?.[0] ?? '1').replace(/\{[^}]+\}/, '1')
        const { status, body } = await send(viewer, method, filled, { status: 'changed', uri: `@${name}` })
        assert.ok(status < 500, key)
        assert.doesNotMatch(JSON.stringify(body), new RegExp(`"acct":"${name}"|ghastly`), key)
        if (status === 200) count += 1
      }
      assert.ok(count > 12, String(count))
    })
  })
}

/** Returns the id and the group key of the first notification of a user. */
async function notificationsOf(user: TestUser): Promise<string[]> {
  const [first] = (await send(user, 'GET', '/api/v1/notifications')).body as { id: string; group_key: string }[]
  return [first!.id, first!.group_key]
}

/** Returns whether a schema or response refers to a schema that contains an account. */
function refersToAccount(schema: unknown): boolean {
  const names = [...(JSON.stringify(schema) ?? '').matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!)
  return names.some((name) => ACCOUNT_SCHEMAS.has(name))
}

/** Returns the parameters and fields of a route that take account ids. */
function accountFields({ parameters = [], requestBody }: Operation): string[] {
  const fields = Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {}
  const names = [
    ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    ...Object.keys(fields),
  ]
  return names.filter((name) => ['account_id', 'account_ids', 'allowed_mentions', 'id[]'].includes(name))
}
