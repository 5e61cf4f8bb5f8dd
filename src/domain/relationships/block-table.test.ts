import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)
const { db } = world.ctx

interface Side extends Person {
  /** A post for everybody. */
  statusId: string
}

const act = async (from: Person, action: string, to: Person) =>
  (await from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)).status
const deed = async (from: Person, action: string, { statusId }: Side) =>
  (await from.client.post(`/api/v1/statuses/${statusId}/${action}`)).status
const post = async (from: Person, body: object) => (await from.client.post('/api/v1/statuses', body)).status

async function createSide(traits = {}): Promise<Side> {
  const person = await world.createPerson(traits)
  const { body } = await person.client.post('/api/v1/statuses', { status: 'mine' })
  return { ...person, statusId: body.id }
}

/** Puts somebody whom `from` follows on a list of theirs. */
async function enlist(from: Side, to: Side): Promise<void> {
  await sql`
    with list as (insert into lists (account_id, title) values (${from.accountId}, 'close') returning id)
    insert into list_accounts (list_id, account_id, follow_id)
    select list.id, f.target_account_id, f.id from list, follows f
    where f.account_id = ${from.accountId} and f.target_account_id = ${to.accountId}`.execute(db)
}

/** What is between the two, each way: names of tables, with the kind of a notification. */
async function ties(one: Side, other: Side): Promise<string[]> {
  const { rows } = await sql<{ tie: string }>`
    with pair (a, b) as (values (${one.accountId}::bigint, ${other.accountId}::bigint), (${other.accountId}::bigint, ${one.accountId}::bigint))
    select 'follow' as tie from pair join follows f on f.account_id = a and f.target_account_id = b
    union all select 'request' from pair join follow_requests f on f.account_id = a and f.target_account_id = b
    union all select 'endorsement' from pair join endorsements e on e.account_id = a and e.target_account_id = b
    union all select 'list' from pair join lists l on l.account_id = a join list_accounts m on m.list_id = l.id and m.account_id = b
    union all select 'notification' from pair join notifications n on n.account_id = a and n.from_account_id = b
    union all select 'favourite' from pair join statuses s on s.account_id = b join favourites f on f.status_id = s.id and f.account_id = a
    union all select 'boost' from pair join statuses s on s.account_id = a join statuses o on o.id = s.reblog_of_id and o.account_id = b
    union all select 'feed' from pair join feed_entries f on f.account_id = a join statuses s on s.id = f.status_id
      left join statuses o on o.id = s.reblog_of_id where b = any(array[s.account_id, o.account_id])
    order by 1`.execute(db)
  return rows.map((row) => row.tie)
}

/** Each way to have to do with somebody: `refused` is the answer to who is blocked, and to who blocks. */
const INTERACTIONS: {
  name: string
  act(from: Side, to: Side): Promise<number>
  refused: [toTheBlocked: number, toTheBlocker: number]
  /** Which of the ties it makes while there is no block. */
  makes: string[]
}[] = [
  {
    name: 'a follow',
    act: (from, to) => act(from, 'follow', to),
    refused: [403, 403],
    makes: ['feed', 'follow', 'notification'],
  },
  {
    name: 'a favourite',
    act: (from, to) => deed(from, 'favourite', to),
    refused: [404, 404],
    makes: ['favourite', 'notification'],
  },
  {
    name: 'a boost',
    act: (from, to) => deed(from, 'reblog', to),
    refused: [404, 404],
    makes: ['boost', 'feed', 'notification'],
  },
  {
    name: 'a mention',
    act: (from, to) => post(from, { status: `@${to.username} hello` }),
    refused: [200, 200],
    makes: ['notification'],
  },
  {
    name: 'a direct message',
    act: (from, to) => post(from, { status: `@${to.username} psst`, visibility: 'direct' }),
    refused: [200, 200],
    makes: ['notification'],
  },
  {
    name: 'a reply',
    act: (from, to) => post(from, { status: `@${to.username} indeed`, in_reply_to_id: to.statusId }),
    refused: [404, 200],
    makes: ['notification'],
  },
  { name: 'an endorsement', act: (from, to) => act(from, 'endorse', to), refused: [422, 422], makes: [] },
]

suite('FP1 across a block', () => {
  for (const { name, act: interact, refused, makes } of INTERACTIONS) {
    test(`${name} makes nothing, whoever of the two blocks and whoever tries; without the block it does`, async () => {
      const [free, willing] = [await createSide(), await createSide()]
      await interact(free, willing)
      await world.settle()
      assert.deepEqual(await ties(free, willing), makes)
      const [blocker, blocked] = [await createSide(), await createSide()]
      assert.equal(await act(blocker, 'block', blocked), 200)
      assert.equal(await interact(blocked, blocker), refused[0])
      assert.equal(await interact(blocker, blocked), refused[1])
      await world.settle()
      assert.deepEqual(await ties(blocker, blocked), [])
      // Both block.
      assert.equal(await act(blocked, 'block', blocker), 200)
      assert.equal(await interact(blocked, blocker), refused[0])
      assert.equal(await interact(blocker, blocked), refused[0])
      await world.settle()
      assert.deepEqual(await ties(blocker, blocked), [])
    })
  }

  test('a request makes nothing, whoever of the two is locked', async () => {
    const [blocker, blocked] = [await createSide({ locked: true }), await createSide({ locked: true })]
    await act(blocker, 'block', blocked)
    assert.deepEqual([await act(blocker, 'follow', blocked), await act(blocked, 'follow', blocker)], [403, 403])
    await world.settle()
    assert.deepEqual(await ties(blocker, blocked), [])
  })

  for (const who of ['the one', 'the other']) {
    test(`what was there is gone at once when ${who} blocks, and one transaction did it`, async () => {
      const [one, other] = [await createSide(), await createSide({ locked: true })]
      await act(other, 'follow', one)
      await other.client.post(`/api/v1/accounts/${one.accountId}/endorse`)
      await enlist(other, one)
      await act(one, 'follow', other)
      await post(one, { status: `@${other.username} hello` })
      await post(other, { status: `@${one.username} hello` })
      await world.settle()
      assert.deepEqual([...new Set(await ties(one, other))].toSorted(), [
        'endorsement',
        'feed',
        'follow',
        'list',
        'notification',
        'request',
      ])
      const [blocker, blocked] = who === 'the one' ? [one, other] : [other, one]
      assert.equal(await act(blocker, 'block', blocked), 200)
      const { rows } = await sql<{ shared: boolean }>`
        select b.xmin = st.xmin as shared from blocks b, account_stats st
        where b.account_id = ${blocker.accountId} and st.account_id = ${blocked.accountId}`.execute(db)
      assert.equal(rows[0]!.shared, true)
      // What stands in feeds, and what the other one was told, goes afterwards; it is not shown from now on.
      const left = await ties(one, other)
      assert.ok(
        left.every((tie) => tie === 'feed' || tie === 'notification'),
        left.join(),
      )
      for (const { client, accountId } of [one, other]) {
        const [home, notices] = [await client.get('/api/v1/timelines/home'), await client.get('/api/v1/notifications')]
        assert.ok(home.body.every(({ account }: { account: { id: string } }) => account.id === accountId))
        assert.deepEqual(notices.body, [])
      }
      await world.settle()
      const { rows: counted } = await sql<{ sum: number }>`
        select sum(followers_count + following_count)::int as sum from account_stats
        where account_id = any(${[one.accountId, other.accountId]}::bigint[])`.execute(db)
      assert.equal(counted[0]!.sum, 0)
    })
  }
})
