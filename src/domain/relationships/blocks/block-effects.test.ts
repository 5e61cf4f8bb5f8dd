import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)
const { db } = testServer.ctx

interface Side extends TestUser {
  /** The id of a public status. */
  statusId: string
}

const act = async (from: TestUser, action: string, to: TestUser) =>
  (await from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)).status
const statusAction = async (from: TestUser, action: string, { statusId }: Side) =>
  (await from.client.post(`/api/v1/statuses/${statusId}/${action}`)).status
const post = async (from: TestUser, body: object) => (await from.client.post('/api/v1/statuses', body)).status

async function createSide(traits = {}): Promise<Side> {
  const user = await testServer.createUser(traits)
  const { body } = await user.client.post('/api/v1/statuses', { status: 'mine' })
  return { ...user, statusId: body.id }
}

/** Adds an account that `from` follows to a list of `from`. */
async function addToList(from: Side, to: Side): Promise<void> {
  await sql`
    with list as (insert into lists (account_id, title) values (${from.accountId}, 'close') returning id)
    insert into list_accounts (list_id, account_id, follow_id)
    select list.id, f.target_account_id, f.id from list, follows f
    where f.account_id = ${from.accountId} and f.target_account_id = ${to.accountId}`.execute(db)
}

/** Returns the kinds of rows that relate the two accounts, in either direction. */
async function findTies(one: Side, other: Side): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    with pair (a, b) as (values (${one.accountId}::bigint, ${other.accountId}::bigint), (${other.accountId}::bigint, ${one.accountId}::bigint))
    select 'follow' as kind from pair join follows f on f.account_id = a and f.target_account_id = b
    union all select 'request' from pair join follow_requests f on f.account_id = a and f.target_account_id = b
    union all select 'endorsement' from pair join endorsements e on e.account_id = a and e.target_account_id = b
    union all select 'list' from pair join lists l on l.account_id = a join list_accounts m on m.list_id = l.id and m.account_id = b
    union all select 'notification' from pair join notifications n on n.account_id = a and n.from_account_id = b
    union all select 'favourite' from pair join statuses s on s.account_id = b join favourites f on f.status_id = s.id and f.account_id = a
    union all select 'reblog' from pair join statuses s on s.account_id = a join statuses o on o.id = s.reblog_of_id and o.account_id = b
    union all select 'feed' from pair join feed_entries f on f.account_id = a join statuses s on s.id = f.status_id
      left join statuses o on o.id = s.reblog_of_id where b = any(array[s.account_id, o.account_id])
    order by 1`.execute(db)
  return rows.map((row) => row.kind)
}

/** Each kind of interaction. `refused`: the response status for the blocked account, and for the blocking account. */
const INTERACTIONS: {
  name: string
  act(from: Side, to: Side): Promise<number>
  refused: [forBlocked: number, forBlocker: number]
  /** The rows that it creates if there is no block. */
  creates: string[]
}[] = [
  {
    name: 'a follow',
    act: (from, to) => act(from, 'follow', to),
    refused: [403, 403],
    creates: ['feed', 'follow', 'notification'],
  },
  {
    name: 'a favourite',
    act: (from, to) => statusAction(from, 'favourite', to),
    refused: [404, 404],
    creates: ['favourite', 'notification'],
  },
  {
    name: 'a reblog',
    act: (from, to) => statusAction(from, 'reblog', to),
    refused: [404, 404],
    creates: ['feed', 'notification', 'reblog'],
  },
  {
    name: 'a mention',
    act: (from, to) => post(from, { status: `@${to.username} hello` }),
    refused: [200, 200],
    creates: ['notification'],
  },
  {
    name: 'a direct message',
    act: (from, to) => post(from, { status: `@${to.username} psst`, visibility: 'direct' }),
    refused: [200, 200],
    creates: ['notification'],
  },
  {
    name: 'a reply',
    act: (from, to) => post(from, { status: `@${to.username} indeed`, in_reply_to_id: to.statusId }),
    refused: [404, 200],
    creates: ['notification'],
  },
  { name: 'an endorsement', act: (from, to) => act(from, 'endorse', to), refused: [422, 422], creates: [] },
]

suite('FP1 across a block', () => {
  for (const { name, act: interact, refused, creates } of INTERACTIONS) {
    test(`${name} has no effect across a block in either direction, but has one without a block`, async () => {
      const [free, willing] = [await createSide(), await createSide()]
      await interact(free, willing)
      await testServer.waitForJobs()
      assert.deepEqual(await findTies(free, willing), creates)
      const [blocker, blocked] = [await createSide(), await createSide()]
      assert.equal(await act(blocker, 'block', blocked), 200)
      assert.equal(await interact(blocked, blocker), refused[0])
      assert.equal(await interact(blocker, blocked), refused[1])
      await testServer.waitForJobs()
      assert.deepEqual(await findTies(blocker, blocked), [])
      // Both block.
      assert.equal(await act(blocked, 'block', blocker), 200)
      assert.equal(await interact(blocked, blocker), refused[0])
      assert.equal(await interact(blocker, blocked), refused[0])
      await testServer.waitForJobs()
      assert.deepEqual(await findTies(blocker, blocked), [])
    })
  }

  test('a follow request has no effect across a block if both accounts are locked', async () => {
    const [blocker, blocked] = [await createSide({ locked: true }), await createSide({ locked: true })]
    await act(blocker, 'block', blocked)
    assert.deepEqual([await act(blocker, 'follow', blocked), await act(blocked, 'follow', blocker)], [403, 403])
    await testServer.waitForJobs()
    assert.deepEqual(await findTies(blocker, blocked), [])
  })

  for (const blockerName of ['one account', 'the other account']) {
    test(`a block by ${blockerName} removes existing relationships at once, in one transaction`, async () => {
      const [one, other] = [await createSide(), await createSide({ locked: true })]
      await act(other, 'follow', one)
      await other.client.post(`/api/v1/accounts/${one.accountId}/endorse`)
      await addToList(other, one)
      await act(one, 'follow', other)
      await post(one, { status: `@${other.username} hello` })
      await post(other, { status: `@${one.username} hello` })
      await testServer.waitForJobs()
      assert.deepEqual([...new Set(await findTies(one, other))].toSorted(), [
        'endorsement',
        'feed',
        'follow',
        'list',
        'notification',
        'request',
      ])
      const [blocker, blocked] = blockerName === 'one account' ? [one, other] : [other, one]
      assert.equal(await act(blocker, 'block', blocked), 200)
      const { rows } = await sql<{ shared: boolean }>`
        select b.xmin = st.xmin as shared from blocks b, account_stats st
        where b.account_id = ${blocker.accountId} and st.account_id = ${blocked.accountId}`.execute(db)
      assert.equal(rows[0]!.shared, true)
      // Feed entries and notifications of the other account are deleted afterwards, but are not shown from now on.
      const remaining = await findTies(one, other)
      assert.ok(
        remaining.every((kind) => kind === 'feed' || kind === 'notification'),
        remaining.join(),
      )
      for (const { client, accountId } of [one, other]) {
        const [home, notifications] = [
          await client.get('/api/v1/timelines/home'),
          await client.get('/api/v1/notifications'),
        ]
        assert.ok(home.body.every(({ account }: { account: { id: string } }) => account.id === accountId))
        assert.deepEqual(notifications.body, [])
      }
      await testServer.waitForJobs()
      const { rows: counted } = await sql<{ sum: number }>`
        select sum(followers_count + following_count)::int as sum from account_stats
        where account_id = any(${[one.accountId, other.accountId]}::bigint[])`.execute(db)
      assert.equal(counted[0]!.sum, 0)
    })
  }
})
