import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { makeRemote, makeRemoteStatus } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { List } from '../../entities/list.ts'
import type { Status } from '../../entities/status.ts'
import { expireMutes } from '../relationships/unmute.ts'
import { leaveFeeds, mergeIntoFeeds } from './merge.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world

const people = (n: number) => Promise.all(Array.from({ length: n }, () => world.createPerson()))

async function post(person: Person, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await person.client.post<Status>('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  await world.settle()
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
  await world.settle()
}

async function makeList(owner: Person, members: Person[], traits: object = {}): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list', ...traits })
  await change(owner, body.id, 'post', members)
  return body.id
}

async function change(owner: Person, id: string, method: 'post' | 'delete', members: Person[]): Promise<void> {
  const path = `/api/v1/lists/${id}/accounts`
  const answer = await owner.client[method](path, { account_ids: members.map((one) => one.accountId) })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await world.settle()
}

async function read(person: Person, timeline: string): Promise<string[]> {
  const { status, body } = await person.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

const home = (person: Person) => read(person, 'home')
const onList = (person: Person, id: string) => read(person, `list/${id}`)

/** What is written down for somebody, whatever of it they may read. */
async function kept(person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select status_id as id from feed_entries where account_id = ${person.accountId}
    union all select e.status_id from list_entries e join lists l on l.id = e.list_id
    where l.account_id = ${person.accountId}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

test('VI9 after unfollow nothing of them is left in the home feed, nor on a list, nor are they on it', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await makeList(alice, [bob, carol])
  const [first, other] = [await post(bob, 'from bob'), await post(carol, 'from carol')]
  const passed = await boost(bob, other)
  const quiet = await post(bob, 'for followers', { visibility: 'private' })
  assert.deepEqual(await home(alice), [quiet, other, first])
  assert.deepEqual(await onList(alice, list), [quiet, other, first])
  assert.ok(!(await home(alice)).includes(passed), 'what stands there already is not boosted into it')
  await act(alice, 'unfollow', bob)
  assert.deepEqual(await home(alice), [other])
  assert.deepEqual(await onList(alice, list), [other])
  assert.deepEqual(await kept(alice), [other, other])
  const { body } = await alice.client.get(`/api/v1/lists/${list}/accounts`)
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    [carol.accountId],
  )
  await act(alice, 'follow', bob)
  assert.deepEqual(await home(alice), [quiet, other, first])
  assert.deepEqual(await onList(alice, list), [other])
})

test('VI16 a mute takes all that has to do with somebody out of home and lists; without it their posts come back', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await makeList(alice, [bob, carol])
  const own = await post(bob, 'from bob')
  const passed = await boost(carol, await post(bob, 'passed on', { visibility: 'unlisted' }))
  const named = await post(carol, `about @${bob.username}`)
  const plain = await post(carol, 'about nothing')
  assert.equal((await home(alice)).length, 4)
  await act(alice, 'mute', bob)
  assert.deepEqual([await home(alice), await onList(alice, list)], [[plain], [plain]])
  assert.deepEqual(await kept(alice), [plain, plain])
  const quiet = await post(bob, 'while muted')
  await post(carol, `again about @${bob.username}`)
  assert.deepEqual([await home(alice), await onList(alice, list)], [[plain], [plain]])
  // Muted again, otherwise: still muted.
  await act(alice, 'mute', bob, { notifications: false })
  assert.deepEqual(await home(alice), [plain])
  await act(alice, 'unmute', bob)
  const back = await home(alice)
  assert.deepEqual(
    [own, quiet, plain].filter((id) => !back.includes(id)),
    [],
  )
  assert.ok(!back.includes(named) && !back.includes(passed), 'what others wrote about them stays out')
  assert.deepEqual((await onList(alice, list)).includes(quiet), true)
})

test('a mute that ends by itself lets the posts come back', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  await act(alice, 'follow', bob)
  const own = await post(bob, 'from bob')
  await act(alice, 'mute', bob, { duration: 60 })
  assert.deepEqual(await kept(alice), [])
  await ctx.db
    .updateTable('mutes')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('account_id', '=', alice.accountId)
    .execute()
  await expireMutes(ctx)
  await world.settle()
  assert.deepEqual(await home(alice), [own])
})

test('a block empties the feeds and lists of both of each other', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
    [alice, carol],
    [bob, carol],
  ] as const) {
    await act(one, 'follow', other)
  }
  const list = await makeList(bob, [alice, carol])
  const [mine, theirs] = [await post(alice, 'from alice'), await post(bob, 'from bob')]
  const about = await post(carol, `for @${bob.username}`)
  await act(alice, 'block', bob)
  assert.deepEqual(await kept(alice), [mine])
  assert.deepEqual(await home(bob), [about, theirs])
  assert.deepEqual(await onList(bob, list), [about])
  await act(alice, 'unblock', bob)
  assert.deepEqual(await home(alice), [mine])
})

test('a domain that is blocked leaves home and lists, also where others boost it, and does not come back', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  await act(alice, 'follow', bob)
  const list = await makeList(alice, [bob])
  const stranger = await makeRemote(ctx, {
    handle: { username: 'guest', domain: 'deep.bad.test' },
    uri: 'https://deep.bad.test/guest',
  })
  const passed = await boost(bob, await makeRemoteStatus(ctx, { accountId: stranger }))
  const plain = await post(bob, 'from bob')
  assert.deepEqual(
    [await home(alice), await onList(alice, list)],
    [
      [plain, passed],
      [plain, passed],
    ],
  )
  await alice.client.post('/api/v1/domain_blocks', { domain: 'bad.test' })
  await world.settle()
  assert.deepEqual(await kept(alice), [plain, plain])
  await boost(bob, await makeRemoteStatus(ctx, { accountId: stranger }))
  assert.deepEqual(await kept(alice), [plain, plain])
  await alice.client.delete('/api/v1/domain_blocks', { domain: 'bad.test' })
  assert.deepEqual([await home(alice), await onList(alice, list)], [[plain], [plain]])
})

test('whoever comes onto a list brings their latest posts, and takes them along', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const [first, second] = [await post(bob, 'one'), await post(bob, 'two')]
  const answer = await post(bob, 'to carol', { in_reply_to_id: await post(carol, 'asked') })
  const secret = await post(bob, `for @${alice.username} alone`, { visibility: 'direct' })
  const mine = await post(alice, 'from alice')
  const list = await makeList(alice, [bob, alice])
  assert.deepEqual(await onList(alice, list), [mine, second, first])
  assert.ok((await home(alice)).includes(secret))
  await change(alice, list, 'post', [carol])
  const third = await post(bob, 'to carol again', { in_reply_to_id: answer })
  assert.equal((await onList(alice, list))[0], third)
  await change(alice, list, 'delete', [bob, alice])
  assert.equal((await onList(alice, list)).length, 1)
  await change(alice, list, 'delete', [carol])
  assert.deepEqual(await onList(alice, list), [])
  assert.ok((await home(alice)).includes(first))
})

test('the policy of a list says whose talk it shows; replies to its owner and threads are always there', async () => {
  const [alice, bob, carol, dora, member] = (await people(5)) as [Person, Person, Person, Person, Person]
  for (const one of [bob, carol, member]) await act(alice, 'follow', one)
  const lists: Record<string, string> = {}
  for (const policy of ['list', 'followed', 'none']) {
    lists[policy] = await makeList(alice, [bob, member], { title: policy, replies_policy: policy })
  }
  const answer = async (to: Person) => post(bob, 'an answer', { in_reply_to_id: await post(to, 'a question') })
  const [toOwner, toMember, toFollowed, toStranger] = [
    await answer(alice),
    await answer(member),
    await answer(carol),
    await answer(dora),
  ]
  const thread = await post(bob, 'more', { in_reply_to_id: await post(bob, 'begun') })
  const answers = [toOwner, toMember, toFollowed, toStranger, thread]
  const seen = async (policy: string) => {
    const shown = await onList(alice, lists[policy]!)
    return answers.filter((id) => shown.includes(id))
  }
  assert.deepEqual(await seen('list'), [toOwner, toMember, thread])
  assert.deepEqual(await seen('followed'), [toOwner, toMember, toFollowed, thread])
  assert.deepEqual(await seen('none'), [toOwner, thread])
})

test('those on an exclusive list are out of the home feed as long as it is one, as long as they are on it, and as it is there', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await makeList(alice, [bob])
  const [first, other, mine] = [await post(bob, 'one'), await post(carol, 'two'), await post(alice, 'three')]
  const put = async (exclusive: boolean) => {
    assert.equal((await alice.client.put(`/api/v1/lists/${list}`, { exclusive })).status, 200)
    await world.settle()
  }
  assert.deepEqual(await home(alice), [mine, other, first])
  await put(true)
  assert.deepEqual(await home(alice), [mine, other])
  const second = await post(bob, 'four')
  const third = await boost(bob, other)
  assert.deepEqual(await home(alice), [mine, other])
  assert.deepEqual(await onList(alice, list), [third, second, first])
  await change(alice, list, 'post', [carol, alice])
  assert.deepEqual(await home(alice), [mine])
  await change(alice, list, 'delete', [carol])
  assert.deepEqual(await home(alice), [mine, other])
  await put(false)
  assert.deepEqual(await home(alice), [second, mine, other, first])
  await put(true)
  assert.deepEqual(await home(alice), [mine, other])
  await alice.client.delete(`/api/v1/lists/${list}`)
  await world.settle()
  assert.deepEqual(await home(alice), [second, mine, other, first])
  assert.deepEqual((await kept(alice)).toSorted(), [second, mine, other, first].toSorted())
})

test('a feed is the same however often what follows from a deed is done, and however late', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await makeList(alice, [bob])
  const ids = [await post(bob, 'one'), await post(carol, 'two')]
  const pair = { accountId: alice.accountId, targetAccountId: bob.accountId }
  const before = await kept(alice)
  assert.equal(before.length, 3)
  for (const effect of [mergeIntoFeeds, leaveFeeds, mergeIntoFeeds]) await effect(ctx, pair)
  assert.deepEqual(await kept(alice), before)
  await act(alice, 'unfollow', bob)
  for (const effect of [mergeIntoFeeds, leaveFeeds, mergeIntoFeeds]) await effect(ctx, pair)
  assert.deepEqual([await home(alice), await onList(alice, list)], [[ids[1]], []])
})

test('nothing is left in any feed of a status, a list or a person that is gone', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  await act(alice, 'follow', bob)
  await ctx.db.updateTable('users').set({ aggregate_reblogs: false }).where('id', '=', alice.userId).execute()
  const list = await makeList(alice, [bob, alice])
  const doomed = await post(bob, 'one')
  await boost(alice, doomed)
  const count = async () => (await kept(alice)).length
  assert.equal(await count(), 4)
  await bob.client.delete(`/api/v1/statuses/${doomed}`)
  assert.equal(await count(), 0)
  await post(bob, 'two')
  assert.equal(await count(), 2)
  await alice.client.delete(`/api/v1/lists/${list}`)
  const { rows } = await sql`select from list_entries where list_id = ${list}`.execute(ctx.db)
  assert.equal(rows.length, 0)
  await ctx.db.deleteFrom('accounts').where('id', '=', alice.accountId).execute()
  assert.equal(await count(), 0)
})
