// Slow: calls every route about hidden accounts.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { readApi } from '../../test/api-document.ts'
import type { Operation } from '../../test/api-document.ts'
import { makeCollection } from '../../test/collections.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import type { Status } from '../entities/status.ts'
import { ALL_SCOPES } from '../lib/scopes.ts'

/** Moved on for each request, so that no throttle is ever reached. */
let now = new Date('2026-11-05T00:00:00Z')
const world = await openWorld({ now: () => now })
after(world.close)
const { db } = world.ctx
const { routes } = await readApi(world)

const NOBODY = '99999999999'
const scopes = ALL_SCOPES.join(' ')

async function send(person: Person | null, method: string, url: string, payload?: object) {
  now = new Date(now.getTime() + 60_000)
  const client = person?.client ?? world.anonymous
  return client.send({ method, url, ...(payload && { payload }) })
}
async function make<T = { id: string }>(person: Person, url: string, payload: object = {}): Promise<T> {
  const { status, body } = await send(person, 'POST', url, payload)
  assert.equal(status, 200, `${url} ${JSON.stringify(body)}`)
  return body as T
}

/**
 * Two people and a friend between whom everything is that can be, but for posts: somebody who is not confirmed or approved
 * never wrote any, since nobody becomes so again.
 */
async function acquaint(ghost: Person, viewer: Person) {
  for (const { client } of [ghost, viewer]) {
    await client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  }
  const friend = await world.createPerson({ scopes })
  for (const [from, to] of [
    [ghost, viewer],
    [viewer, ghost],
    [ghost, friend],
    [friend, ghost],
    [viewer, friend],
    [friend, viewer],
  ] as const) {
    await make(from, `/api/v1/accounts/${to.accountId}/follow`)
  }
  for (const { client } of [friend, viewer]) await client.post(`/api/v1/accounts/${ghost.accountId}/endorse`)
  await make(viewer, `/api/v1/accounts/${ghost.accountId}/note`, { comment: 'whom I met' })
  const list = await make(viewer, '/api/v1/lists', { title: 'Friends' })
  await make(viewer, `/api/v1/lists/${list.id}/accounts`, { account_ids: [ghost.accountId, friend.accountId] })
  const status = await make(viewer, '/api/v1/statuses', { status: 'mine #haunted', visibility: 'public' })
  await make(ghost, `/api/v1/statuses/${status.id}/favourite`)
  await make(ghost, '/api/v1/featured_tags', { name: 'haunted' })
  const collection = await makeCollection(viewer, { account_ids: [ghost.accountId] })
  const theirs = await makeCollection(ghost, { name: 'ghastly', account_ids: [viewer.accountId] })
  // Relations that would not go together with these.
  const other = await world.createPerson({ scopes })
  await make(other, `/api/v1/accounts/${ghost.accountId}/mute`)
  for (const [table, from, to] of [
    ['blocks', other, ghost],
    ['follow_requests', ghost, other],
  ] as const) {
    await sql`insert into ${sql.table(table)} (account_id, target_account_id)
      values (${from.accountId}, ${to.accountId})`.execute(db)
  }
  await world.settle()
  await sql`delete from notifications where from_account_id = ${ghost.accountId}`.execute(db)
  return { friend, other, list: list.id, status: status.id, collection: collection.id, theirs: theirs.id }
}

const HIDINGS = { 'who is not confirmed': { confirmed_at: null }, 'who is not approved': { approved: false } }

for (const [who, change] of Object.entries(HIDINGS)) {
  suite(`AC11 somebody ${who}`, async () => {
    const name = `ghost${who.length}`
    const ghost = await world.createPerson({ username: name, displayName: 'Ghastly', scopes })
    const viewer = await world.createPerson({ scopes })
    const known = await acquaint(ghost, viewer)
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
    }
    const query = new URLSearchParams({ q: name, order: 'new' })
    for (const id of [viewer.accountId, friend.accountId]) query.append('id[]', id)

    test('is told of by no answer to anybody', async () => {
      let count = 0
      for (const { method, path, key } of routes) {
        if (method !== 'GET' || path.includes('/streaming/') || path.endsWith('/lookup')) continue
        const [, collection = ''] = /^\/api\/v\w+\/(\w+)/.exec(path) ?? []
        for (const id of path.includes('{') ? (ids[collection] ?? []) : ['']) {
          for (const person of [viewer, friend, other, null]) {
            const url = `${path.replace(/\{[^}]+\}/g, id)}?${query.toString()}`
            const { status, body } = await send(person, 'GET', url)
            assert.ok(status < 500)
            assert.doesNotMatch(JSON.stringify(body), new RegExp(`${name}|ghastly`, 'i'), `${key} ${id}`)
            if (status === 200) count += 1
          }
        }
      }
      assert.ok(count > 100)
    })

    test('answers in every path as nobody does', async () => {
      let count = 0
      for (const { method, path, key } of routes) {
        if (!/^\/api\/v\w+\/(accounts|follow_requests|suggestions)\/\{id\}/.test(path)) continue
        for (const person of [viewer, friend, other, null]) {
          const [theirs, nobodys] = [ghost.accountId, NOBODY].map(async (id) =>
            send(person, method, path.replace('{id}', id)),
          )
          const [one, none] = [await theirs!, await nobodys!]
          assert.deepEqual([one.status, one.body], [none.status, none.body], key)
          assert.ok(one.status >= 400, key)
          count += 1
        }
      }
      assert.ok(count > 80)
    })

    test('answers in every parameter as nobody does', async () => {
      const tried: string[] = []
      for (const { method, path, key, operation } of routes) {
        for (const field of accountFields(operation)) {
          const filled = path.replace(/\{[^}]+\}/g, ids[path.split('/')[3]!]?.[0] ?? '1')
          const ask = (id: string) =>
            method === 'GET'
              ? send(viewer, method, `${filled}?q=x&${field}=${id}`)
              : send(viewer, method, filled, { name: 'x', sensitive: false, discoverable: false, [field]: [id] })
          const [one, none] = [await ask(ghost.accountId), await ask(NOBODY)]
          assert.deepEqual([one.status, one.body], [none.status, none.body], `${key} ${field}`)
          tried.push(`${key} ${field}`)
        }
      }
      assert.ok(tried.length > 5, tried.join())
    })

    test('takes along the collections that they made', async () => {
      for (const { method, path, key } of routes) {
        if (!path.startsWith('/api/v1/collections/{id}')) continue
        const { status, body } = await send(viewer, method, path.replace(/\{[^}]+\}/g, known.theirs), {})
        assert.deepEqual([status, body], [404, { error: 'Record not found' }], key)
      }
    })

    test('is not mentioned, however they are named, and nothing is refused for it', async () => {
      for (const handle of [`@${name}`, `@${name.toUpperCase()}@linnet.test`]) {
        const made = await make<Status>(viewer, '/api/v1/statuses', { status: `Hi ${handle}!` })
        const direct = await make<Status>(viewer, '/api/v1/statuses', { status: `Hi ${handle}!`, visibility: 'direct' })
        const edited = await send(viewer, 'PUT', `/api/v1/statuses/${made.id}`, { status: `Hello ${handle}!` })
        for (const { mentions, content } of [made, direct, edited.body as Status]) {
          assert.deepEqual(mentions, [])
          assert.ok(content!.startsWith('<p>H') && content!.endsWith(` ${handle}!</p>`), content!)
        }
      }
    })

    test('is not among those whom somebody follows and searches, who alone are found', async () => {
      for (const path of ['/api/v1/accounts/search', '/api/v2/search']) {
        const find = async (q: string) => {
          const { status, body } = await send(viewer, 'GET', `${path}?q=${q}&following=true&limit=40`)
          assert.equal(status, 200)
          return ((body.accounts ?? body) as { id: string }[]).map(({ id }) => id)
        }
        assert.deepEqual(await find(name), [])
        // Everybody's name begins so.
        assert.deepEqual((await find('person')).toSorted(), [viewer.accountId, friend.accountId].toSorted())
      }
    })

    test('is found by a lookup, and only there', async () => {
      for (const person of [viewer, null]) {
        const { status, body } = await send(person, 'GET', `/api/v1/accounts/lookup?acct=%20@${name}%20`)
        assert.deepEqual([status, body.id], [200, ghost.accountId])
      }
    })
  })
}

/** The parameters of a route that name accounts by their ids. */
function accountFields({ parameters = [], requestBody }: Operation): string[] {
  const fields = Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {}
  const names = [...parameters.filter((one) => one.in === 'query').map(({ name }) => name), ...Object.keys(fields)]
  return names.filter((name) => ['account_id', 'account_ids', 'allowed_mentions', 'id[]'].includes(name))
}
