// Slow: races many actions at once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { compareIds, timeOfStatusId } from '../../lib/ids.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const AT_ONCE = 50

const repeat = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)))

async function post(person: Person, body: object): Promise<string> {
  return (await person.client.post('/api/v1/statuses', body)).body.id
}

test('BI10 one idempotency key, sent 50 times at once and with other words, makes one status', async () => {
  const alice = await world.createPerson()
  const answers = await repeat((n) =>
    alice.client.post('/api/v1/statuses', { status: `try ${n % 2}` }, { 'idempotency-key': 'k-1' }),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  const other = await world.createPerson()
  const theirs = await other.client.post('/api/v1/statuses', { status: 'mine' }, { 'idempotency-key': 'k-1' })
  assert.notEqual(theirs.body.id, answers[0]!.body.id)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from statuses where account_id = ${alice.accountId}`.execute(world.ctx.db)
  assert.equal(rows[0]!.count, 1)
})

test('BI17 favourites and boosts by 50 people at once, some of them taken back, leave exact counters', async () => {
  const author = await world.createPerson()
  const id = await post(author, { status: 'popular' })
  const people = await Promise.all(Array.from({ length: AT_ONCE }, () => world.createPerson()))
  const doAndUndo = async ({ client }: Person, deed: string, undo: boolean) => {
    const done = await client.post(`/api/v1/statuses/${id}/${deed}`)
    return undo ? [done, await client.post(`/api/v1/statuses/${id}/un${deed}`)] : [done]
  }
  const answers = (
    await Promise.all(
      people.flatMap((person, n) => [
        doAndUndo(person, 'favourite', n % 3 === 0),
        doAndUndo(person, 'reblog', n % 4 === 0),
      ]),
    )
  ).flat()
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { rows } = await sql<{ favourites: number; boosts: number }>`
    select (select count(*)::int from favourites where status_id = ${id}) as favourites,
      (select count(*)::int from statuses where reblog_of_id = ${id}) as boosts`.execute(world.ctx.db)
  const { body } = await author.client.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([body.favourites_count, body.reblogs_count], [rows[0]!.favourites, rows[0]!.boosts])
})

test('BI17 the same person’s favourite and boost, 50 times at once, count once', async () => {
  const [author, fan] = [await world.createPerson(), await world.createPerson()]
  const id = await post(author, { status: 'x' })
  const favourites = await repeat(() => fan.client.post(`/api/v1/statuses/${id}/favourite`))
  const boosts = await repeat(() => fan.client.post(`/api/v1/statuses/${id}/reblog`))
  assert.deepEqual([...new Set([...favourites, ...boosts].map(({ status }) => status))], [200])
  assert.equal(new Set(boosts.map(({ body }) => body.id)).size, 1)
  const { body } = await author.client.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([body.favourites_count, body.reblogs_count], [1, 1])
})

test('FP8 deleting a status while it goes to followers, and others favourite, keep, boost and answer it, leaves no orphan', async () => {
  const author = await world.createPerson()
  const people = await Promise.all(Array.from({ length: 10 }, () => world.createPerson()))
  for (const { client } of people) await client.post(`/api/v1/accounts/${author.accountId}/follow`)
  for (let round = 0; round < 5; round += 1) {
    const id = await post(author, { status: 'here and gone' })
    const answers = await Promise.all([
      ...people.flatMap(({ client }) => [
        client.post(`/api/v1/statuses/${id}/favourite`),
        client.post(`/api/v1/statuses/${id}/bookmark`),
        client.post(`/api/v1/statuses/${id}/reblog`),
        client.post('/api/v1/statuses', { status: 'answer', in_reply_to_id: id }),
      ]),
      author.client.delete(`/api/v1/statuses/${id}`),
    ])
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 404),
      JSON.stringify(answers.map((a) => a.status)),
    )
  }
  await world.settle()
  for (const { client } of people) {
    for (const list of ['timelines/home', 'favourites', 'bookmarks', 'notifications']) {
      const { status, body } = await client.get(`/api/v1/${list}`)
      assert.equal(status, 200)
      for (const one of body) assert.ok(one.content !== '<p>here and gone</p>' && one.status !== null, list)
    }
  }
  const { rows } = await sql<{ feeds: number; wrong: number }>`
    select (select count(*)::int from feed_entries e where not exists (select from statuses s where s.id = e.status_id)) as feeds,
      (select count(*)::int from account_stats st where st.statuses_count <> (
        select count(*) from statuses s where s.account_id = st.account_id and s.visibility <> 'direct')) as wrong`.execute(
    world.ctx.db,
  )
  assert.deepEqual(rows[0], { feeds: 0, wrong: 0 })
  const orphans = await sql<{ count: number }>`
    select count(*)::int as count from statuses b left join statuses o on o.id = b.reblog_of_id
    where b.reblog_of_id is not null and o.id is null`.execute(world.ctx.db)
  assert.equal(orphans.rows[0]!.count, 0)
})

test('ME7 of two statuses that claim one upload at once, one gets it; others’ uploads are nobody’s', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${alice.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(
    world.ctx.db,
  )
  const media_ids = [rows[0]!.id]
  const stolen = await bob.client.post('/api/v1/statuses', { status: 'x', media_ids })
  assert.deepEqual(
    [stolen.status, stolen.body.error],
    [422, `Media ${media_ids[0]} not found or already attached to another post`],
  )
  const answers = await repeat(() => alice.client.post('/api/v1/statuses', { status: 'pic', media_ids }))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 422))
  assert.equal((await alice.client.get(`/api/v1/media/${media_ids[0]}`)).status, 404)
})

test('FP10 70,000 ids of one millisecond, a clock that steps back and many writers: unique and rising', async () => {
  const { db } = world.ctx
  const at = String(Date.now() + 60_000)
  const many = await sql<{ id: string }>`
    select next_status_id(${at}::bigint) as id from generate_series(1, 70000)`.execute(db)
  const ids = many.rows.map(({ id }) => id)
  assert.equal(new Set(ids).size, 70_000)
  assert.ok(ids.every((id, n) => n === 0 || compareIds(ids[n - 1]!, id) < 0))
  assert.equal(timeOfStatusId(ids[0]!).getTime(), Number(at))
  // More than 65,536 do not fit: the rest carries into the next millisecond.
  assert.equal(timeOfStatusId(ids.at(-1)!).getTime(), Number(at) + 1)
  const back = await sql<{
    id: string
  }>`select next_status_id(${String(Number(at) - 3_600_000)}::bigint) as id`.execute(db)
  assert.ok(compareIds(ids.at(-1)!, back.rows[0]!.id) < 0)
  const parallel = await repeat(() =>
    sql<{ id: string }>`select next_status_id() as id from generate_series(1, 20)`.execute(db),
  )
  const all = parallel.flatMap(({ rows }) => rows.map(({ id }) => id))
  assert.equal(new Set(all).size, AT_ONCE * 20)
})
