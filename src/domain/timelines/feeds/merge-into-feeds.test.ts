import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { expireMutes } from '../../relationships/mutes/unmute-account.ts'
import { mergeAccountsIntoFeeds, removeAccountsFromFeeds } from './merge-into-feeds.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

const users = (n: number) => Promise.all(Array.from({ length: n }, () => testServer.createUser()))

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await user.client.post<Status>('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  await testServer.waitForJobs()
  return body.id
}

async function reblog(user: TestUser, id: string): Promise<string> {
  const { body } = await user.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
  await testServer.waitForJobs()
  return body.id
}

async function act(user: TestUser, action: string, other: TestUser, options: object = {}): Promise<void> {
  const { status, body } = await user.client.post(`/api/v1/accounts/${other.accountId}/${action}`, options)
  assert.equal(status, 200, JSON.stringify(body))
  await testServer.waitForJobs()
}

async function createList(owner: TestUser, members: TestUser[], traits: object = {}): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list', ...traits })
  await editMembers(owner, body.id, 'post', members)
  return body.id
}

async function editMembers(owner: TestUser, id: string, method: 'post' | 'delete', members: TestUser[]): Promise<void> {
  const path = `/api/v1/lists/${id}/accounts`
  const response = await owner.client[method](path, { account_ids: members.map((one) => one.accountId) })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  await testServer.waitForJobs()
}

async function read(user: TestUser, timeline: string): Promise<string[]> {
  const { status, body } = await user.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

const home = (user: TestUser) => read(user, 'home')
const onList = (user: TestUser, id: string) => read(user, `list/${id}`)

/** Returns the stored entries of a user's feeds, whether or not the user may read them. */
async function entriesOf(user: TestUser): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select status_id as id from feed_entries where account_id = ${user.accountId}
    union all select e.status_id from list_entries e join lists l on l.id = e.list_id
    where l.account_id = ${user.accountId}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

test('VI9 an unfollow removes the account from lists, and its statuses from the home feed and list feeds', async () => {
  const [alice, bob, carol] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await createList(alice, [bob, carol])
  const [first, other] = [await post(bob, 'from bob'), await post(carol, 'from carol')]
  const reblogged = await reblog(bob, other)
  const privateId = await post(bob, 'for followers', { visibility: 'private' })
  assert.deepEqual(await home(alice), [privateId, other, first])
  assert.deepEqual(await onList(alice, list), [privateId, other, first])
  assert.ok(!(await home(alice)).includes(reblogged), 'a reblog does not repeat a status of the feed')
  await act(alice, 'unfollow', bob)
  assert.deepEqual(await home(alice), [other])
  assert.deepEqual(await onList(alice, list), [other])
  assert.deepEqual(await entriesOf(alice), [other, other])
  const { body } = await alice.client.get(`/api/v1/lists/${list}/accounts`)
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    [carol.accountId],
  )
  await act(alice, 'follow', bob)
  assert.deepEqual(await home(alice), [privateId, other, first])
  assert.deepEqual(await onList(alice, list), [other])
})

test('VI16 a mute removes every status that involves the account from all feeds; an unmute restores its own statuses', async () => {
  const [alice, bob, carol] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await createList(alice, [bob, carol])
  const own = await post(bob, 'from bob')
  const reblogged = await reblog(carol, await post(bob, 'passed on', { visibility: 'unlisted' }))
  const mentioning = await post(carol, `about @${bob.username}`)
  const plain = await post(carol, 'about nothing')
  assert.equal((await home(alice)).length, 4)
  await act(alice, 'mute', bob)
  assert.deepEqual([await home(alice), await onList(alice, list)], [[plain], [plain]])
  assert.deepEqual(await entriesOf(alice), [plain, plain])
  const privateId = await post(bob, 'while muted')
  await post(carol, `again about @${bob.username}`)
  assert.deepEqual([await home(alice), await onList(alice, list)], [[plain], [plain]])
  // Changing the options keeps the mute.
  await act(alice, 'mute', bob, { notifications: false })
  assert.deepEqual(await home(alice), [plain])
  await act(alice, 'unmute', bob)
  const restored = await home(alice)
  assert.deepEqual(
    [own, privateId, plain].filter((id) => !restored.includes(id)),
    [],
  )
  assert.ok(
    !restored.includes(mentioning) && !restored.includes(reblogged),
    'statuses of others that involve the account stay out',
  )
  assert.deepEqual((await onList(alice, list)).includes(privateId), true)
})

test('an expired mute restores the statuses', async () => {
  const [alice, bob] = (await users(2)) as [TestUser, TestUser]
  await act(alice, 'follow', bob)
  const own = await post(bob, 'from bob')
  await act(alice, 'mute', bob, { duration: 60 })
  assert.deepEqual(await entriesOf(alice), [])
  await ctx.db
    .updateTable('mutes')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('account_id', '=', alice.accountId)
    .execute()
  await expireMutes(ctx)
  await testServer.waitForJobs()
  assert.deepEqual(await home(alice), [own])
})

test('a block removes the statuses of each account from the feeds of the other', async () => {
  const [alice, bob, carol] = (await users(3)) as [TestUser, TestUser, TestUser]
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
    [alice, carol],
    [bob, carol],
  ] as const) {
    await act(one, 'follow', other)
  }
  const list = await createList(bob, [alice, carol])
  const [ofAlice, ofBob] = [await post(alice, 'from alice'), await post(bob, 'from bob')]
  const about = await post(carol, `for @${bob.username}`)
  await act(alice, 'block', bob)
  assert.deepEqual(await entriesOf(alice), [ofAlice])
  assert.deepEqual(await home(bob), [about, ofBob])
  assert.deepEqual(await onList(bob, list), [about])
  await act(alice, 'unblock', bob)
  assert.deepEqual(await home(alice), [ofAlice])
})

test('a domain block removes statuses of the domain and reblogs of them, which an unblock does not restore', async () => {
  const [alice, bob] = (await users(2)) as [TestUser, TestUser]
  await act(alice, 'follow', bob)
  const list = await createList(alice, [bob])
  const remoteId = await createRemoteAccount(ctx, {
    handle: { username: 'guest', domain: 'deep.bad.test' },
    uri: 'https://deep.bad.test/guest',
  })
  const reblogged = await reblog(bob, await createRemoteStatus(ctx, { accountId: remoteId }))
  const plain = await post(bob, 'from bob')
  assert.deepEqual(
    [await home(alice), await onList(alice, list)],
    [
      [plain, reblogged],
      [plain, reblogged],
    ],
  )
  await alice.client.post('/api/v1/domain_blocks', { domain: 'bad.test' })
  await testServer.waitForJobs()
  assert.deepEqual(await entriesOf(alice), [plain, plain])
  await reblog(bob, await createRemoteStatus(ctx, { accountId: remoteId }))
  assert.deepEqual(await entriesOf(alice), [plain, plain])
  await alice.client.delete('/api/v1/domain_blocks', { domain: 'bad.test' })
  assert.deepEqual([await home(alice), await onList(alice, list)], [[plain], [plain]])
})

test('a new list member adds its latest statuses to the feed, and a removed member takes them away', async () => {
  const [alice, bob, carol] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const [first, second] = [await post(bob, 'one'), await post(bob, 'two')]
  const reply = await post(bob, 'to carol', { in_reply_to_id: await post(carol, 'asked') })
  const secret = await post(bob, `for @${alice.username} alone`, { visibility: 'direct' })
  const own = await post(alice, 'from alice')
  const list = await createList(alice, [bob, alice])
  assert.deepEqual(await onList(alice, list), [own, second, first])
  assert.ok((await home(alice)).includes(secret))
  await editMembers(alice, list, 'post', [carol])
  const third = await post(bob, 'to carol again', { in_reply_to_id: reply })
  assert.equal((await onList(alice, list))[0], third)
  await editMembers(alice, list, 'delete', [bob, alice])
  assert.equal((await onList(alice, list)).length, 1)
  await editMembers(alice, list, 'delete', [carol])
  assert.deepEqual(await onList(alice, list), [])
  assert.ok((await home(alice)).includes(first))
})

test('the replies policy of a list selects replies; replies to the owner and self-replies are always shown', async () => {
  const [alice, bob, carol, dora, member] = (await users(5)) as [TestUser, TestUser, TestUser, TestUser, TestUser]
  for (const one of [bob, carol, member]) await act(alice, 'follow', one)
  const lists: Record<string, string> = {}
  for (const policy of ['list', 'followed', 'none']) {
    lists[policy] = await createList(alice, [bob, member], { title: policy, replies_policy: policy })
  }
  const reply = async (to: TestUser) => post(bob, 'a reply', { in_reply_to_id: await post(to, 'a question') })
  const [toOwner, toMember, toFollowed, toUnrelated] = [
    await reply(alice),
    await reply(member),
    await reply(carol),
    await reply(dora),
  ]
  const thread = await post(bob, 'more', { in_reply_to_id: await post(bob, 'begun') })
  const replies = [toOwner, toMember, toFollowed, toUnrelated, thread]
  const shownReplies = async (policy: string) => {
    const shown = await onList(alice, lists[policy]!)
    return replies.filter((id) => shown.includes(id))
  }
  assert.deepEqual(await shownReplies('list'), [toOwner, toMember, thread])
  assert.deepEqual(await shownReplies('followed'), [toOwner, toMember, toFollowed, thread])
  assert.deepEqual(await shownReplies('none'), [toOwner, thread])
})

test('members are out of the home feed only while they are on a list, and while it is exclusive and exists', async () => {
  const [alice, bob, carol] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await createList(alice, [bob])
  const [first, other, own] = [await post(bob, 'one'), await post(carol, 'two'), await post(alice, 'three')]
  const put = async (exclusive: boolean) => {
    assert.equal((await alice.client.put(`/api/v1/lists/${list}`, { exclusive })).status, 200)
    await testServer.waitForJobs()
  }
  assert.deepEqual(await home(alice), [own, other, first])
  await put(true)
  assert.deepEqual(await home(alice), [own, other])
  const second = await post(bob, 'four')
  const third = await reblog(bob, other)
  assert.deepEqual(await home(alice), [own, other])
  assert.deepEqual(await onList(alice, list), [third, second, first])
  await editMembers(alice, list, 'post', [carol, alice])
  assert.deepEqual(await home(alice), [own])
  await editMembers(alice, list, 'delete', [carol])
  assert.deepEqual(await home(alice), [own, other])
  await put(false)
  assert.deepEqual(await home(alice), [second, own, other, first])
  await put(true)
  assert.deepEqual(await home(alice), [own, other])
  await alice.client.delete(`/api/v1/lists/${list}`)
  await testServer.waitForJobs()
  assert.deepEqual(await home(alice), [second, own, other, first])
  assert.deepEqual((await entriesOf(alice)).toSorted(), [second, own, other, first].toSorted())
})

test('repeated and delayed effects leave a feed unchanged', async () => {
  const [alice, bob, carol] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob)
  await act(alice, 'follow', carol)
  const list = await createList(alice, [bob])
  const ids = [await post(bob, 'one'), await post(carol, 'two')]
  const pairs = [{ accountId: alice.accountId, targetAccountId: bob.accountId }]
  const effects = [mergeAccountsIntoFeeds, removeAccountsFromFeeds, mergeAccountsIntoFeeds]
  const before = await entriesOf(alice)
  assert.equal(before.length, 3)
  for (const effect of effects) await effect(ctx, pairs)
  assert.deepEqual(await entriesOf(alice), before)
  await act(alice, 'unfollow', bob)
  for (const effect of effects) await effect(ctx, pairs)
  assert.deepEqual([await home(alice), await onList(alice, list)], [[ids[1]], []])
})

test('no feed retains entries of a deleted status, list or account', async () => {
  const [alice, bob] = (await users(2)) as [TestUser, TestUser]
  await act(alice, 'follow', bob)
  await ctx.db.updateTable('users').set({ aggregate_reblogs: false }).where('id', '=', alice.userId).execute()
  const list = await createList(alice, [bob, alice])
  const doomed = await post(bob, 'one')
  await reblog(alice, doomed)
  const count = async () => (await entriesOf(alice)).length
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
