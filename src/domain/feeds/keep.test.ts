import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { walkPages } from '../../../test/walk.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { List } from '../../entities/list.ts'
import type { Status } from '../../entities/status.ts'
import { everyJob } from '../../../test/every-job.ts'
import { addToFeeds } from './fill.ts'
import { dropFeeds, remakeFeeds } from './keep.ts'
import { mergeIntoFeeds, mergeIntoList } from './merge.ts'
import { pruneFeeds } from './prune.ts'

// What follows from a deed is done here by hand, so that it can be seen what there is before and after.
const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world

async function post(person: Person, status: string, more: object = {}): Promise<string> {
  const { body } = await person.client.post<Status>('/api/v1/statuses', { status, ...more })
  await addToFeeds(ctx, { statusId: body.id })
  return body.id
}

async function follow(person: Person, other: Person): Promise<void> {
  await person.client.post(`/api/v1/accounts/${other.accountId}/follow`)
  await mergeIntoFeeds(ctx, { accountId: person.accountId, targetAccountId: other.accountId })
}

async function makeList(owner: Person, members: Person[], traits: object = {}): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list', ...traits })
  const memberIds = members.map((one) => one.accountId)
  const answer = await owner.client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: memberIds })
  assert.equal(answer.status, 200)
  await mergeIntoList(ctx, { accountId: owner.accountId, listId: body.id, memberIds, exclusive: body.exclusive })
  return body.id
}

async function read(person: Person, timeline = 'home'): Promise<[status: number, ids: string[]]> {
  const { status, body } = await person.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  return [status, body.map(({ id }) => id)]
}

/** Reads complete feeds, also where a busy machine takes longer to rebuild them than a request waits. */
async function readComplete(person: Person, timeline = 'home'): Promise<[status: number, ids: string[]]> {
  const [status, ids] = await read(person, timeline)
  if (status === 200) return [status, ids]
  await remakeFeeds(ctx, { accountId: person.accountId })
  return read(person, timeline)
}

async function setLastSeen(person: Person, days: number): Promise<void> {
  await sql`update users set last_seen_at = now() - ${days} * interval '1 day' where id = ${person.userId}`.execute(
    ctx.db,
  )
}

async function leave(person: Person, days = 31): Promise<void> {
  await setLastSeen(person, days)
  await dropFeeds(ctx)
}

async function countEntries(person: Person): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*)::int from feed_entries where account_id = ${person.accountId})
      + (select count(*)::int from list_entries e join lists l on l.id = e.list_id
         where l.account_id = ${person.accountId}) as n`.execute(ctx.db)
  return rows[0]!.n
}

async function countAsked(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${everyJob} j where j.name = 'remakeFeeds'`.execute(ctx.db)
  return rows[0]!.n
}

/** Holds a lock that a rebuild of the feeds with this status waits for, while the work is done. */
async function whileRebuildsWait<T>(statusId: string, work: () => Promise<T>): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    await sql`select from statuses where id = ${statusId} for update`.execute(tx)
    return work()
  })
}

test('the first request of a user who comes back after long is answered with the complete feeds', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await follow(alice, bob)
  await follow(alice, carol)
  const list = await makeList(alice, [bob])
  const [first, mine] = [await post(bob, 'one'), await post(alice, 'mine')]
  assert.equal(await countEntries(alice), 3)
  await leave(alice)
  assert.equal(await countEntries(alice), 0)
  const [second, other] = [await post(bob, 'two'), await post(carol, 'three')]
  assert.equal(await countEntries(alice), 0)

  const home = [200, [other, second, mine, first]]
  let answers: unknown[] = []
  // A busy machine may take longer than a request waits.
  for (let tries = 0; tries < 5 && !isDeepStrictEqual(answers[0], home); tries += 1) {
    await leave(alice)
    answers = await Promise.all([read(alice), read(alice), read(alice, `list/${list}`)])
  }
  assert.deepEqual(answers, [home, home, [200, [second, first]]])
  const third = await post(bob, 'three')
  assert.deepEqual(await read(alice), [200, [third, other, second, mine, first]])
})

test('a rebuild that takes long is left to one job, and every answer until its end is 206', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob)
  const list = await makeList(alice, [bob])
  await leave(alice)
  const first = await post(bob, 'one')

  const asked = await countAsked()
  await whileRebuildsWait(first, async () => {
    assert.deepEqual(await read(alice), [206, []])
    assert.deepEqual(await read(alice, `list/${list}`), [206, []])
    const readings = [read(alice), read(alice), read(alice, `list/${list}`)]
    for (const answer of await Promise.all(readings)) assert.deepEqual(answer, [206, []])
  })
  assert.equal(await countAsked(), asked + 1)
  const second = await post(bob, 'during the rebuild')
  assert.deepEqual(await read(alice), [206, [second]])
  for (let n = 0; n < 2; n += 1) await remakeFeeds(ctx, { accountId: alice.accountId })
  assert.deepEqual(await read(alice), [200, [second, first]])
  assert.deepEqual(await read(alice, `list/${list}`), [200, [second, first]])
  assert.equal(await countAsked(), asked + 1)
})

test('feeds that were not dropped yet are rebuilt too when their user comes back after long', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob)
  const first = await post(bob, 'before')
  await setLastSeen(alice, 31)
  const second = await post(bob, 'while she was away')
  assert.deepEqual(await readComplete(alice), [200, [second, first]])
})

test('feeds that are made again have what belongs there now, each thing once', async () => {
  const alice = await world.createPerson()
  const [bob, carol, muted, apart] = await Promise.all([1, 2, 3, 4].map(() => world.createPerson()))
  for (const one of [bob!, carol!, muted!, apart!]) await follow(alice, one)
  const list = await makeList(alice, [apart!], { exclusive: true })
  await leave(alice)
  const question = await post(await world.createPerson(), 'asked by a stranger')
  const plain = await post(bob!, 'one')
  await post(bob!, 'an answer to a stranger', { in_reply_to_id: question })
  const answer = await post(bob!, 'an answer', { in_reply_to_id: await post(carol!, 'asked') })
  const direct = await post(bob!, `for @${alice.username}`, { visibility: 'direct' })
  await post(bob!, `for @${carol!.username}`, { visibility: 'direct' })
  await post(muted!, 'unheard')
  const elsewhere = await post(apart!, 'on the list')
  for (const one of [bob!, carol!]) await one.client.post(`/api/v1/statuses/${question}/reblog`)
  // The user is back, but has not read a timeline.
  await alice.client.post(`/api/v1/accounts/${muted!.accountId}/mute`)
  const [status, ids] = await readComplete(alice)
  assert.equal(status, 200)
  const shown = await alice.client.get<Status[]>('/api/v1/timelines/home?limit=40')
  const boosts = shown.body.filter(({ reblog }) => reblog !== null)
  assert.deepEqual(
    boosts.map(({ account, reblog }) => [account.id, reblog!.id]),
    [[bob!.accountId, question]],
  )
  assert.deepEqual(
    [plain, answer, direct].filter((id) => !ids.includes(id)),
    [],
  )
  assert.equal(ids.length, 5)
  assert.deepEqual(await read(alice, `list/${list}`), [200, [elsewhere]])
})

test('a feed is made again of 400 statuses of each at most, the newest, and holds 800', async () => {
  const [alice, bob, carol, dora] = await Promise.all([1, 2, 3, 4].map(() => world.createPerson()))
  for (const one of [bob!, carol!, dora!]) await follow(alice!, one)
  await leave(alice!)
  const write = async (person: Person, count: number) => {
    const { rows } = await sql<{ id: string }>`
      insert into statuses (account_id, uri, url, visibility)
      select ${person.accountId}, gen_random_uuid()::text, '', 'public' from generate_series(1, ${count}::int)
      returning id`.execute(ctx.db)
    return rows.map(({ id }) => id)
  }
  const bobs = await write(bob!, 450)
  await write(alice!, 10)
  const carols = await write(carol!, 300)
  const doras = await write(dora!, 200)
  await readComplete(alice!)
  const { rows } = await sql<{ id: string }>`
    select status_id as id from feed_entries where account_id = ${alice!.accountId} order by status_id`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  assert.equal(ids.length, 800)
  assert.deepEqual(ids.slice(-500), [...carols, ...doras])
  assert.deepEqual(ids.slice(0, 290), bobs.slice(-290))
  const newer = await write(bob!, 30)
  for (const statusId of newer) await addToFeeds(ctx, { statusId })
  assert.equal(await countEntries(alice!), 830)
  await pruneFeeds(ctx)
  const pages = await walkPages(alice!.client, '/api/v1/timelines/home?limit=40')
  assert.deepEqual(pages.flat(), [...newer.toReversed(), ...ids.toReversed().slice(0, 770)])
})

test('whoever was here in the last thirty days keeps their feeds, and being here is noted', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob)
  const id = await post(bob, 'one')
  await leave(alice, 29)
  assert.deepEqual(await read(alice), [200, [id]])
  const { rows } = await sql<{ fresh: boolean }>`
    select last_seen_at > now() - interval '1 hour' as fresh from users where id = ${alice.userId}`.execute(ctx.db)
  assert.deepEqual(rows, [{ fresh: true }])
  await dropFeeds(ctx)
  assert.deepEqual(await read(alice), [200, [id]])
  await leave(alice)
  await leave(alice)
  assert.equal(await countEntries(alice), 0)
  const missed = await post(bob, 'two')
  // A user who does not wait for the end of the rebuild is away like any other.
  await whileRebuildsWait(missed, async () => assert.equal((await read(alice))[0], 206))
  await leave(alice)
  await remakeFeeds(ctx, { accountId: alice.accountId })
  assert.equal(await countEntries(alice), 0)
  assert.deepEqual(await readComplete(alice), [200, [missed, id]])
})
