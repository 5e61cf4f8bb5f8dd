import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import { measureResponse } from '../../../../../test/performance/measure-response.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { Conversation } from '../../../../entities/statuses/conversation.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

/** Creates remote accounts, whose profiles have the given number of fields of the maximum length. */
async function createAccounts(count: number, fieldCount: number): Promise<string[]> {
  const text = 'x'.repeat(2_000)
  const fields = Array.from({ length: fieldCount }, () => ({ name: text, value: text }))
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await createRemoteAccount(ctx, { fields }))
  return ids
}

/** Starts conversations of a new user with these accounts, the first of which writes. Returns the user. */
async function startConversations(count: number, accountIds: readonly string[]) {
  const user = await testServer.createUser()
  const mentionedIds = [user.accountId, ...accountIds.slice(1)]
  for (let n = 0; n < count; n += 1)
    await createRemoteStatus(ctx, { accountId: accountIds[0]!, visibility: 'direct', mentionedIds })
  await testServer.waitForJobs()
  return user
}

test('IN21 the conversations of a status that mentions many accounts with large profiles stay small', async () => {
  const { token } = await startConversations(20, await createAccounts(40, 50))
  const stalls: number[] = []
  for (let n = 0; n < 2; n += 1) {
    const { text, stallMs } = await measureResponse(testServer, {
      url: '/api/v1/conversations?limit=40',
      headers: { authorization: `Bearer ${token}` },
    })
    const conversations = JSON.parse(text) as Conversation[]
    assert.equal(conversations.length, 20)
    assert.ok(conversations.every(({ accounts }) => accounts.length > 0))
    // With all accounts: 160 MB.
    assert.ok(text.length < 20_000_000)
    stalls.push(stallMs)
  }
  // The code of the first request is not compiled yet.
  assert.ok(Math.min(...stalls) < 150, `${stalls.join(', ')} ms`)
})

test('a conversation shows up to 25 other accounts', async () => {
  const ids = await createAccounts(30, 1)
  for (const [participants, shown] of [
    [20, 20],
    [30, 25],
  ] as const) {
    const { client } = await startConversations(6, ids.slice(0, participants))
    const { body } = await client.get<Conversation[]>('/api/v1/conversations')
    assert.deepEqual(
      body.map(({ accounts }) => new Set(accounts.map(({ id }) => id)).size),
      Array<number>(6).fill(shown),
    )
  }
})
