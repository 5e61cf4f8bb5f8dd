import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromSomewhere } from '../../test/browser.ts'
import { openWorld } from '../../test/world.ts'
import { changeSetting } from '../domain/instance/settings.ts'
import { ALL_SCOPES } from '../lib/scopes.ts'
import { ACCESS } from './access.ts'

// Ages of tags and the like are the same in every answer.
const now = new Date()
const world = await openWorld({ now: () => now })
after(world.close)
const { db } = world.ctx

const OPTIONAL = Object.entries(ACCESS).filter(([, { caller }]) => caller === 'optional')
/** Users who may not act, by what is wrong with them. */
const unusable = new Map<string, string>()
const statusIds: string[] = []
let authorId = ''
let pollId = ''
let memberToken = ''

before(async () => {
  const author = await world.createPerson()
  authorId = author.accountId
  const followers = []
  const scopes = ALL_SCOPES.join(' ')
  for (const name of ['member', 'unconfirmed', 'pending', 'disabled', 'memorial', 'moved']) {
    const follower = await world.createPerson({ scopes })
    await follower.client.post(`/api/v1/accounts/${authorId}/follow`)
    if (name === 'member') memberToken = follower.token
    else unusable.set(name, follower.token)
    followers.push({ ...follower, name })
  }
  const poll = { options: ['yes', 'no'], expires_in: 3_600 }
  const wishes = [{ visibility: 'public', local_only: true, poll }, { visibility: 'private' }, { visibility: 'public' }]
  for (const wish of wishes) {
    const { body } = await author.client.post('/api/v1/statuses', { status: 'Members only #inside', ...wish })
    statusIds.push(body.id)
    pollId ||= body.poll.id
  }
  await world.settle()
  const users: Record<string, object> = {
    unconfirmed: { confirmed_at: null },
    pending: { approved: false },
    disabled: { disabled_at: now },
  }
  const accounts: Record<string, object> = { memorial: { memorial: true }, moved: { moved_to_account_id: authorId } }
  for (const { name, userId, accountId } of followers) {
    if (users[name]) await db.updateTable('users').set(users[name]).where('id', '=', userId).execute()
    if (accounts[name]) await db.updateTable('accounts').set(accounts[name]).where('id', '=', accountId).execute()
  }
  await world.ctx.write(async (tx) => {
    for (const place of ['local-live', 'remote-live', 'local-topic', 'remote-topic'] as const) {
      await changeSetting(tx, { name: `timelines-${place}`, text: 'authenticated' })
    }
    await changeSetting(tx, { name: 'domain-blocks', text: 'users' })
  })
})

/** What a route says about one status, or its author, to whoever holds this token. */
async function ask(key: string, { statusId, token }: { statusId: string; token: string | null }) {
  const [, path = ''] = key.split(' ')
  const id = path.startsWith('/api/v1/statuses') ? statusId : path.startsWith('/api/v1/polls') ? pollId : authorId
  const url = path.replace(':name', 'inside').replace(':id', id)
  const query = path.endsWith('/lookup') ? `?acct=nobody` : `?id[]=${id}&url=https://example.com/`
  const headers = { ...fromSomewhere(), ...(token && { authorization: `Bearer ${token}` }) }
  const { statusCode, body } = await world.server.inject({ url: url + query, headers })
  return { statusCode, body }
}

for (const [key] of OPTIONAL) {
  test(`${key} answers users who may not act as it answers anonymous callers`, async () => {
    for (const statusId of statusIds) {
      const expected = await ask(key, { statusId, token: null })
      for (const [name, token] of unusable) {
        assert.deepEqual(await ask(key, { statusId, token }), expected, name)
      }
    }
  })
}

test('members see what is hidden from anonymous callers', async () => {
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
    const [member, anonymous] = [
      await ask(key, { statusId, token: memberToken }),
      await ask(key, { statusId, token: null }),
    ]
    assert.equal(member.statusCode, 200, key)
    assert.notDeepEqual(member, anonymous, key)
  }
})
