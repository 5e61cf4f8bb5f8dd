import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../../test/count-queries.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import { ROLE_IDS } from '../../../../domain/accounts/insert-person.ts'
import type { CredentialAccount } from '../../../../entities/account.ts'

const world = await openWorld({ effects: false })
after(world.close)

const { db } = world.ctx
const who = async ({ client }: Person) =>
  (await client.get<CredentialAccount>('/api/v1/accounts/verify_credentials')).body
const setAccount = ({ accountId }: Person, values: Record<string, unknown>) =>
  db.updateTable('accounts').set(values).where('id', '=', accountId).execute()

test('whoever asks again who they are costs one short statement', async () => {
  const alice = await world.createPerson()
  const first = await who(alice)
  assertOnWire('CredentialAccount', first)
  // The first use of a token is noted down, which is a change of it.
  await who(alice)
  assert.equal(await countQueries(() => who(alice)), 1)
  assert.deepEqual(await who(alice), first)
})

test('a change of a profile or of what posts are like is seen by the next request', async () => {
  const alice = await world.createPerson()
  assert.equal((await who(alice)).source.note, '')
  await alice.client.patch('/api/v1/accounts/update_credentials', {
    note: 'new',
    source: { privacy: 'unlisted', language: 'de' },
  })
  const { note, source } = await who(alice)
  assert.deepEqual([note, source.note, source.privacy, source.language], ['<p>new</p>', 'new', 'unlisted', 'de'])
  await setAccount(alice, { attribution_domains: ['news.example'] })
  assert.deepEqual((await who(alice)).source.attribution_domains, ['news.example'])
})

test('another role, and other rights of a role, are told to the next who asks', async () => {
  const alice = await world.createPerson()
  assert.equal((await who(alice)).role.id, '-99')
  await db.updateTable('users').set({ role_id: ROLE_IDS.admin }).where('id', '=', alice.userId).execute()
  const { role } = await who(alice)
  assert.equal(role.id, ROLE_IDS.admin)
  await db.updateTable('roles').set({ color: '#336699' }).where('id', '=', ROLE_IDS.admin).execute()
  assert.equal((await who(alice)).role.color, '#336699')
  await db.updateTable('roles').set({ permissions: '65537' }).where('id', '=', '-99').execute()
  assert.equal((await who(alice)).role.permissions, String(2 ** 23 - 1))
})

test('requests to follow are counted as they come, go, and fall silent with who made them', async () => {
  const alice = await world.createPerson({ locked: true })
  const [bob, carol] = [await world.createPerson(), await world.createPerson()]
  const count = async () => (await who(alice)).source.follow_requests_count
  assert.equal(await count(), 0)
  for (const { client } of [bob, carol]) await client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  assert.equal(await count(), 2)
  await setAccount(bob, { suspended_at: new Date() })
  assert.equal(await count(), 1)
  await setAccount(bob, { suspended_at: null })
  assert.equal(await count(), 2)
  await alice.client.post(`/api/v1/follow_requests/${carol.accountId}/authorize`)
  assert.equal(await count(), 1)
  const { source, followers_count: followers } = await who(alice)
  assert.deepEqual([source.follow_requests_count, followers], [1, 1])
})

test('people may feature themselves, whether or not others may', async () => {
  const alice = await world.createPerson()
  for (const discoverable of [true, false]) {
    await setAccount(alice, { discoverable, version: sql`version + 1` })
    const { automatic, current_user: verdict } = (await who(alice)).feature_approval
    assert.deepEqual([automatic, verdict], [discoverable ? ['public'] : [], 'automatic'])
  }
})

test('who is suspended after they asked is refused when they ask again', async () => {
  const alice = await world.createPerson()
  await who(alice)
  await setAccount(alice, { suspended_at: new Date() })
  assert.equal((await alice.client.get('/api/v1/accounts/verify_credentials')).status, 403)
})
