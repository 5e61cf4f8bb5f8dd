import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { suspend, unsuspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Conversation } from '../../../../entities/statuses/conversation.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)

async function createUsers(n: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: n }, async () => testServer.createUser()))
}

/** Posts a direct status that mentions these users. */
async function sendDirect(from: TestUser, to: readonly TestUser[], more: object = {}): Promise<Status> {
  const status = [...to.map((user) => `@${user.username}`), 'psst'].join(' ')
  const response = await from.client.post<Status>('/api/v1/statuses', { status, visibility: 'direct', ...more })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  await testServer.waitForJobs()
  return response.body
}

async function listOf(user: TestUser, query = ''): Promise<Conversation[]> {
  const { status, body } = await user.client.get<Conversation[]>(`/api/v1/conversations${query}`)
  assert.equal(status, 200)
  return body
}

/** Returns a user's conversations as text: the other accounts, the id of the last status and `*` if unread. */
async function summaries(user: TestUser): Promise<string[]> {
  return (await listOf(user)).map(({ accounts, last_status: last, unread }) => {
    const names = accounts.map((account) => account.username).toSorted()
    return `${names.join(' ')}: ${last?.id}${unread ? '*' : ''}`
  })
}

async function act(user: TestUser, operation: string, other: TestUser, params: object = {}): Promise<void> {
  const { status } = await user.client.post(`/api/v1/accounts/${other.accountId}/${operation}`, params)
  assert.equal(status, 200)
}

test('a direct status is a conversation of its author and its recipient, unread for the recipient', async () => {
  const [ann, bob, eve] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  const first = await sendDirect(ann, [bob])
  const [own] = await listOf(ann)
  assertEntity('Conversation', own)
  assert.deepEqual(
    own!.accounts.map((conversation) => conversation.id),
    [bob.accountId],
  )
  assert.deepEqual([own!.unread, own!.last_status?.id], [false, first.id])
  assert.deepEqual(own!.last_status, (await ann.client.get(`/api/v1/statuses/${first.id}`)).body)
  assert.deepEqual(await summaries(bob), [`${ann.username}: ${first.id}*`])
  assert.deepEqual(await listOf(eve), [])
  const reply = await sendDirect(bob, [ann], { in_reply_to_id: first.id })
  assert.deepEqual(await summaries(ann), [`${bob.username}: ${reply.id}*`])
  assert.deepEqual(await summaries(bob), [`${ann.username}: ${reply.id}`], 'a reply marks the conversation as read')
})

test('a direct status without mentions is a conversation; other visibilities are not', async () => {
  const ann = await testServer.createUser()
  const bob = await testServer.createUser()
  for (const visibility of ['public', 'unlisted', 'private']) await sendDirect(ann, [bob], { visibility })
  const note = await sendDirect(ann, [])
  assert.deepEqual(await summaries(ann), [`${ann.username}: ${note.id}`])
  assert.deepEqual(await summaries(bob), [])
})

test('a thread has one conversation for each set of participants', async () => {
  const [ann, bob, eve] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  const first = await sendDirect(ann, [bob])
  const groupReply = await sendDirect(bob, [ann, eve], { in_reply_to_id: first.id })
  const [withBoth, withBob] = [
    `${[bob.username, eve.username].toSorted().join(' ')}: ${groupReply.id}`,
    `${bob.username}: `,
  ]
  assert.deepEqual(await summaries(ann), [`${withBoth}*`, `${withBob}${first.id}`])
  const narrowReply = await sendDirect(ann, [bob], { in_reply_to_id: groupReply.id })
  assert.deepEqual(await summaries(ann), [`${withBob}${narrowReply.id}`, `${withBoth}*`])
  const other = await sendDirect(ann, [bob])
  assert.deepEqual((await summaries(ann)).slice(0, 2), [`${withBob}${other.id}`, `${withBob}${narrowReply.id}`])
})

test('the owner of a conversation can mark it as read and as unread', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const { id: statusId } = await sendDirect(ann, [bob])
  const [{ id }] = (await listOf(bob)) as [Conversation]
  const read = await bob.client.post<Conversation>(`/api/v1/conversations/${id}/read`)
  assertEntity('Conversation', read.body)
  assert.deepEqual([read.status, read.body.unread, read.body.last_status?.id], [200, false, statusId])
  assert.deepEqual(await listOf(bob), [read.body])
  const unread = await bob.client.post<Conversation>(`/api/v1/conversations/${id}/unread`)
  assert.deepEqual(unread.body, { ...read.body, unread: true })
  assert.deepEqual(await listOf(bob), [unread.body])
})

test('VI11 the conversation of another user gets the response of an unknown one', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  await sendDirect(ann, [bob])
  const [{ id }] = (await listOf(bob)) as [Conversation]
  const before = await listOf(bob)
  for (const [method, path] of [
    ['POST', `/${id}/read`],
    ['POST', `/${id}/unread`],
    ['DELETE', `/${id}`],
  ] as const) {
    const url = `/api/v1/conversations${path}`
    const foreign = await ann.client.send({ method, url })
    const unknown = await ann.client.send({ method, url: url.replace(id, '9007199254740993') })
    assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
  }
  assert.deepEqual(await listOf(bob), before)
})

test('a removed conversation returns with the next status, and disappears when that is deleted', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const first = await sendDirect(ann, [bob])
  const [{ id }] = (await listOf(bob)) as [Conversation]
  const deleted = await bob.client.delete(`/api/v1/conversations/${id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, {}])
  assert.deepEqual(await listOf(bob), [])
  assert.equal((await listOf(ann)).length, 1)
  assert.equal((await bob.client.get(`/api/v1/statuses/${first.id}`)).status, 200)
  const next = await sendDirect(ann, [bob], { in_reply_to_id: first.id })
  assert.deepEqual(await summaries(bob), [`${ann.username}: ${next.id}*`])
  await ann.client.delete(`/api/v1/statuses/${next.id}`)
  assert.deepEqual(await listOf(bob), [])
  assert.deepEqual(await summaries(ann), [`${bob.username}: ${first.id}`])
})

test('VI20 after a deletion the previous status is the last; a conversation without statuses disappears', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const first = await sendDirect(ann, [bob])
  const second = await sendDirect(bob, [ann], { in_reply_to_id: first.id })
  const third = await sendDirect(ann, [bob], { in_reply_to_id: second.id })
  await bob.client.delete(`/api/v1/statuses/${second.id}`)
  assert.deepEqual(await summaries(ann), [`${bob.username}: ${third.id}`])
  await ann.client.delete(`/api/v1/statuses/${third.id}`)
  assert.deepEqual(await summaries(bob), [`${ann.username}: ${first.id}*`])
  await ann.client.delete(`/api/v1/statuses/${first.id}`)
  assert.deepEqual([await listOf(ann), await listOf(bob)], [[], []])
})

test('an edit that mentions another user moves the status to the conversation with that user', async () => {
  const [ann, bob, eve] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  const { id } = await sendDirect(ann, [bob])
  const edited = await ann.client.put(`/api/v1/statuses/${id}`, { status: `@${eve.username} hush` })
  assert.equal(edited.status, 200)
  await testServer.waitForJobs()
  assert.deepEqual(await summaries(ann), [`${eve.username}: ${id}`])
  assert.deepEqual(await summaries(eve), [`${ann.username}: ${id}*`])
  // A recipient before the edit may still read it.
  assert.deepEqual(await summaries(bob), [`${ann.username}: ${id}*`])
  assert.match(String((await listOf(bob))[0]!.last_status!.content), /hush/)
})

test('an edit does not bring back a removed conversation', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const { id } = await sendDirect(ann, [bob])
  await bob.client.delete(`/api/v1/conversations/${await idOf(bob)}`)
  await ann.client.put(`/api/v1/statuses/${id}`, { status: `@${bob.username} hush` })
  await testServer.waitForJobs()
  assert.deepEqual([await summaries(ann), await summaries(bob)], [[`${bob.username}: ${id}`], []])
})

test('VI4 a block removes conversations for good and prevents new ones', async () => {
  const [ann, bob, eve] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  await sendDirect(bob, [ann])
  await sendDirect(bob, [ann, eve])
  const unaffected = await sendDirect(eve, [ann])
  await act(ann, 'block', bob)
  assert.deepEqual(await summaries(ann), [`${eve.username}: ${unaffected.id}*`])
  await sendDirect(eve, [ann, bob])
  await act(ann, 'unblock', bob)
  assert.deepEqual(await summaries(ann), [`${eve.username}: ${unaffected.id}*`])
  const next = await sendDirect(bob, [ann])
  assert.equal((await summaries(ann))[0], `${bob.username}: ${next.id}*`)
})

test('VI16 a mute with notifications hides conversations with the muted account while it lasts', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const first = await sendDirect(bob, [ann])
  await act(ann, 'mute', bob)
  assert.deepEqual(await listOf(ann), [])
  await sendDirect(bob, [ann], { in_reply_to_id: first.id })
  await act(ann, 'unmute', bob)
  assert.deepEqual(
    await summaries(ann),
    [`${bob.username}: ${first.id}*`],
    'a status posted during the mute is not the last status',
  )
  await act(ann, 'mute', bob, { notifications: false })
  const received = await sendDirect(bob, [ann], { in_reply_to_id: first.id })
  assert.deepEqual(await summaries(ann), [`${bob.username}: ${received.id}*`])
})

test('a reply in a muted thread does not mark the conversation as unread', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const first = await sendDirect(ann, [bob])
  await ann.client.post(`/api/v1/statuses/${first.id}/mute`)
  const reply = await sendDirect(bob, [ann], { in_reply_to_id: first.id })
  assert.deepEqual(await summaries(ann), [`${bob.username}: ${reply.id}`])
})

test('statuses of suspended accounts are hidden; the viewer’s statuses to them are not', async () => {
  const [ann, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const message = await sendDirect(bob, [ann])
  await suspend(testServer.ctx, bob)
  const path = `/api/v1/conversations/${await idOf(ann)}/read`
  assert.deepEqual([await listOf(ann), (await ann.client.post(path)).status], [[], 404])
  await unsuspend(testServer.ctx, bob)
  const ownReply = await sendDirect(ann, [bob], { in_reply_to_id: message.id })
  const again = await sendDirect(bob, [ann], { in_reply_to_id: ownReply.id })
  await suspend(testServer.ctx, bob)
  const [conversation] = await listOf(ann)
  assert.deepEqual([conversation!.last_status?.id, conversation!.accounts[0]?.suspended], [ownReply.id, true])
  await unsuspend(testServer.ctx, bob)
  assert.equal((await listOf(ann))[0]!.last_status?.id, again.id)
})

async function idOf(user: TestUser): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from account_conversations where account_id = ${user.accountId}`.execute(testServer.ctx.db)
  return rows[0]!.id
}

test('VI8 staff and followers do not see conversations that they do not take part in', async () => {
  const [ann, bob, follower] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  const owner = await testServer.createUser({ role: 'owner' })
  await act(follower, 'follow', ann)
  await sendDirect(ann, [bob])
  assert.deepEqual([await listOf(follower), await listOf(owner)], [[], []])
})

test('BI2 conversations are paged by their last status, with the same statements for every page size', async () => {
  const [ann, ...others] = await createUsers(12)
  const lastIds: string[] = []
  for (const other of others) lastIds.unshift((await sendDirect(other, [ann!])).id)
  const ids = (await listOf(ann!)).map((conversation) => conversation.id)
  assert.equal(ids.length, 11)
  const pages = await walkPages(ann!.client, '/api/v1/conversations?limit=3')
  assert.deepEqual(pages.flat(), ids)
  const first = await ann!.client.get<Conversation[]>('/api/v1/conversations?limit=3')
  assert.match(String(first.headers.link), new RegExp(`max_id=${lastIds[2]}>.*min_id=${lastIds[0]}>`))
  assert.deepEqual(
    (await listOf(ann!, `?min_id=${lastIds[5]}&limit=2`)).map((conversation) => conversation.id),
    ids.slice(3, 5),
  )
  assert.deepEqual(
    (await listOf(ann!, `?since_id=${lastIds[2]}`)).map((conversation) => conversation.id),
    ids.slice(0, 2),
  )
  await listOf(ann!)
  const [costOfOne, costOfAll] = [
    await countQueries(() => listOf(ann!, '?limit=1')),
    await countQueries(() => listOf(ann!)),
  ]
  assert.equal(costOfAll, costOfOne)
})

test('the removed timeline of direct statuses gets 404', async () => {
  const ann = await testServer.createUser()
  assert.equal((await ann.client.get('/api/v1/timelines/direct')).status, 404)
})

test('masto.js lists, marks and removes a conversation', async () => {
  const port = await findPort()
  const ownServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: `localhost:${port}` } })
  try {
    await ownServer.listen()
    const [ann, bob] = [await ownServer.createUser(), await ownServer.createUser()]
    await ann.client.post('/api/v1/statuses', { status: `@${bob.username} hi`, visibility: 'direct' })
    await ownServer.waitForJobs()
    const { conversations } = createRestAPIClient({ url: `http://localhost:${port}`, accessToken: bob.token }).v1
    const [conversation] = await conversations.list()
    assert.deepEqual([conversation!.unread, conversation!.accounts[0]!.id], [true, ann.accountId])
    assert.equal((await conversations.$select(conversation!.id).read()).unread, false)
    assert.equal((await conversations.$select(conversation!.id).unread()).unread, true)
    await conversations.$select(conversation!.id).remove()
    assert.deepEqual(await conversations.list(), [])
  } finally {
    await ownServer.close()
  }
})
