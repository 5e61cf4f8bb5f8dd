import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { createUsers } from '../../../../../test/servers/create-users.ts'
import type { UserOptions } from '../../../../../test/servers/create-user.ts'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { limit, suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ effects: false, env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
await testServer.listen()
const { ctx } = testServer
const { db } = ctx

interface Suggestion {
  source: string
  sources: string[]
  account: { id: string }
}

async function createDiscoverable(options: UserOptions = {}): Promise<TestUser> {
  const user = await testServer.createUser(options)
  await change(user, 'discoverable', true)
  return user
}

const change = ({ accountId }: { accountId: string }, column: string, value: unknown) =>
  sql`update accounts set ${sql.ref(column)} = ${value}, version = version + 1 where id = ${accountId}`.execute(db)
const follow = async (user: TestUser, ...targets: { accountId: string }[]) => {
  for (const { accountId } of targets) {
    assert.equal((await user.client.post(`/api/v1/accounts/${accountId}/follow`)).status, 200)
  }
}
const suggestedTo = async (user: TestUser, query: Record<string, unknown> = {}) => {
  const { status, body } = await user.client.get<Suggestion[]>('/api/v2/suggestions', query)
  assert.equal(status, 200)
  for (const suggestion of body) assertEntity('Suggestion', suggestion)
  return body
}
const idsFor = async (user: TestUser) => (await suggestedTo(user)).map(({ account }) => account.id)
const sourcesOf = async (user: TestUser, { accountId }: { accountId: string }) =>
  (await suggestedTo(user)).find(({ account }) => account.id === accountId)?.sources

/** Removes all accounts from the suggestions. */
const clear = () => sql`update accounts set discoverable = false`.execute(db)

test('suggestions are friends of friends by number, then the most followed and most favourited accounts', async () => {
  const viewer = await testServer.createUser()
  const [ann, ben] = [await testServer.createUser(), await testServer.createUser()]
  const [followed, ofBoth, ofOne, popular, writer] = [
    await createDiscoverable(),
    await createDiscoverable(),
    await createDiscoverable(),
    await createDiscoverable(),
    await createDiscoverable(),
  ]
  await follow(viewer, ann, ben, followed)
  await follow(ann, ofBoth, ofOne, followed)
  await follow(ben, ofBoth)
  await follow(await testServer.createUser(), popular)
  const { body } = await writer.client.post('/api/v1/statuses', { status: 'Read me' })
  await ann.client.post(`/api/v1/statuses/${body.id}/favourite`)
  assert.deepEqual(
    await idsFor(viewer),
    [ofBoth, ofOne, writer, popular].map(({ accountId }) => accountId),
  )
  assert.deepEqual(await sourcesOf(viewer, ofBoth), ['friends_of_friends', 'most_followed'])
  assert.deepEqual(await sourcesOf(viewer, writer), ['most_interactions'])
  const [first, , third, last] = await suggestedTo(viewer)
  assert.deepEqual([first!.source, third!.source, last!.source], ['past_interactions', 'global', 'global'])
  const v1 = await viewer.client.get('/api/v1/suggestions')
  assert.deepEqual(
    v1.body.map(({ id }: { id: string }) => id),
    await idsFor(viewer),
  )
  for (const account of v1.body) assertEntity('Account', account)
  await clear()
})

test('suggestions include accounts followed by followers of a recently followed account', async () => {
  const viewer = await testServer.createUser()
  const [band, alike] = [await testServer.createUser(), await createDiscoverable()]
  const fans = [await testServer.createUser(), await testServer.createUser()]
  for (const fan of fans) await follow(fan, band, alike)
  await follow(viewer, band)
  assert.deepEqual(await sourcesOf(viewer, alike), ['similar_to_recently_followed', 'most_followed'])
  await clear()
})

test('AC11 VI12 ineligible accounts are not suggested, and hidden follows suggest nobody', async () => {
  const viewer = await testServer.createUser()
  const friend = await testServer.createUser()
  await follow(viewer, friend)
  const eligible = await createDiscoverable()
  const others = await Promise.all(Array.from({ length: 9 }, async () => createDiscoverable()))
  const [suspended, silenced, memorial, moved, undiscoverable, blocked, muted, blocker, requested] =
    others as TestUser[] & { length: 9 }
  await follow(friend, eligible, ...others)
  await change(requested!, 'locked', true)
  await follow(viewer, requested!)
  await suspend(ctx, suspended!)
  await limit(ctx, silenced!)
  await change(memorial!, 'memorial', true)
  await change(moved!, 'moved_to_account_id', eligible.accountId)
  await change(undiscoverable!, 'discoverable', false)
  await viewer.client.post(`/api/v1/accounts/${blocked!.accountId}/block`)
  await viewer.client.post(`/api/v1/accounts/${muted!.accountId}/mute`)
  await blocker!.client.post(`/api/v1/accounts/${viewer.accountId}/block`)
  for (const options of [{ confirmed: false }, { approved: false }]) {
    const hidden = await createDiscoverable(options)
    await sql`insert into follows (account_id, target_account_id) values (${friend.accountId}, ${hidden.accountId})`.execute(
      db,
    )
  }
  await change(viewer, 'discoverable', true)
  await follow(friend, viewer)
  assert.deepEqual(await idsFor(viewer), [eligible.accountId])
  await change(friend, 'hide_collections', true)
  assert.deepEqual(await sourcesOf(viewer, eligible), ['most_followed'])
  await clear()
})

test('a dismissed suggestion does not return for the user, but stays for others', async () => {
  const [viewer, other] = [await testServer.createUser(), await testServer.createUser()]
  const popular = await createDiscoverable()
  await follow(await testServer.createUser(), popular)
  assert.deepEqual(await idsFor(viewer), [popular.accountId])
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await viewer.client.delete(`/api/v1/suggestions/${popular.accountId}`)
    assert.deepEqual([status, body], [200, {}])
  }
  assert.deepEqual(await idsFor(viewer), [])
  assert.deepEqual(await idsFor(other), [popular.accountId])
  for (const id of ['99999999', '0', 'x']) {
    const response = await viewer.client.delete(`/api/v1/suggestions/${id}`)
    assert.deepEqual([response.status, response.body], [404, { error: 'Record not found' }])
  }
  await clear()
})

/** Makes local accounts featured, in this order. */
const feature = (...users: TestUser[]) => {
  const text = users.map(({ username }) => username).join()
  return ctx.write((tx) => changeSetting(tx, { by: null, name: 'bootstrap-timeline-accounts', text }))
}

test('AC11 VI12 the accounts of the administrators come first, in their order, unless they are excluded', async () => {
  const [viewer, friend] = [await testServer.createUser(), await testServer.createUser()]
  const [second, known, first] = [
    await createDiscoverable(),
    await createDiscoverable(),
    await createDiscoverable({ username: 'Zoe' }),
  ]
  await follow(viewer, friend)
  await follow(friend, second, known)
  const [followed, requested, dismissed, blocked, limited, undiscoverable] = [
    await createDiscoverable(),
    await createDiscoverable({ locked: true }),
    await createDiscoverable(),
    await createDiscoverable(),
    await createDiscoverable(),
    await testServer.createUser(),
  ]
  await feature(followed, first, requested, dismissed, second, blocked, limited, undiscoverable, viewer)
  await change(viewer, 'discoverable', true)
  await follow(viewer, followed, requested)
  await viewer.client.delete(`/api/v1/suggestions/${dismissed.accountId}`)
  await viewer.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await limit(ctx, limited)
  const suggested = await suggestedTo(viewer)
  assert.deepEqual(
    suggested.map(({ account, source, sources }) => [account.id, source, sources.join()]),
    [
      [first.accountId, 'staff', 'featured'],
      [second.accountId, 'staff', 'featured,friends_of_friends,most_followed'],
      [known.accountId, 'past_interactions', 'friends_of_friends,most_followed'],
    ],
  )
  const { body: page } = await viewer.client.get<{ id: string }[]>('/api/v1/suggestions', { limit: 1, offset: 1 })
  assert.deepEqual(
    page.map(({ id }) => id),
    [second.accountId],
  )
  await feature()
  assert.deepEqual(await idsFor(viewer), [known.accountId, second.accountId])
  await clear()
})

test('pages have every suggestion once and run a constant number of SQL statements', async () => {
  const viewer = await testServer.createUser()
  const users = await createUsers(ctx, { prefix: 'star', count: 100 })
  await sql`update accounts set discoverable = true where id = any(${users}::bigint[])`.execute(db)
  await sql`update account_stats set followers_count = 1 + account_id % 5 where account_id = any(${users}::bigint[])`.execute(
    db,
  )
  const found: string[] = []
  for (let offset = 0; offset < 120; offset += 30) {
    found.push(...(await suggestedTo(viewer, { limit: 30, offset })).map(({ account }) => account.id))
  }
  assert.deepEqual([found.length, new Set(found)], [100, new Set(users)])
  assert.equal((await suggestedTo(viewer)).length, 40)
  const cost = (limit: number) => countQueries(async () => suggestedTo(viewer, { limit }))
  await suggestedTo(viewer, { limit: 1e9 })
  assert.equal(await cost(80), await cost(1))
  for (const query of [{ limit: 0 }, { limit: -3 }, { offset: 1e9 }, { offset: 'x' }]) await suggestedTo(viewer, query)
  await clear()
})

test('masto.js reads the directory and suggestions, dismisses a suggestion and searches', async () => {
  const [viewer, ada] = [await testServer.createUser(), await createDiscoverable({ username: 'ada_lovelace' })]
  await follow(await testServer.createUser(), ada)
  await ada.client.post('/api/v1/statuses', { status: '#engines' })
  const rest = createRestAPIClient({ url: `http://${domain}`, accessToken: viewer.token })
  assert.deepEqual(
    (await rest.v1.directory.list({ local: true, order: 'active' })).map(({ acct }) => acct),
    ['ada_lovelace'],
  )
  const [suggestion] = await rest.v2.suggestions.list({ limit: 1 })
  assert.equal(suggestion!.account.acct, 'ada_lovelace')
  assert.equal((await rest.v1.suggestions.list({ limit: 1 }))[0]!.acct, 'ada_lovelace')
  const found = await rest.v2.search.list({ q: 'ada' })
  assert.deepEqual(
    found.accounts.map(({ acct }) => acct),
    ['ada_lovelace'],
  )
  assert.deepEqual(
    (await rest.v2.search.list({ q: '#eng', type: 'hashtags' })).hashtags.map(({ name }) => name),
    ['engines'],
  )
  assert.equal((await rest.v1.accounts.search.list({ q: 'lovelace' }))[0]!.id, ada.accountId)
  assert.equal((await rest.v1.accounts.lookup({ acct: ' @Ada_Lovelace ' })).id, ada.accountId)
  await rest.v1.suggestions.$select(ada.accountId).remove(ada.accountId)
  assert.deepEqual(await rest.v2.suggestions.list({}), [])
})
