import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../../test/command-line.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Account } from '../../../entities/accounts/account.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db, config } = testServer.ctx
const linnet = await openCommandLine(testServer)
const [old, next, other, follower] = [
  await testServer.createUser({ username: 'old' }),
  await testServer.createUser({ username: 'next' }),
  await testServer.createUser({ username: 'other' }),
  await testServer.createUser(),
]
const aliases = [`${config.origin}/ap/users/${old.accountId}`]
await db
  .updateTable('accounts')
  .set({ also_known_as: aliases })
  .where('id', 'in', [next.accountId, other.accountId])
  .execute()
const followersOf = async (user: typeof next) => {
  await testServer.waitForJobs()
  return (await follower.client.get<Account>(`/api/v1/accounts/${user.accountId}`)).body.followers_count
}

test('migrate moves the followers of an account, and a replay those that came back', async () => {
  await follower.client.post(`/api/v1/accounts/${old.accountId}/follow`)
  assert.equal(await linnet.error('accounts', 'migrate', 'old', '--replay'), 'old has never moved')
  await linnet.lines('accounts', 'migrate', 'Old', '--target', 'next@linnet.test')
  assert.deepEqual([await followersOf(old), await followersOf(next)], [0, 1])
  await follower.client.post(`/api/v1/accounts/${next.accountId}/unfollow`)
  await db.insertInto('follows').values({ account_id: follower.accountId, target_account_id: old.accountId }).execute()
  await linnet.lines('accounts', 'migrate', 'old', '--replay')
  assert.equal(await followersOf(next), 1)
  const entries = await db
    .selectFrom('audit_log_entries')
    .select(['action', 'account_id', 'label'])
    .orderBy('id')
    .execute()
  const entry = { action: 'migrate', account_id: null, label: 'old' }
  assert.deepEqual(entries, [entry, entry])
})

test('another target needs --force, and the rules of moves apply', async () => {
  const migrate = (...args: string[]) => linnet.error('accounts', 'migrate', 'old', ...args)
  assert.equal(await migrate('--target', 'other'), 'old redirects to another account; use --force to replace that')
  assert.match(await migrate('--target', 'other', '--force'), /can not be moved to yet$/)
  assert.match(await migrate('--target', follower.username, '--force'), /does not name this account as an alias$/)
  assert.equal(await migrate('--target', 'nobody'), 'No account is named nobody')
  assert.equal(await migrate(), 'Specify either --target or --replay')
})
