import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../test/count-queries.ts'
import { createCrowd } from '../../../../test/create-crowd.ts'
import type { PersonTraits } from '../../../../test/create-person.ts'
import { findPort } from '../../../../test/linnet.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ effects: false, env: { PORT: port, LOCAL_DOMAIN: domain } })
after(world.close)
await world.listen()
const { ctx } = world
const { db } = ctx

interface Suggestion {
  source: string
  sources: string[]
  account: { id: string }
}

async function createListed(traits: PersonTraits = {}): Promise<Person> {
  const person = await world.createPerson(traits)
  await change(person, 'discoverable', true)
  return person
}

const change = ({ accountId }: { accountId: string }, column: string, value: unknown) =>
  sql`update accounts set ${sql.ref(column)} = ${value}, version = version + 1 where id = ${accountId}`.execute(db)
const follow = async (person: Person, ...targets: { accountId: string }[]) => {
  for (const { accountId } of targets) {
    assert.equal((await person.client.post(`/api/v1/accounts/${accountId}/follow`)).status, 200)
  }
}
const suggestedTo = async (person: Person, query: Record<string, unknown> = {}) => {
  const { status, body } = await person.client.get<Suggestion[]>('/api/v2/suggestions', query)
  assert.equal(status, 200)
  for (const one of body) assertOnWire('Suggestion', one)
  return body
}
const idsFor = async (person: Person) => (await suggestedTo(person)).map(({ account }) => account.id)
const sourcesOf = async (person: Person, { accountId }: { accountId: string }) =>
  (await suggestedTo(person)).find(({ account }) => account.id === accountId)?.sources

/** Forgets everybody who was suggested so far. */
const clear = () => sql`update accounts set discoverable = false`.execute(db)

test('the friends of friends are suggested, those of most friends first, and the followed and favourited of all', async () => {
  const viewer = await world.createPerson()
  const [ann, ben] = [await world.createPerson(), await world.createPerson()]
  const [known, both, one, star, writer] = [
    await createListed(),
    await createListed(),
    await createListed(),
    await createListed(),
    await createListed(),
  ]
  await follow(viewer, ann, ben, known)
  await follow(ann, both, one, known)
  await follow(ben, both)
  await follow(await world.createPerson(), star)
  const { body } = await writer.client.post('/api/v1/statuses', { status: 'Read me' })
  await ann.client.post(`/api/v1/statuses/${body.id}/favourite`)
  assert.deepEqual(
    await idsFor(viewer),
    [both, one, writer, star].map(({ accountId }) => accountId),
  )
  assert.deepEqual(await sourcesOf(viewer, both), ['friends_of_friends', 'most_followed'])
  assert.deepEqual(await sourcesOf(viewer, writer), ['most_interactions'])
  const [first, , third, last] = await suggestedTo(viewer)
  assert.deepEqual([first!.source, third!.source, last!.source], ['past_interactions', 'global', 'global'])
  const old = await viewer.client.get('/api/v1/suggestions')
  assert.deepEqual(
    old.body.map(({ id }: { id: string }) => id),
    await idsFor(viewer),
  )
  for (const account of old.body) assertOnWire('Account', account)
  await clear()
})

test('people are suggested whom those follow who follow whom somebody followed last', async () => {
  const viewer = await world.createPerson()
  const [band, alike] = [await world.createPerson(), await createListed()]
  const fans = [await world.createPerson(), await world.createPerson()]
  for (const fan of fans) await follow(fan, band, alike)
  await follow(viewer, band)
  assert.deepEqual(await sourcesOf(viewer, alike), ['similar_to_recently_followed', 'most_followed'])
  await clear()
})

test('AC11 VI12 nobody is suggested who does not want it or should not be, and nobody by who hides their follows', async () => {
  const viewer = await world.createPerson()
  const friend = await world.createPerson()
  await follow(viewer, friend)
  const shown = await createListed()
  const others = await Promise.all(Array.from({ length: 9 }, async () => createListed()))
  const [suspended, silenced, dead, moved, shy, blocked, muted, blocker, asked] = others as Person[] & { length: 9 }
  await follow(friend, shown, ...others)
  await change(asked!, 'locked', true)
  await follow(viewer, asked!)
  await change(suspended!, 'suspended_at', new Date())
  await change(silenced!, 'silenced_at', new Date())
  await change(dead!, 'memorial', true)
  await change(moved!, 'moved_to_account_id', shown.accountId)
  await change(shy!, 'discoverable', false)
  await viewer.client.post(`/api/v1/accounts/${blocked!.accountId}/block`)
  await viewer.client.post(`/api/v1/accounts/${muted!.accountId}/mute`)
  await blocker!.client.post(`/api/v1/accounts/${viewer.accountId}/block`)
  for (const traits of [{ confirmed: false }, { approved: false }]) {
    const hidden = await createListed(traits)
    await sql`insert into follows (account_id, target_account_id) values (${friend.accountId}, ${hidden.accountId})`.execute(
      db,
    )
  }
  await change(viewer, 'discoverable', true)
  await follow(friend, viewer)
  assert.deepEqual(await idsFor(viewer), [shown.accountId])
  await change(friend, 'hide_collections', true)
  assert.deepEqual(await sourcesOf(viewer, shown), ['most_followed'])
  await clear()
})

test('what is waved aside does not come back, and only for who did so', async () => {
  const [viewer, other] = [await world.createPerson(), await world.createPerson()]
  const star = await createListed()
  await follow(await world.createPerson(), star)
  assert.deepEqual(await idsFor(viewer), [star.accountId])
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await viewer.client.delete(`/api/v1/suggestions/${star.accountId}`)
    assert.deepEqual([status, body], [200, {}])
  }
  assert.deepEqual(await idsFor(viewer), [])
  assert.deepEqual(await idsFor(other), [star.accountId])
  for (const id of ['99999999', '0', 'x']) {
    const answer = await viewer.client.delete(`/api/v1/suggestions/${id}`)
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Record not found' }])
  }
  await clear()
})

test('pages of suggestions are everybody once, and a page is a constant number of statements', async () => {
  const viewer = await world.createPerson()
  const crowd = await createCrowd(ctx, { prefix: 'star', count: 100 })
  await sql`update accounts set discoverable = true where id = any(${crowd}::bigint[])`.execute(db)
  await sql`update account_stats set followers_count = 1 + account_id % 5 where account_id = any(${crowd}::bigint[])`.execute(
    db,
  )
  const found: string[] = []
  for (let offset = 0; offset < 120; offset += 30) {
    found.push(...(await suggestedTo(viewer, { limit: 30, offset })).map(({ account }) => account.id))
  }
  assert.deepEqual([found.length, new Set(found)], [100, new Set(crowd)])
  assert.equal((await suggestedTo(viewer)).length, 40)
  const cost = (limit: number) => countQueries(async () => suggestedTo(viewer, { limit }))
  await suggestedTo(viewer, { limit: 1e9 })
  assert.equal(await cost(80), await cost(1))
  for (const query of [{ limit: 0 }, { limit: -3 }, { offset: 1e9 }, { offset: 'x' }]) await suggestedTo(viewer, query)
  await clear()
})

test('masto.js reads the directory and suggestions, waves one aside, and searches', async () => {
  const [viewer, ada] = [await world.createPerson(), await createListed({ username: 'ada_lovelace' })]
  await follow(await world.createPerson(), ada)
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
