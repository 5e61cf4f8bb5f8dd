import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../../../test/browser.ts'
import { until } from '../../../../test/streams.ts'
import { openWorld } from '../../../../test/world.ts'
import { addRule, translateRule } from '../../../domain/instance/rules.ts'
import { changeSetting } from '../../../domain/instance/settings.ts'
import type { SettingName } from '../../../domain/instance/settings.ts'
import { publishTerms } from '../../../domain/instance/terms.ts'

const world = await openWorld()
after(world.close)
const browser = createBrowser(world.server)
await world.createPerson({ username: 'wren', displayName: 'Wren Alder', role: 'owner' })

const choose = (name: SettingName, text: string) => world.ctx.write((tx) => changeSetting(tx, { name, text }))

test('the server says who runs it, and how to come in, before anything is written', async () => {
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

test('everything that the owner wrote is told: what it is about, rules in the language of the reader, documents', async () => {
  await choose('extended-description', '## For birds\n\n<script>alert(1)</script> *and* [people](https://a.example/)')
  await choose('contact-email', 'wren@mail.example')
  await choose('privacy-policy', 'We keep *little*.')
  await world.ctx.write(async (tx) => {
    const id = await addRule(tx, { text: 'Be kind <b>', hint: 'Always' })
    await translateRule(tx, { id, language: 'de', text: 'Sei freundlich', hint: '' })
    await publishTerms(tx, { effectiveDate: '2020-01-31', text: 'Old and in force' })
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

test('the instance names these pages, and the foot of every page leads to what is written', async () => {
  const { body } = await world.anonymous.get('/api/v2/instance')
  const { about, privacy_policy: privacy } = body.configuration.urls
  assert.deepEqual([about, privacy], ['https://linnet.test/about', 'https://linnet.test/privacy-policy'])
  // What all pages tell of the server may be a second old.
  await until(async () => /href="\/privacy-policy"[\s\S]*href="\/terms-of-service"/.test((await browser.get('/')).html))
})

test('blocked servers are told to whom the owner says', async () => {
  await world.ctx.db
    .insertInto('domain_blocks')
    .values({ domain: 'bad.example', severity: 'suspend', public_comment: 'Spam' })
    .execute()
  assert.doesNotMatch((await browser.get('/about')).text, /bad\.example/)
  await choose('domain-blocks', 'all')
  assert.match((await browser.get('/about')).text, /1 server ?bad\.example Suspended/)
  assert.doesNotMatch((await browser.get('/about')).text, /Spam/)
})

test('closed registrations are explained in the words of the owner', async () => {
  const closed = await openWorld({ env: { REGISTRATIONS_MODE: 'none' }, effects: false })
  after(closed.close)
  const visitor = createBrowser(closed.server)
  assert.match((await visitor.get('/about')).text, /Registrations are currently closed/)
  await closed.ctx.write((tx) => changeSetting(tx, { name: 'registrations-message', text: 'Come back in *spring*' }))
  const { text, html } = await visitor.get('/about')
  assert.match(text, /Come back in spring/)
  assert.doesNotMatch(html, /sign_up/)
})

test('a server for one person leads from its front page to theirs', async () => {
  const single = await openWorld({ env: { SINGLE_USER_MODE: 'true' }, effects: false })
  after(single.close)
  const visitor = createBrowser(single.server)
  assert.equal((await visitor.get('/')).status, 200, 'nobody is here yet')
  await single.createPerson({ username: 'waiting', approved: false })
  await single.createPerson({ username: 'only' })
  await single.createPerson({ username: 'second' })
  const { status, location } = await visitor.get('/')
  assert.deepEqual([status, location], [302, '/@only'])
  assert.equal((await visitor.get('/@only')).status, 200)
})
