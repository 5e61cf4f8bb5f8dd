import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'

const world = await openWorld()
after(world.close)

test('preferences are those of the posts to come and of the reader, as chosen or as everybody begins', async () => {
  const alice = await world.createPerson()
  const read = async () => (await alice.client.get('/api/v1/preferences')).body
  assertOnWire('Preferences', await read())
  assert.deepEqual(await read(), {
    'posting:default:visibility': 'public',
    'posting:default:sensitive': false,
    'posting:default:language': 'en',
    'posting:default:quote_policy': 'public',
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
    'reading:autoplay:gifs': false,
  })
  await alice.client.patch('/api/v1/accounts/update_credentials', { locked: true })
  assert.equal((await read())['posting:default:visibility'], 'private')
  await alice.client.patch('/api/v1/accounts/update_credentials', {
    source: { privacy: 'unlisted', sensitive: true, language: 'fr', quote_policy: 'nobody' },
  })
  await world.ctx.db
    .updateTable('users')
    .set({ expand_media: 'show_all', expand_spoilers: true, autoplay_gifs: true })
    .where('id', '=', alice.userId)
    .execute()
  assert.deepEqual(Object.values(await read()), ['unlisted', true, 'fr', 'nobody', 'show_all', true, true])
})

test('there is no donation campaign, for users only', async () => {
  const alice = await world.createPerson()
  const answer = await alice.client.get('/api/v1/donation_campaigns')
  assert.equal(answer.status, 204)
  assert.ok(!answer.body)
  assert.equal((await world.anonymous.get('/api/v1/donation_campaigns')).status, 401)
})
