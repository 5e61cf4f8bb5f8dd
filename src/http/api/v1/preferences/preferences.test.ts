import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

test('preferences are the posting and reading settings of the user, or the defaults', async () => {
  const alice = await testServer.createUser()
  const read = async () => (await alice.client.get('/api/v1/preferences')).body
  assertEntity('Preferences', await read())
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
  await testServer.ctx.db
    .updateTable('users')
    .set({ expand_media: 'show_all', expand_spoilers: true, autoplay_gifs: true })
    .where('id', '=', alice.userId)
    .execute()
  assert.deepEqual(Object.values(await read()), ['unlisted', true, 'fr', 'nobody', 'show_all', true, true])
})

test('the language for new statuses is one that statuses can have, also for a locale with a region or of no language', async () => {
  const alice = await testServer.createUser()
  for (const [locale, language] of [
    ['en-US', 'en'],
    ['pt-BR', 'pt-BR'],
    ['xx', 'en'],
  ] as const) {
    await testServer.ctx.db.updateTable('users').set({ locale }).where('id', '=', alice.userId).execute()
    const { body } = await alice.client.get('/api/v1/preferences')
    const status = await alice.client.post('/api/v1/statuses', { status: 'hello' })
    assert.deepEqual([body['posting:default:language'], status.body.language], [language, language], locale)
  }
})

test('there is no donation campaign, and the route needs a user token', async () => {
  const alice = await testServer.createUser()
  const response = await alice.client.get('/api/v1/donation_campaigns')
  assert.equal(response.status, 204)
  assert.ok(!response.body)
  assert.equal((await testServer.anonymous.get('/api/v1/donation_campaigns')).status, 401)
})
