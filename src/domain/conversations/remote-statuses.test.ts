import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, createRemoteAccount, uniqueName, remoteStatusRecord } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Conversation } from '../../entities/statuses/conversation.ts'
import { removeRemoteAccount } from '../accounts/remote/remove-remote-account.ts'
import { recordRemoteStatus } from '../statuses/remote/record-remote-status.ts'
import type { RemoteStatusFacts } from '../statuses/remote/remote-status-facts.ts'
import { removeRemoteStatus } from '../statuses/remote/remove-remote-status.ts'
import { updateRemoteStatus } from '../statuses/remote/update-remote-status.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const HOUR_MS = 3_600_000

/** Returns a direct status of a remote account. */
const directStatus = (
  accountId: string,
  mentionedIds: string[],
  more: Partial<RemoteStatusFacts> = {},
): RemoteStatusFacts => remoteStatusRecord({ accountId, mentionedIds, visibility: 'direct', ...more })

async function receive(facts: RemoteStatusFacts): Promise<string> {
  const { statusId } = await ctx.write((tx) => recordRemoteStatus(tx, facts))
  await testServer.waitForJobs()
  return statusId
}

async function listConversations(user: TestUser): Promise<string[]> {
  const { status, body } = await user.client.get<Conversation[]>('/api/v1/conversations')
  assert.equal(status, 200)
  return body.map(({ accounts, last_status: last, unread }) => {
    const ids = accounts.map((one) => one.id).toSorted()
    return `${ids.join()}: ${last?.id}${unread ? '*' : ''}`
  })
}

test('a remote direct status is added to the conversations of all local participants', async () => {
  const remoteId = await createRemoteAccount(ctx)
  const [ann, bob, eve] = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
  const facts = directStatus(remoteId, [ann.accountId, bob.accountId])
  const id = await receive(facts)
  assert.equal(await receive(facts), id)
  assert.deepEqual(await listConversations(ann), [`${[remoteId, bob.accountId].toSorted().join()}: ${id}*`])
  assert.deepEqual(await listConversations(bob), [`${[remoteId, ann.accountId].toSorted().join()}: ${id}*`])
  assert.deepEqual(await listConversations(eve), [])
  const response = await ann.client.post('/api/v1/statuses', {
    status: 'aha',
    visibility: 'direct',
    in_reply_to_id: id,
  })
  await testServer.waitForJobs()
  assert.equal(
    (await listConversations(ann))[0],
    `${ann.accountId}: ${response.body.id}`,
    'only mentioned accounts are participants',
  )
})

test('a direct status that arrives late is sorted by its publication time, and is unread', async () => {
  const remoteId = await createRemoteAccount(ctx)
  const ann = await testServer.createUser()
  const late = await receive(
    directStatus(remoteId, [ann.accountId], { publishedAt: new Date(Date.now() - 30 * HOUR_MS) }),
  )
  assert.deepEqual(await listConversations(ann), [`${remoteId}: ${late}*`])
})

test('replies that arrive before their parent are moved to its conversation', async () => {
  const remoteId = await createRemoteAccount(ctx)
  const ann = await testServer.createUser()
  const [root, middle] = [`${HOST}/s/${uniqueName()}`, `${HOST}/s/${uniqueName()}`]
  const second = await receive(directStatus(remoteId, [ann.accountId], { uri: middle, inReplyTo: root }))
  const third = await receive(directStatus(remoteId, [ann.accountId], { inReplyTo: middle }))
  const unrelated = await receive(directStatus(remoteId, [ann.accountId]))
  assert.deepEqual(await listConversations(ann), [`${remoteId}: ${unrelated}*`, `${remoteId}: ${third}*`])
  const [, { id: conversationId }] = (await ann.client.get('/api/v1/conversations')).body
  await ann.client.post(`/api/v1/conversations/${conversationId}/read`)
  await receive(directStatus(remoteId, [ann.accountId], { uri: root, publishedAt: new Date(Date.now() - HOUR_MS) }))
  assert.deepEqual(
    await listConversations(ann),
    [`${remoteId}: ${unrelated}*`, `${remoteId}: ${third}*`],
    'the first status is unread',
  )
  await ctx.write((tx) => removeRemoteStatus(tx, { uri: middle, accountId: remoteId }))
  await testServer.waitForJobs()
  assert.notEqual(second, third)
  assert.equal((await listConversations(ann))[1], `${remoteId}: ${third}*`)
})

test('an account that is addressed without a mention has no conversation until an edit mentions it', async () => {
  const remoteId = await createRemoteAccount(ctx)
  const ann = await testServer.createUser()
  const facts = directStatus(remoteId, [], { silentIds: [ann.accountId], publishedAt: new Date(Date.now() - HOUR_MS) })
  const id = await receive(facts)
  assert.deepEqual(await listConversations(ann), [])
  const next = { ...facts, content: '<p>now</p>', mentionedIds: [ann.accountId], silentIds: [], updatedAt: new Date() }
  await ctx.write((tx) => updateRemoteStatus(tx, next))
  await testServer.waitForJobs()
  assert.deepEqual(await listConversations(ann), [`${remoteId}: ${id}*`])
})

test('a user who blocks a domain gets no conversations with accounts of that domain', async () => {
  const remoteId = await createRemoteAccount(ctx)
  const ann = await testServer.createUser()
  const id = await receive(directStatus(remoteId, [ann.accountId]))
  assert.equal((await ann.client.post('/api/v1/domain_blocks', { domain: 'far.test' })).status, 200)
  await testServer.waitForJobs()
  assert.deepEqual(await listConversations(ann), [])
  await receive(directStatus(remoteId, [ann.accountId]))
  await ann.client.send({ method: 'DELETE', url: '/api/v1/domain_blocks', payload: { domain: 'far.test' } })
  assert.deepEqual(await listConversations(ann), [`${remoteId}: ${id}*`])
})

test('when a remote account is deleted, its conversations are removed; conversations with other participants remain', async () => {
  const [remoteId, other] = [await createRemoteAccount(ctx), await createRemoteAccount(ctx)]
  const ann = await testServer.createUser()
  await receive(directStatus(remoteId, [ann.accountId]))
  const shared = await receive(directStatus(other, [ann.accountId, remoteId]))
  const { uri } = await ctx.db.selectFrom('accounts').select('uri').where('id', '=', remoteId).executeTakeFirstOrThrow()
  await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
  await testServer.waitForJobs()
  assert.deepEqual(await listConversations(ann), [`${other}: ${shared}*`])
})
