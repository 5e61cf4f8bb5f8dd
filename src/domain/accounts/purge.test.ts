import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { accountFacts, HOST, makeRemote, makeRemoteStatus, newName } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Status } from '../../entities/status.ts'
import { Forbidden } from '../../lib/errors.ts'
import { acceptOwnRequest } from '../relationships/own-requests.ts'
import { receiveFollow } from '../relationships/receive-follow.ts'
import { boostStatus } from '../statuses/boost.ts'
import { favouriteStatus } from '../statuses/favourite.ts'
import type { Ctx } from '../context.ts'
import { deleteAccount } from './delete.ts'
import { purgeAccount } from './purge.ts'
import { recordRemoteAccount } from './record-remote.ts'
import { removeRemoteAccount } from './remove-remote.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world

const COUNTERS = {
  account_stats: ['account_id', 'statuses_count', 'followers_count', 'following_count'],
  status_stats: ['status_id', 'replies_count', 'reblogs_count', 'favourites_count'],
}

/** What is counted of somebody, or of a status. */
async function countersOf(table: 'account_stats' | 'status_stats', id: string): Promise<number[]> {
  const [key, ...counters] = COUNTERS[table]
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counters.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where ${sql.ref(key!)} = ${id}`.execute(ctx.db)
  return Object.values(rows[0] ?? {})
}

async function recount(): Promise<void> {
  const { rows } = await sql<{ wrong: number }>`
    select (select count(*)::int from account_stats st join users u on u.account_id = st.account_id where
        st.followers_count <> (select count(*) from follows where target_account_id = st.account_id)
        or st.following_count <> (select count(*) from follows where account_id = st.account_id)
        or st.statuses_count <> (select count(*) from statuses s where s.account_id = st.account_id
          and s.visibility <> 'direct'))
      + (select count(*)::int from status_stats st where
        st.favourites_count <> (select count(*) from favourites f where f.status_id = st.status_id)
        or st.reblogs_count <> (select count(*) from statuses b where b.reblog_of_id = st.status_id)
        or st.replies_count <> (select count(*) from statuses r where r.in_reply_to_id = st.status_id
          and r.visibility in ('public', 'unlisted'))) as wrong`.execute(ctx.db)
  assert.equal(rows[0]!.wrong, 0, 'kept counters and a recount')
}

test('who was deleted elsewhere is hidden at once, and then goes with all that they did; what it counted for is right', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const name = newName('gone')
  const facts = accountFacts(name)
  const { accountId: gone } = await ctx.write((tx) => recordRemoteAccount(tx, facts))
  const other = await makeRemote(ctx)
  const post = async (body: object) => (await alice.client.post<Status>('/api/v1/statuses', body)).body
  const mine = await post({ status: 'mine' })

  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push(await makeRemoteStatus(ctx, { accountId: gone, inReplyTo: mine.uri }))
  const answer = await post({ status: 'an answer', in_reply_to_id: ids[0] })
  const deed = (accountId: string, statusId: string) => ({ accountId, statusId })
  await ctx.write(async (tx) => {
    await boostStatus(tx, deed(bob.accountId, ids[1]!))
    await boostStatus(tx, deed(other, ids[1]!))
    await favouriteStatus(tx, deed(bob.accountId, ids[2]!))
    await favouriteStatus(tx, { ...deed(gone, mine.id), uri: `${HOST}/likes/${name}` })
    await boostStatus(tx, { ...deed(gone, mine.id), remote: { uri: `${HOST}/boosts/${name}`, publishedAt: null } })
    await receiveFollow(tx, { accountId: gone, targetAccountId: alice.accountId, uri: null })
  })
  await alice.client.post(`/api/v1/accounts/${gone}/follow`)
  await ctx.write((tx) => acceptOwnRequest(tx, { accountId: alice.accountId, targetAccountId: gone }))
  await sql`insert into notifications (account_id, from_account_id, type) values (${alice.accountId}, ${gone}, 'follow')`.execute(
    ctx.db,
  )
  assert.deepEqual(await countersOf('status_stats', mine.id), [3, 1, 1])
  await recount()

  assert.equal(await ctx.write((tx) => removeRemoteAccount(tx, { uri: facts.uri })), true)
  assert.equal((await world.anonymous.get(`/api/v1/statuses/${ids[0]}`)).status, 404)
  await purgeAccount(ctx, { accountId: gone })
  await purgeAccount(ctx, { accountId: gone })
  assert.equal((await world.anonymous.get(`/api/v1/accounts/${gone}`)).status, 404)
  assert.deepEqual(await countersOf('status_stats', mine.id), [0, 0, 0])
  assert.deepEqual(await countersOf('account_stats', alice.accountId), [2, 0, 0])
  assert.deepEqual((await alice.client.get('/api/v1/notifications')).body, [])
  const { body } = await world.anonymous.get<Status>(`/api/v1/statuses/${answer.id}`)
  assert.deepEqual([body.in_reply_to_id, body.in_reply_to_account_id], [null, null])
  await recount()
})

test('who was deleted stays away for a while; who is there again after that is there again', async () => {
  const facts = accountFacts(newName('back'))
  const remove = () => ctx.write((tx) => removeRemoteAccount(tx, { uri: facts.uri }))
  const record = () => ctx.write((tx) => recordRemoteAccount(tx, facts))
  assert.equal(await remove(), false)
  await assert.rejects(record(), Forbidden)
  await sql`update tombstones set created_at = created_at - interval '7 hours' where uri = ${facts.uri}`.execute(ctx.db)
  const { accountId } = await record()
  await purgeAccount(ctx, { accountId })
  assert.equal((await world.anonymous.get(`/api/v1/accounts/${accountId}`)).status, 200)
})

test('a purge that is killed at any moment goes on where it was, and counts nothing twice', async () => {
  const [staying, mine] = [await world.createPerson(), [] as Status[]]
  const post = async (client: typeof staying.client, body: object) =>
    (await client.post<Status>('/api/v1/statuses', body)).body
  for (const text of ['one', 'two']) mine.push(await post(staying.client, { status: text }))
  for (let writes = 0, isDone = false; !isDone; writes += 1) {
    const leaving = await world.createPerson()
    for (const { id } of mine) {
      await leaving.client.post(`/api/v1/statuses/${id}/favourite`)
      await leaving.client.post(`/api/v1/statuses/${id}/reblog`)
      await post(leaving.client, { status: 'an answer', in_reply_to_id: id })
    }
    await leaving.client.post(`/api/v1/accounts/${staying.accountId}/follow`)
    await staying.client.post(`/api/v1/accounts/${leaving.accountId}/follow`)
    await ctx.write((tx) => deleteAccount(tx, leaving))
    let left = writes
    const dying: Ctx = {
      ...ctx,
      write: async (work) => {
        left -= 1
        if (left < 0) throw new Error('killed')
        return ctx.write(work)
      },
    }
    isDone = await purgeAccount(dying, leaving).then(
      () => true,
      () => false,
    )
    await purgeAccount(ctx, leaving)
    for (const { id } of mine) assert.deepEqual(await countersOf('status_stats', id), [0, 0, 0], `${writes} writes`)
    await recount()
    const { rows } = await sql`select from accounts where id = ${leaving.accountId}`.execute(ctx.db)
    assert.equal(rows.length, 0)
  }
})

test('nobody of here is removed from elsewhere', async () => {
  const { accountId } = await world.createPerson()
  const uri = `${ctx.config.origin}/ap/users/${accountId}`
  assert.equal(await ctx.write((tx) => removeRemoteAccount(tx, { uri })), false)
  await purgeAccount(ctx, { accountId })
  assert.equal((await world.anonymous.get(`/api/v1/accounts/${accountId}`)).status, 200)
})
