import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createCrowd } from '../../../test/create-crowd.ts'
import { hearAll, heardBy } from '../../../test/hearing.ts'
import { makeRemote, makeRemoteStatus } from '../../../test/remote.ts'
import { serveStreams } from '../../../test/streams.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { List } from '../../entities/list.ts'
import type { Status } from '../../entities/status.ts'
import { addToFeeds } from './fill.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
const { ctx } = world
const { origin, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

const people = (n: number) => Promise.all(Array.from({ length: n }, () => world.createPerson()))

async function post(person: Person, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await person.client.post<Status>('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  return body.id
}

async function boost(person: Person, id: string): Promise<string> {
  const { body } = await person.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
  await world.settle()
  return body.id
}

async function act(person: Person, verb: string, other: Person, terms: object = {}): Promise<void> {
  const { status, body } = await person.client.post(`/api/v1/accounts/${other.accountId}/${verb}`, terms)
  assert.equal(status, 200, JSON.stringify(body))
}

async function read(person: Person, timeline = 'home'): Promise<string[]> {
  await world.settle()
  const { status, body } = await person.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

async function makeList(owner: Person, ...members: Person[]): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list' })
  const answer = await owner.client.post(`/api/v1/lists/${body.id}/accounts`, {
    account_ids: members.map((one) => one.accountId),
  })
  assert.equal(answer.status, 200)
  await world.settle()
  return body.id
}

test('a followed hashtag brings what is posted with it in public into the home feed, and nothing else', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  await alice.client.post('/api/v1/tags/gardens/follow')
  const first = await post(bob, 'My #Gardens')
  const both = await post(bob, 'More #trees and #gardens')
  const answer = await post(bob, 'and #gardens', { in_reply_to_id: first })
  for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, 'Hidden #gardens', { visibility })
  await post(bob, 'Only #trees')
  await boost(bob, both)
  assert.deepEqual(await read(alice), [answer, both, first])
  const mine = await post(alice, 'My own #gardens')
  assert.deepEqual(await read(alice), [mine, answer, both, first])
  await alice.client.post('/api/v1/tags/trees/follow')
  await alice.client.post('/api/v1/tags/gardens/unfollow')
  assert.deepEqual(await read(alice), [mine, both])
  const after = await post(bob, 'After all #gardens')
  assert.ok(!(await read(alice)).includes(after))
})

test('a hashtag brings nothing of those whom one blocks or mutes, who block one, or who are silenced or of a blocked domain', async () => {
  const alice = await world.createPerson()
  const [blocked, muted, blocking, silenced, friend] = (await people(5)) as [Person, Person, Person, Person, Person]
  await alice.client.post('/api/v1/tags/rivers/follow')
  await act(alice, 'block', blocked)
  await act(alice, 'mute', muted)
  await act(blocking, 'block', alice)
  await ctx.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', silenced.accountId).execute()
  await alice.client.post('/api/v1/domain_blocks', { domain: 'bad.test' })
  for (const one of [blocked, muted, blocking, silenced]) await post(one, 'Wide #rivers')
  for (const host of ['bad.test', 'deep.bad.test', 'good.test']) {
    const accountId = await makeRemote(ctx, {
      handle: { username: 'guest', domain: host },
      uri: `https://${host}/guest`,
    })
    const hashtags = new Map([['rivers', 'rivers']])
    await makeRemoteStatus(ctx, { accountId, uri: `https://${host}/1`, hashtags, publishedAt: new Date() })
  }
  await post(friend, `Wide #rivers, says @${muted.username}`)
  const wanted = await post(friend, 'Long #rivers')
  const [newest, fromAfar, ...others] = await read(alice)
  assert.deepEqual([newest, others], [wanted, []])
  const { body } = await alice.client.get<Status>(`/api/v1/statuses/${fromAfar}`)
  assert.equal(body.account.acct, 'guest@good.test')
  const { rows } = await sql`select from feed_entries where account_id = ${alice.accountId}`.execute(ctx.db)
  assert.equal(rows.length, 2)
})

test('what a followed hashtag brings is told on the home stream at once, and so is its end', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await alice.client.post('/api/v1/tags/bridges/follow')
  await act(carol, 'follow', bob)
  await carol.client.post('/api/v1/tags/bridges/follow')
  await world.settle()
  const sockets = await hearAll(origin, { people: { alice, bob, carol }, streams: ['user'] })
  const id = await post(bob, 'Old #bridges and #bridges')
  const once = [`user update ${id}`]
  assert.deepEqual(await heardBy(world, sockets), { alice: once, bob: once, carol: once })
  await bob.client.delete(`/api/v1/statuses/${id}`)
  const gone = [`user delete ${id}`]
  assert.deepEqual(await heardBy(world, sockets), { alice: gone, bob: gone, carol: gone })
})

test('who follows in some languages, or without boosts, gets only these, in the home feed and on lists', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob, { languages: ['de', 'fr'], reblogs: false })
  const list = await makeList(alice, bob)
  const [german] = [await post(bob, 'Guten Tag', { language: 'de' }), await post(bob, 'Hello', { language: 'en' })]
  await boost(bob, await post(carol, 'Bonjour', { language: 'fr' }))
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[german], [german]])
  await act(alice, 'follow', bob, { reblogs: true })
  const passed = await boost(bob, await post(carol, 'Salut', { language: 'fr' }))
  await boost(bob, await post(carol, 'Ciao', { language: 'it' }))
  assert.deepEqual(
    [await read(alice), await read(alice, `list/${list}`)],
    [
      [passed, german],
      [passed, german],
    ],
  )
  // What is in the feed stays, whatever the follow says from now on.
  await act(alice, 'follow', bob, { reblogs: false })
  await boost(bob, await post(carol, 'Adieu', { language: 'fr' }))
  assert.deepEqual(await read(alice), [passed, german])
})

test('a second boost of what stands near is left out of homes and lists, unless a person wants them all', async () => {
  const [alice, all, bob, carol, dora] = (await people(5)) as [Person, Person, Person, Person, Person]
  await ctx.db.updateTable('users').set({ aggregate_reblogs: false }).where('id', '=', all.userId).execute()
  const lists: string[] = []
  for (const reader of [alice, all]) {
    for (const one of [bob, carol]) await act(reader, 'follow', one)
    lists.push(await makeList(reader, bob, carol))
  }
  const id = await post(dora, 'worth it')
  const [first, second] = [await boost(bob, id), await boost(carol, id)]
  assert.deepEqual([await read(alice), await read(alice, `list/${lists[0]}`)], [[first], [first]])
  assert.deepEqual(
    [await read(all), await read(all, `list/${lists[1]}`)],
    [
      [second, first],
      [second, first],
    ],
  )
  // What took its place is shown when it is taken back.
  await bob.client.post(`/api/v1/statuses/${id}/unreblog`)
  assert.deepEqual([await read(alice), await read(alice, `list/${lists[0]}`)], [[second], [second]])
  assert.deepEqual(await read(all), [second])
  // Forty others later it may be said again.
  await carol.client.post(`/api/v1/statuses/${id}/unreblog`)
  const early = await boost(bob, id)
  for (let n = 0; n < 40; n += 1) await post(carol, `number ${n}`)
  await world.settle()
  const late = await boost(carol, id)
  assert.deepEqual([(await read(alice))[0], (await read(alice, `list/${lists[0]}`))[0]], [late, late])
  const { rows } = await sql<{ id: string }>`
    select status_id as id from feed_entries where account_id = ${alice.accountId} and original_id = ${id}
    order by status_id`.execute(ctx.db)
  assert.deepEqual(
    rows.map((row) => row.id),
    [early, late],
  )
})

test('one’s own boost of what stands near repeats nothing in one’s own feed, and takes its place when that goes', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob)
  const id = await post(bob, 'worth it')
  await boost(alice, id)
  assert.deepEqual(await read(alice), [id])
  const far = await post(carol, 'from afar')
  const passed = await boost(bob, far)
  const own = await boost(alice, far)
  assert.deepEqual(await read(alice), [passed, id])
  await bob.client.post(`/api/v1/statuses/${far}/unreblog`)
  assert.deepEqual(await read(alice), [own, id])
  await ctx.db.updateTable('users').set({ aggregate_reblogs: false }).where('id', '=', alice.userId).execute()
  for (const one of [id, far]) await alice.client.post(`/api/v1/statuses/${one}/unreblog`)
  const again = await boost(alice, id)
  assert.deepEqual(await read(alice), [again, id])
})

test('a boost of what stands in thousands of feeds is repeated in none of them, and written into all others', async () => {
  const [bob, dora, reader] = (await people(3)) as [Person, Person, Person]
  const id = await post(dora, 'known to all')
  await world.settle()
  const crowd = await createCrowd(ctx, { prefix: 'crowd', count: 5_100 })
  await sql`insert into follows (account_id, target_account_id)
    select id, ${bob.accountId} from unnest(${crowd}::bigint[]) id`.execute(ctx.db)
  const knowing = crowd.slice(0, 5_050)
  await sql`insert into feed_entries (account_id, status_id, original_id)
    select id, ${id}, ${id} from unnest(${knowing}::bigint[]) id`.execute(ctx.db)
  await act(reader, 'follow', bob)
  const passed = await boost(bob, id)
  const { rows } = await sql<{ id: string }>`
    select account_id as id from feed_entries where status_id = ${passed}`.execute(ctx.db)
  const others = [bob.accountId, reader.accountId, ...crowd.slice(5_050)]
  assert.deepEqual(rows.map((row) => row.id).toSorted(), others.toSorted())
})

test('nothing is written for those who were not here for thirty days, and a status twice for nobody', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  for (const one of [alice, carol]) {
    await act(one, 'follow', bob)
    await one.client.post('/api/v1/tags/winds/follow')
    await makeList(one, bob)
  }
  await sql`update users set last_seen_at = now() - interval '31 days' where id = ${carol.userId}`.execute(ctx.db)
  const id = await post(bob, 'Strong #winds')
  await world.settle()
  await addToFeeds(ctx, { statusId: id })
  const { rows } = await sql<{ owner: string }>`
    select account_id as owner from feed_entries where status_id = ${id}
    union all select l.account_id from list_entries e join lists l on l.id = e.list_id
    where e.status_id = ${id}`.execute(ctx.db)
  const byText = (one: string, other: string) => one.localeCompare(other)
  assert.deepEqual(
    rows.map((row) => row.owner).toSorted(byText),
    [alice.accountId, alice.accountId, bob.accountId].toSorted(byText),
  )
})
