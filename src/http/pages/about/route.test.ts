import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { until } from '../../../../test/streaming/streams.ts'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { addRule, translateRule } from '../../../domain/instance/rules.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../../domain/instance/setting-definitions.ts'
import { publishTerms } from '../../../domain/instance/terms-of-service.ts'

const testServer = await openTestServer()
after(testServer.close)
const browser = createBrowser(testServer.server)
await testServer.createUser({ username: 'wren', displayName: 'Wren Alder', role: 'owner' })

const setSetting = (name: SettingName, text: string) =>
  testServer.ctx.write((tx) => changeSetting(tx, { by: null, name, text }))

test('a new server shows its administrator and how to sign up, before any document is published', async () => {
  const { status, text, headers } = await browser.get('/about')
  assert.equal(status, 200)
  assert.match(
    text,
    /About linnet\.test.*Administered by.*Wren Alder.*Anyone can create an account.*@name@linnet\.test/,
  )
  assert.doesNotMatch(text, /Rules|Servers that are not reached/)
  assert.equal(headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  assert.match((await browser.get('/privacy-policy')).text, /have not published this page yet/)
  assert.equal((await browser.get('/terms-of-service')).status, 404)
})

test('the description, the rules in the language of the viewer, and the documents of the owner are shown', async () => {
  await setSetting(
    'extended-description',
    '## For birds\n\n<script>alert(1)</script> *and* [people](https://a.example/)',
  )
  await setSetting('contact-email', 'wren@mail.example')
  await setSetting('privacy-policy', 'We keep *little*.')
  await testServer.ctx.write(async (tx) => {
    const id = await addRule(tx, { by: null, text: 'Be kind <b>', hint: 'Always' })
    await translateRule(tx, { by: null, id, language: 'de', text: 'Sei freundlich', hint: '' })
    await publishTerms(tx, { by: null, effectiveDate: '2020-01-31', text: 'Old and in force' })
  })
  const { text, html } = await browser.get('/about')
  assert.match(text, /For birds <script>alert\(1\)<\/script> and people/)
  assert.match(html, /<em>and<\/em> <a href="https:\/\/a\.example\/" rel="nofollow noopener"/)
  assert.match(text, /Server rules Be kind <b> Always/)
  assert.match(html, /href="mailto:wren@mail\.example"/)
  assert.match((await browser.get('/about', { 'accept-language': 'de-AT, en;q=0.5' })).text, /Sei freundlich/)
  assert.match((await browser.get('/privacy-policy')).text, /We keep little\./)
  for (const path of ['/terms-of-service', '/terms-of-service/2020-01-31']) {
    assert.match((await browser.get(path)).text, /Effective since Jan 31, 2020 Old and in force/)
  }
  for (const path of ['/terms-of-service/2020-01-30', '/terms-of-service/x']) {
    assert.equal((await browser.get(path)).status, 404, path)
  }
})

test('the instance entity has the URLs of these pages, and every footer links to published documents', async () => {
  const { body } = await testServer.anonymous.get('/api/v2/instance')
  const { about, privacy_policy: privacy } = body.configuration.urls
  assert.deepEqual([about, privacy], ['https://linnet.test/about', 'https://linnet.test/privacy-policy'])
  // Public pages cache the settings of the server for a second.
  await until(async () => /href="\/privacy-policy"[\s\S]*href="\/terms-of-service"/.test((await browser.get('/')).html))
})

test('the list of blocked servers is shown to the users that the setting permits', async () => {
  await blockDomainAsStaff(testServer.ctx, 'bad.example', { severity: 'suspend', publicComment: 'Spam' })
  assert.doesNotMatch((await browser.get('/about')).text, /bad\.example/)
  await setSetting('domain-blocks', 'all')
  assert.match((await browser.get('/about')).text, /1 server ?bad\.example Suspended/)
  assert.doesNotMatch((await browser.get('/about')).text, /Spam/)
})

test('while registrations are closed, the message of the owner is shown', async () => {
  const closed = await openTestServer({ env: { REGISTRATIONS_MODE: 'none' }, effects: false })
  after(closed.close)
  const visitor = createBrowser(closed.server)
  assert.match((await visitor.get('/about')).text, /Registrations are currently closed/)
  await closed.ctx.write((tx) =>
    changeSetting(tx, { by: null, name: 'registrations-message', text: 'Come back in *spring*' }),
  )
  const { text, html } = await visitor.get('/about')
  assert.match(text, /Come back in spring/)
  assert.doesNotMatch(html, /sign_up/)
})
