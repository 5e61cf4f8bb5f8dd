// Slow: races many actions at once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const AT_ONCE = 50

/** How often two transactions waited for each other, and one was broken off. */
async function countDeadlocks(): Promise<number> {
  await sql`select pg_stat_clear_snapshot()`.execute(world.ctx.db)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`.execute(world.ctx.db)
  return rows[0]!.deadlocks
}

const people = await Promise.all(Array.from({ length: 10 }, async () => world.createPerson()))
const personOf = (n: number): Person => people[n % people.length]!

async function post(person: Person, body: object = {}): Promise<string> {
  return (await person.client.post('/api/v1/statuses', { status: 'words', ...body })).body.id
}

/** What is counted of a status, and the accepted quotes that there are. */
async function countsOf(id: string): Promise<[number, number]> {
  const { rows } = await sql<{ counted: number; there: number }>`
    select coalesce((select quotes_count from status_stats where status_id = ${id}), 0) as counted,
      (select count(*)::int from quotes where quoted_status_id = ${id} and state = 'accepted') as there`.execute(
    world.ctx.db,
  )
  return [rows[0]!.counted, rows[0]!.there]
}

const statusesOf = (answers: readonly { status: number }[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b)

test('BI17 quotes by 50 people at once, some of them revoked and deleted, leave an exact count', async () => {
  const author = await world.createPerson()
  const id = await post(author)
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const { client } = personOf(n)
      const made = await client.post('/api/v1/statuses', { status: 'look', quoted_status_id: id })
      const quotingId = made.body.id
      const revoke = () => author.client.post(`/api/v1/statuses/${id}/quotes/${quotingId}/revoke`)
      const remove = () => client.delete(`/api/v1/statuses/${quotingId}`)
      if (n % 5 === 0) return [made, ...(await Promise.all([revoke(), revoke()]))]
      if (n % 5 === 1) return [made, await remove()]
      // Whichever comes first, it counts once.
      if (n % 5 === 2)
        return [made, ...(await Promise.all([revoke(), remove()])).filter(({ status }) => status !== 404)]
      return [made]
    }),
  )
  assert.deepEqual(statusesOf(answers.flat()), [200])
  assert.deepEqual(await countsOf(id), [AT_ONCE * (2 / 5), AT_ONCE * (2 / 5)])
})

test('BI17 a post that is deleted while others quote it leaves no count and no error', async () => {
  for (let round = 0; round < 5; round += 1) {
    const author = await world.createPerson()
    const id = await post(author)
    const before = await Promise.all(people.map((person) => post(person, { quoted_status_id: id, in_reply_to_id: id })))
    const answers = await Promise.all([
      ...people.map(({ client }) => client.post('/api/v1/statuses', { status: 'look', quoted_status_id: id })),
      ...before.map((quotingId, n) => personOf(n).client.delete(`/api/v1/statuses/${quotingId}`)),
      author.client.delete(`/api/v1/statuses/${id}`),
    ])
    assert.ok(statusesOf(answers).every((status) => status === 200 || status === 404))
    const { rows } = await sql<{ state: string }>`
      select q.state from quotes q where q.quoted_uri like ${`%/statuses/${id}`}`.execute(world.ctx.db)
    assert.ok(rows.every(({ state }) => state === 'deleted'))
  }
})

test('BI17 posts that answer and quote each other at once all come through', async () => {
  const [one, other] = [await post(personOf(0)), await post(personOf(1))]
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => {
      const [quoted, answered] = n % 2 === 0 ? [one, other] : [other, one]
      const body = { status: 'look', quoted_status_id: quoted, in_reply_to_id: answered }
      return personOf(n).client.post('/api/v1/statuses', body)
    }),
  )
  assert.deepEqual(statusesOf(answers), [200])
  for (const id of [one, other]) assert.deepEqual(await countsOf(id), [AT_ONCE / 2, AT_ONCE / 2])
})

test('BI17 none of all these was broken off since two waited for each other', async () => {
  assert.equal(await countDeadlocks(), 0)
})

test('an account that is deleted takes its quotes out of every count, and is shown as gone where it was quoted', async () => {
  const [leaver, other] = [await world.createPerson(), await world.createPerson()]
  const [kept, theirs] = [await post(other), await post(leaver)]
  await post(leaver, { quoted_status_id: kept })
  const quoting = await post(other, { quoted_status_id: theirs })
  assert.deepEqual(await countsOf(kept), [1, 1])
  await sql`update accounts set suspended_at = now() where id = ${leaver.accountId}`.execute(world.ctx.db)
  await sql`insert into deleted_usernames (username, uri)
    select lower(username), uri from accounts where id = ${leaver.accountId}`.execute(world.ctx.db)
  await world.ctx.write(async (tx) => tx.emit('account.removed', { accountId: leaver.accountId }))
  await world.settle()
  assert.deepEqual(await countsOf(kept), [0, 0])
  const { body } = await other.client.get(`/api/v1/statuses/${quoting}`)
  assert.deepEqual(body.quote, { state: 'deleted', quoted_status: null })
})
