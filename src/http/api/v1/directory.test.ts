import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createCrowd } from '../../../../test/create-crowd.ts'
import { countQueries } from '../../../../test/count-queries.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { PersonTraits } from '../../../../test/create-person.ts'
import { changeSetting } from '../../../domain/instance/settings.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world
const { db } = ctx

const PATH = '/api/v1/directory'
const viewer = await world.createPerson({ username: 'viewer' })

const list = async (query: Record<string, unknown> = {}, client = world.anonymous) => {
  const { status, body } = await client.get<{ id: string }[]>(PATH, query)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

async function createListed(traits: PersonTraits = {}): Promise<Person> {
  const person = await world.createPerson(traits)
  await sql`update accounts set discoverable = true, version = version + 1 where id = ${person.accountId}`.execute(db)
  return person
}

async function createFar(username: string, domain: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, domain, uri, url, discoverable)
      values (${username}, ${domain}, ${`https://${domain}/${username}`}, ${`https://${domain}/@${username}`}, true)
      returning id
    ), stats as (insert into account_stats (account_id) select id from made)
    select id from made`.execute(db)
  return rows[0]!.id
}

const change = (accountId: string, column: string, value: unknown) =>
  sql`update accounts set ${sql.ref(column)} = ${value}, version = version + 1 where id = ${accountId}`.execute(db)

test('the directory has who wants to be found, those who posted last first, or those who came last', async () => {
  const [ann, ben, cem] = [await createListed(), await createListed(), await createListed()]
  const far = await createFar('far', 'far.test')
  await world.createPerson()
  for (const person of [cem, ann]) await person.client.post('/api/v1/statuses', { status: 'here' })
  const [a, b, c] = [ann.accountId, ben.accountId, cem.accountId]
  assert.deepEqual(await list(), [a, c, far, b])
  assert.deepEqual(await list({ order: 'active', local: true }), [a, c, b])
  assert.deepEqual(await list({ order: 'new' }), [far, c, b, a])
  assert.deepEqual(await list({ order: 'new', local: 'true' }), [c, b, a])
  assert.deepEqual(await list({ limit: 2, offset: 1 }, viewer.client), [c, far])
  assert.equal((await world.anonymous.get(PATH, { order: 'username; drop table accounts' })).status, 422)
  const { body } = await viewer.client.get(PATH)
  for (const account of body) assertOnWire('Account', account)
  for (const id of [a, b, c, far]) await change(id, 'discoverable', null)
})

test('AC11 VI17 it has nobody who is hidden, suspended, silenced, remembered or moved, and nobody who said no', async () => {
  const shown = await createListed()
  const marks: [string, unknown][] = [
    ['suspended_at', new Date()],
    ['silenced_at', new Date()],
    ['memorial', true],
    ['moved_to_account_id', shown.accountId],
    ['discoverable', false],
    ['discoverable', null],
  ]
  for (const [column, value] of marks) await change((await createListed()).accountId, column, value)
  await createListed({ confirmed: false })
  await createListed({ approved: false })
  for (const order of ['active', 'new']) {
    for (const local of [true, false]) {
      for (const client of [world.anonymous, viewer.client]) {
        assert.deepEqual(await list({ order, local }, client), [shown.accountId])
      }
    }
  }
  await change(shown.accountId, 'discoverable', false)
})

test('somebody does not meet there whom they block or mute, whose domain they block, or who blocks them', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, async () => createListed()))
  const [met, blocked, muted, blocker] = people as [Person, Person, Person, Person]
  const far = await createFar('near', 'sub.shunned.test')
  const reader = await world.createPerson()
  await reader.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await reader.client.post(`/api/v1/accounts/${muted.accountId}/mute`)
  await blocker.client.post(`/api/v1/accounts/${reader.accountId}/block`)
  await sql`insert into account_domain_blocks (account_id, domain) values (${reader.accountId}, 'shunned.test')`.execute(
    db,
  )
  for (const order of ['active', 'new']) {
    assert.deepEqual(await list({ order }, reader.client), [met.accountId])
    assert.equal((await list({ order }, viewer.client)).length, 5)
  }
  for (const id of [...people.map((one) => one.accountId), far]) await change(id, 'discoverable', false)
})

test('its pages, one after the other, are everybody once, in each order, and cost the same on every page', async () => {
  const crowd = await createCrowd(ctx, { prefix: 'crowd', count: 130 })
  await sql`update accounts set discoverable = true where id = any(${crowd}::bigint[])`.execute(db)
  await sql`update account_stats set last_status_at = now() - (account_id % 7) * interval '1 day'
    where account_id = any(${crowd}::bigint[]) and account_id % 3 > 0`.execute(db)
  for (const order of ['active', 'new']) {
    for (const local of [true, false]) {
      const found: string[] = []
      for (let offset = 0; ; offset += 40) {
        const page = await list({ order, local, offset }, viewer.client)
        found.push(...page)
        if (page.length === 0) break
      }
      assert.deepEqual([found.length, new Set(found)], [crowd.length, new Set(crowd)])
      assert.equal((await list({ order, local, limit: 1e9 })).length, 80)
    }
  }
  const cost = (query: object) => countQueries(async () => list({ order: 'active', ...query }, viewer.client))
  await cost({})
  assert.equal(await cost({ limit: 80 }), await cost({ limit: 40 }))
  for (const query of [
    { limit: -1 },
    { limit: '5x' },
    { offset: 1e9 },
    { offset: -5 },
    { offset: 'x' },
    { limit: 0 },
  ]) {
    await list(query)
  }
  await sql`update accounts set discoverable = null where id = any(${crowd}::bigint[])`.execute(db)
})

test('there is none where the owner wants none', async () => {
  const set = (value: boolean) =>
    ctx.write((tx) => changeSetting(tx, { name: 'directory', text: value ? 'on' : 'off' }))
  await set(false)
  const answer = await world.anonymous.get(PATH)
  assert.deepEqual([answer.status, answer.body], [404, { error: 'Record not found' }])
  await set(true)
  assert.deepEqual(await list(), [])
})
