import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { makeToken } from '../../../../test/http/callers.ts'
import { disable, suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'
import { ALL_SCOPES } from '../../../lib/http/scopes.ts'
import { hashSecret } from '../../../lib/secrets.ts'
import { ROUTE_POLICIES } from '../../route-policies.ts'

// A fixed time, so that times in responses are equal.
const now = new Date()
const testServer = await openTestServer({ now: () => now })
after(testServer.close)
const { db } = testServer.ctx

const OPTIONAL = Object.entries(ROUTE_POLICIES).filter(([, { caller }]) => caller === 'optional')
/** Tokens of users who may not act, by the reason. */
const unusable = new Map<string, string>()
const statusIds: string[] = []
let authorId = ''
let pollId = ''
let userToken = ''

before(async () => {
  const author = await testServer.createUser()
  authorId = author.accountId
  const followers = []
  const scopes = ALL_SCOPES.join(' ')
  for (const name of ['usable', 'unconfirmed', 'pending', 'disabled', 'memorial', 'moved']) {
    const follower = await testServer.createUser({ scopes })
    await follower.client.post(`/api/v1/accounts/${authorId}/follow`)
    if (name === 'usable') userToken = follower.token
    else unusable.set(name, follower.token)
    followers.push({ ...follower, name })
  }
  const poll = { options: ['yes', 'no'], expires_in: 3_600 }
  const options = [
    { visibility: 'public', local_only: true, poll },
    { visibility: 'private' },
    { visibility: 'public' },
  ]
  for (const option of options) {
    const { body } = await author.client.post('/api/v1/statuses', { status: 'Members only #inside', ...option })
    statusIds.push(body.id)
    pollId ||= body.poll.id
  }
  await testServer.waitForJobs()
  const users: Record<string, object> = {
    unconfirmed: { confirmed_at: null },
    pending: { approved: false },
  }
  const accounts: Record<string, object> = { memorial: { memorial: true }, moved: { moved_to_account_id: authorId } }
  for (const { name, userId, accountId } of followers) {
    if (name === 'disabled') await disable(testServer.ctx, { userId })
    if (users[name]) await db.updateTable('users').set(users[name]).where('id', '=', userId).execute()
    if (accounts[name]) await db.updateTable('accounts').set(accounts[name]).where('id', '=', accountId).execute()
  }
  await testServer.ctx.write(async (tx) => {
    for (const place of ['local-live', 'remote-live', 'local-topic', 'remote-topic'] as const) {
      await changeSetting(tx, { by: null, name: `timelines-${place}`, text: 'authenticated' })
    }
    await changeSetting(tx, { by: null, name: 'domain-blocks', text: 'users' })
  })
})

/** Requests a route for one status, or its author, with a token. */
async function request(key: string, { statusId, token }: { statusId: string; token: string | null }) {
  const [, path = ''] = key.split(' ')
  const id = path.startsWith('/api/v1/statuses') ? statusId : path.startsWith('/api/v1/polls') ? pollId : authorId
  const url = path.replace(':name', 'inside').replace(':id', id)
  const query = path.endsWith('/lookup') ? `?acct=nobody` : `?id[]=${id}&url=https://example.com/`
  const headers = { ...uniqueAddressHeaders(), ...(token && { authorization: `Bearer ${token}` }) }
  const { statusCode, body } = await testServer.server.inject({ url: url + query, headers })
  return { statusCode, body }
}

for (const [key] of OPTIONAL) {
  test(`${key} responds to users who may not act as to anonymous clients`, async () => {
    for (const statusId of statusIds) {
      const expected = await request(key, { statusId, token: null })
      for (const [name, token] of unusable) {
        assert.deepEqual(await request(key, { statusId, token }), expected, name)
      }
    }
  })
}

test('users of this server see what is hidden from anonymous clients', async () => {
  const [localOnly = '', followersOnly = ''] = statusIds
  for (const [key, statusId] of [
    ['GET /api/v1/statuses/:id', localOnly],
    ['GET /api/v1/statuses/:id', followersOnly],
    ['GET /api/v1/statuses/:id/context', localOnly],
    ['GET /api/v1/polls/:id', localOnly],
    ['GET /api/v1/timelines/public', localOnly],
    ['GET /api/v1/timelines/tag/:name', localOnly],
    ['GET /api/v1/accounts/:id/statuses', localOnly],
    ['GET /api/v1/instance/domain_blocks', localOnly],
  ] as const) {
    const [asUser, anonymous] = [
      await request(key, { statusId, token: userToken }),
      await request(key, { statusId, token: null }),
    ]
    assert.equal(asUser.statusCode, 200, key)
    assert.notDeepEqual(asUser, anonymous, key)
  }
})

test('an unknown or revoked token counts as none on public routes that only personalise, and a valid one is read', async () => {
  const user = await testServer.createUser({ scopes: 'read write' })
  await user.client.post('/api/v1/tags/inside/follow')
  const revoked = await makeToken(testServer, { userId: user.userId, scopes: ALL_SCOPES })
  await db.updateTable('access_tokens').set({ revoked_at: now }).where('token_hash', '=', hashSecret(revoked)).execute()
  const statusId = statusIds[0]!
  for (const key of [
    'GET /api/v1/tags/:name',
    'GET /api/v1/accounts/:id/featured_tags',
    'GET /api/v1/trends',
    'GET /api/v1/trends/tags',
    'GET /api/v1/trends/statuses',
    'GET /api/v1/trends/links',
  ]) {
    const anonymous = await request(key, { statusId, token: null })
    assert.equal(anonymous.statusCode, 200, key)
    for (const token of ['unknown', revoked]) assert.deepEqual(await request(key, { statusId, token }), anonymous, key)
  }
  for (const key of ['GET /api/v1/directory', 'GET /api/v1/instance/domain_blocks']) {
    assert.equal((await request(key, { statusId, token: 'unknown' })).statusCode, 401, key)
  }
  const { body } = await request('GET /api/v1/tags/:name', { statusId, token: user.token })
  assert.equal(JSON.parse(body).following, true)
  await suspend(testServer.ctx, user)
  assert.equal((await request('GET /api/v1/tags/:name', { statusId, token: user.token })).statusCode, 403)
})
