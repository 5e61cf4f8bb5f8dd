import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { createClient } from '../../../../test/http/client.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'
import { registerApplication } from '../../../domain/auth/applications.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, server } = testServer

test('preferences are saved, shown again, and apply to the API and to new posts', async () => {
  const ada = await testServer.createUser()
  const browser = await openBrowserSession(testServer, ada)
  const page = await browser.get('/settings/preferences')
  assert.equal(page.status, 200)
  const saved = await browser.submit(page, '/settings/preferences', {
    privacy: 'unlisted',
    quote_policy: 'nobody',
    language: 'de',
    sensitive: '1',
    expand_media: 'show_all',
    expand_spoilers: '1',
    autoplay_gifs: '1',
    time_zone: 'Europe/Berlin',
    'languages[3]': 'fr',
    'languages[9]': 'pt-BR',
  })
  assert.match(saved.text, /Your preferences were saved/)
  const again = await browser.get('/settings/preferences')
  assert.match(again.text, /2 languages chosen/)
  assert.match(again.html, /value="Europe\/Berlin"\s+selected/)
  assert.match(again.html, /value="pt-BR"\s+checked/)
  const { body } = await ada.client.get('/api/v1/preferences')
  assert.deepEqual(body, {
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': true,
    'posting:default:language': 'de',
    'posting:default:quote_policy': 'nobody',
    'reading:expand:media': 'show_all',
    'reading:expand:spoilers': true,
    'reading:autoplay:gifs': true,
  })
  const { body: post } = await ada.client.post('/api/v1/statuses', { status: 'After' })
  assert.equal(post.visibility, 'unlisted')
  assert.equal(post.language, 'de')
})

test('the app is shown to others only while the user permits it, also for posts that were read before', async () => {
  const [ada, reader] = [await testServer.createUser(), await testServer.createUser()]
  const browser = await openBrowserSession(testServer, ada)
  const token = await ctx.write(async (tx) => {
    const { id } = await registerApplication(tx, { name: 'App', redirectUris: 'https://app.example/' })
    return issueToken(tx, { applicationId: id, userId: ada.userId, scopes: ['write'] })
  })
  const { body: post } = await createClient(server, token).post('/api/v1/statuses', { status: 'Hello' })
  const path = `/api/v1/statuses/${post.id}`
  const app = async () => (await reader.client.get(path)).body.application
  assert.notEqual(await app(), null)
  const save = async (fields: Record<string, string>) =>
    browser.post('/settings/preferences', {
      csrf: (await browser.get('/settings/preferences')).forms[0]!.values.csrf!,
      ...fields,
    })
  assert.equal((await save({})).status, 200)
  assert.ok((await app()) === null || (await app()) === undefined)
  await save({ show_application: '1' })
  assert.notEqual(await app(), null)
})

test('unknown languages and time zones are refused, and other unknown values count as the default', async () => {
  const ada = await testServer.createUser()
  const browser = await openBrowserSession(testServer, ada)
  const page = await browser.get('/settings/preferences')
  const { csrf } = page.forms[0]!.values
  const invalid: Record<string, string>[] = [
    { time_zone: 'Mars/Base' },
    { language: 'klingon' },
    { 'languages[0]': 'x' },
  ]
  for (const fields of invalid) {
    const answer = await browser.post('/settings/preferences', { csrf: csrf!, ...fields })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /This is not valid/)
  }
  const odd = { csrf: csrf!, privacy: 'direct', quote_policy: 'x', expand_media: 'x' }
  assert.equal((await browser.post('/settings/preferences', odd)).status, 200)
  assert.equal((await ada.client.get('/api/v1/preferences')).body['posting:default:visibility'], 'public')
})
