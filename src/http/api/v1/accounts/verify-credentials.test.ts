import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { suspend, unsuspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { ROLE_IDS } from '../../../../domain/accounts/registration/insert-local-account.ts'
import type { CredentialAccount } from '../../../../entities/accounts/account.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const { db } = testServer.ctx
const verify = async ({ client }: TestUser) =>
  (await client.get<CredentialAccount>('/api/v1/accounts/verify_credentials')).body
const setAccount = ({ accountId }: TestUser, values: Record<string, unknown>) =>
  db.updateTable('accounts').set(values).where('id', '=', accountId).execute()

test('a repeated request runs one short SQL statement', async () => {
  const alice = await testServer.createUser()
  const first = await verify(alice)
  assertEntity('CredentialAccount', first)
  // The first use of a token is recorded, which invalidates its cache entry.
  await verify(alice)
  assert.equal(await countQueries(() => verify(alice)), 1)
  assert.deepEqual(await verify(alice), first)
})

test('the next request sees a change of the profile or of the posting defaults', async () => {
  const alice = await testServer.createUser()
  assert.equal((await verify(alice)).source.note, '')
  await alice.client.patch('/api/v1/accounts/update_credentials', {
    note: 'new',
    source: { privacy: 'unlisted', language: 'de' },
  })
  const { note, source } = await verify(alice)
  assert.deepEqual([note, source.note, source.privacy, source.language], ['<p>new</p>', 'new', 'unlisted', 'de'])
  await setAccount(alice, { attribution_domains: ['news.example'] })
  assert.deepEqual((await verify(alice)).source.attribution_domains, ['news.example'])
})

test('the next request sees another role and changed permissions of a role', async () => {
  const alice = await testServer.createUser()
  assert.equal((await verify(alice)).role.id, '-99')
  await db.updateTable('users').set({ role_id: ROLE_IDS.admin }).where('id', '=', alice.userId).execute()
  const { role } = await verify(alice)
  assert.equal(role.id, ROLE_IDS.admin)
  await db.updateTable('roles').set({ color: '#336699' }).where('id', '=', ROLE_IDS.admin).execute()
  assert.equal((await verify(alice)).role.color, '#336699')
  await db.updateTable('roles').set({ permissions: '65537' }).where('id', '=', '-99').execute()
  assert.equal((await verify(alice)).role.permissions, String(2 ** 23 - 1))
})

test('follow_requests_count follows new, accepted and suspended requests', async () => {
  const alice = await testServer.createUser({ locked: true })
  const [bob, carol] = [await testServer.createUser(), await testServer.createUser()]
  const count = async () => (await verify(alice)).source.follow_requests_count
  assert.equal(await count(), 0)
  for (const { client } of [bob, carol]) await client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  assert.equal(await count(), 2)
  await suspend(testServer.ctx, bob)
  assert.equal(await count(), 1)
  await unsuspend(testServer.ctx, bob)
  assert.equal(await count(), 2)
  await alice.client.post(`/api/v1/follow_requests/${carol.accountId}/authorize`)
  assert.equal(await count(), 1)
  const { source, followers_count: followers } = await verify(alice)
  assert.deepEqual([source.follow_requests_count, followers], [1, 1])
})

test('users may always feature their own account', async () => {
  const alice = await testServer.createUser()
  for (const discoverable of [true, false]) {
    await setAccount(alice, { discoverable, version: sql`version + 1` })
    const { automatic, current_user: approval } = (await verify(alice)).feature_approval
    assert.deepEqual([automatic, approval], [discoverable ? ['public'] : [], 'automatic'])
  }
})

test('a user who is suspended after a request is rejected on the next request', async () => {
  const alice = await testServer.createUser()
  await verify(alice)
  await suspend(testServer.ctx, alice)
  assert.equal((await alice.client.get('/api/v1/accounts/verify_credentials')).status, 403)
})
