import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { untilWindow } from '../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { addRule, translateRule } from '../../../domain/instance/rules.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'
import { publishTerms } from '../../../domain/instance/terms-of-service.ts'
import type { RegistrationsMode } from '../../../platform/config/config.ts'

let testServer: TestServer
let now: Date | null = null

before(async () => {
  testServer = await openTestServer({ now: () => now ?? new Date() })
})
after(() => testServer.close())
beforeEach(async () => {
  now = null
  await setMode('open')
})

const setMode = (mode: RegistrationsMode) =>
  testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: 'registrations', text: mode }))

async function signUp(
  fields: Record<string, string>,
  browser: Browser = createBrowser(testServer.server),
): Promise<PageResponse> {
  const page = await browser.get('/auth/sign_up')
  const defaults = { password: PASSWORD, agreement: '1', ...slowFields(testServer) }
  return browser.submit(page, '/auth', { ...defaults, ...fields }, uniqueAddressHeaders())
}

const linkTo = async (email: string) => (await findMailTo(testServer, email))?.link ?? null

test('a user signs up in the browser, follows the link in the mail, and is logged in', async () => {
  const browser = createBrowser(testServer.server)
  const answer = await signUp({ username: 'ada', email: ' ada@mail.test ' }, browser)
  assert.equal(answer.location, '/auth/setup')
  const wait = await browser.get('/auth/setup')
  assert.match(wait.text, /We sent a confirmation link to ada@mail\.test/)
  assert.equal((await browser.get('/account')).location, '/auth/setup')
  const confirmed = await browser.get((await linkTo('ada@mail.test'))!)
  assert.equal(confirmed.status, 200)
  assert.match(confirmed.text, /E-mail address confirmed/)
  const account = await browser.get('/account')
  assert.equal(account.status, 200)
  assert.match(account.text, /Hello, ada/)
  assert.match(account.text, /linnet\.test/)
})

test('errors are shown at their fields, and the password is not sent back', async () => {
  const page = await signUp({ username: 'not ok', email: 'no', password: 'short', agreement: '' })
  assert.equal(page.status, 422)
  assert.match(page.text, /Please correct 4 problems/)
  const form = page.forms.find(({ action }) => action === '/auth')!
  assert.equal(form.values.username, 'not ok')
  assert.equal(form.values.password, '')
  assert.doesNotMatch(page.html, /value="short"/)
})

test('AC2: the form responds to an e-mail address with an account as it does to a free one', async () => {
  await createUserWithPassword(testServer.ctx, 'owner')
  const before = await testServer.ctx.db.selectFrom('accounts').select('id').execute()
  const outcomes = []
  for (const email of ['free@mail.test', 'OWNER@mail.test']) {
    const browser = createBrowser(testServer.server)
    const answer = await signUp({ username: `name${outcomes.length}`, email }, browser)
    const wait = await browser.get('/auth/setup')
    const account = await browser.get('/account')
    const again = await browser.submit(wait, '/auth/confirmation', {}, uniqueAddressHeaders())
    const changed = await browser.submit(
      again,
      '/auth/confirmation',
      { email: `new@${email}.x`.replace(/@.*@/, '@') },
      uniqueAddressHeaders(),
    )
    const plain = (visit: PageResponse) => visit.text.replaceAll(email, 'ADDRESS').replace(/new@\S+/g, 'NEW')
    outcomes.push({
      status: answer.status,
      location: answer.location,
      cookies: [...browser.cookies.keys()].toSorted(),
      sizes: [...browser.cookies.values()].map((value) => value.length < 43),
      wait: plain(wait),
      account: account.location,
      again: [again.status, plain(again)],
      changed: [changed.status, plain(changed)],
    })
  }
  assert.deepEqual(outcomes[1], outcomes[0])
  const after = await testServer.ctx.db.selectFrom('accounts').select('id').execute()
  assert.equal(after.length, before.length + 1, 'no account was created for the taken address')
  await testServer.waitForJobs()
  const mails = await testServer.ctx.db
    .selectFrom('mails')
    .select(['subject', 'text'])
    .where('recipient', '=', 'owner@mail.test')
    .execute()
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Someone tried to register with your e-mail address on linnet.test'],
  )
  assert.doesNotMatch(mails[0]!.text, /confirmation_token/)
})

test('AC2: no page after the form shows whether an account was created', async () => {
  await createUserWithPassword(testServer.ctx, 'resident')
  const pathsToRead = ['/', '/about', '/@resident', '/auth/sign_up', '/auth/sign_in', '/account', '/auth/setup']
  const restricted = ['/auth/edit', '/home', '/share', '/settings/preferences', '/oauth/authorize?client_id=x']
  const outcomes = []
  for (const email of ['vacant@mail.test', 'resident@mail.test']) {
    const browser = createBrowser(testServer.server)
    await signUp({ username: `newcomer${outcomes.length}`, email }, browser)
    const pages = []
    for (const path of [...pathsToRead, ...restricted]) {
      const { status, location, text } = await browser.get(path)
      pages.push([path, status, location, text.replaceAll(email, 'ADDRESS')])
    }
    outcomes.push(pages)
  }
  assert.deepEqual(outcomes[1], outcomes[0])
})

test('a user who has not confirmed the address gets to the page that sends the mail again by logging in', async () => {
  const browser = createBrowser(testServer.server)
  await signUp({ username: 'patient', email: 'patient@mail.test' }, browser)
  const { location } = await browser.get('/auth/edit')
  assert.equal(location, '/auth/sign_in?next=%2Fauth%2Fedit')
  const page = await browser.get(location)
  const fields = { login: 'patient@mail.test', password: PASSWORD }
  const loggedIn = await browser.submit(page, '/auth/sign_in', fields, uniqueAddressHeaders())
  assert.deepEqual([loggedIn.status, loggedIn.location], [303, '/auth/setup'])
  assert.equal((await browser.get('/account')).location, '/auth/setup')
  assert.match((await browser.get('/auth/setup')).text, /patient@mail\.test/)
})

test('AC2: with other errors, the form does not reveal that an address has an account', async () => {
  await createUserWithPassword(testServer.ctx, 'quiet')
  const page = await signUp({ username: 'name', email: 'quiet@mail.test', password: 'short' })
  assert.match(page.text, /Please correct one problem/)
  assert.doesNotMatch(page.text, /taken/)
})

test('AC2: before confirmation, the address cannot be changed to one that another user has', async () => {
  await createUserWithPassword(testServer.ctx, 'holder')
  const browser = createBrowser(testServer.server)
  await signUp({ username: 'grabber', email: 'grabber@mail.test' }, browser)
  const wait = await browser.get('/auth/setup')
  const changed = await browser.submit(
    wait,
    '/auth/confirmation',
    { email: 'holder@mail.test' },
    uniqueAddressHeaders(),
  )
  assert.equal(changed.status, 200)
  assert.match(changed.text, /We sent the e-mail again/)
  assert.equal(await linkTo('holder@mail.test'), null)
  const wrong = await browser.submit(wait, '/auth/confirmation', { email: 'a,b@mail.test' }, uniqueAddressHeaders())
  assert.equal(wrong.status, 422)
})

test('a user corrects a mistyped address, and only the new link works', async () => {
  const browser = createBrowser(testServer.server)
  await signUp({ username: 'typo', email: 'tpyo@mail.test' }, browser)
  const old = (await linkTo('tpyo@mail.test'))!
  const wait = await browser.get('/auth/setup')
  now = new Date(Date.now() + 1_000)
  const changed = await browser.submit(wait, '/auth/confirmation', { email: 'typo@mail.test' }, uniqueAddressHeaders())
  assert.match(changed.text, /typo@mail\.test/)
  const stale = await browser.get(old)
  assert.equal(stale.status, 422)
  assert.match(stale.text, /This link is no longer valid/)
  assert.equal((await browser.get((await linkTo('typo@mail.test'))!)).status, 200)
  const used = await createBrowser(testServer.server).get(old)
  assert.equal(used.status, 422)
  assert.match(used.text, /Log in/)
})

test('BI19: the confirmation mail can be requested five times in half an hour', async () => {
  now = new Date(Date.now() + untilWindow(1))
  const browser = createBrowser(testServer.server)
  await signUp({ username: 'eager', email: 'eager@mail.test' }, browser)
  const wait = await browser.get('/auth/setup')
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await browser.submit(wait, '/auth/confirmation', {}, uniqueAddressHeaders())).status, 200)
  }
  assert.equal((await browser.submit(wait, '/auth/confirmation', {}, uniqueAddressHeaders())).status, 429)
})

test('if sign-ups need approval, a confirmed user waits and sees the reason they gave', async () => {
  await setMode('approved')
  const browser = createBrowser(testServer.server)
  const form = await browser.get('/auth/sign_up')
  assert.match(form.text, /Request an account/)
  await signUp({ username: 'waiting', email: 'waiting@mail.test', reason: 'I like <birds>.' }, browser)
  const confirmed = await browser.get((await linkTo('waiting@mail.test'))!)
  assert.match(confirmed.text, /moderators will now review your request/)
  const account = await browser.get('/account')
  assert.equal(account.status, 200)
  assert.match(account.text, /Waiting for approval/)
  assert.match(account.text, /I like <birds>\./)
  const consent = await browser.get('/oauth/authorize?client_id=x')
  assert.equal(consent.status, 401)
})

test('closed registrations show a message, and refuse a form that was loaded before', async () => {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_up')
  await setMode('none')
  assert.match((await browser.get('/auth/sign_up')).text, /Registrations are closed/)
  const account = { username: 'late', email: 'late@mail.test', password: PASSWORD, agreement: '1' }
  const fields = { ...account, ...slowFields(testServer) }
  assert.equal((await browser.submit(page, '/auth', fields, uniqueAddressHeaders())).status, 403)
})

test('an unconfirmed user who is logged in is redirected to the confirmation page', async () => {
  await createUserWithPassword(testServer.ctx, 'unsure', { confirmed: false })
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  await browser.submit(page, '/auth/sign_in', { login: 'unsure', password: PASSWORD }, uniqueAddressHeaders())
  assert.equal((await browser.get('/account')).location, '/auth/setup')
  const wait = await browser.get('/auth/setup')
  assert.match(wait.text, /unsure@mail\.test/)
  assert.ok(await linkTo('unsure@mail.test'))
  assert.equal((await createBrowser(testServer.server).get('/auth/setup')).location, '/auth/sign_in')
  assert.equal((await createBrowser(testServer.server).get('/auth/confirmation')).location, '/auth/setup')
})

test('the front page shows the newest public posts, and no page runs a script', async () => {
  const user = await testServer.createUser({ username: 'writer', displayName: 'The <b>Writer</b>' })
  await user.client.post('/api/v1/statuses', { status: 'Hello <script>alert(1)</script> world' })
  await user.client.post('/api/v1/statuses', { status: 'Only for friends', visibility: 'private' })
  const page = await createBrowser(testServer.server).get('/')
  assert.equal(page.status, 200)
  assert.match(page.text, /Hello <script>alert\(1\)<\/script> world/)
  assert.doesNotMatch(page.text, /Only for friends/)
  assert.doesNotMatch(page.html, /<script/)
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
  assert.equal(page.headers['set-cookie'], undefined, 'reading needs no cookie')
  const style = /href="(\/pages\/style-[^"]+\.css)"/.exec(page.html)![1]!
  const sheet = await testServer.server.inject(style)
  assert.equal(sheet.statusCode, 200)
  assert.match(String(sheet.headers['cache-control']), /immutable/)
  const known = { 'if-none-match': String(sheet.headers.etag) }
  assert.equal((await testServer.server.inject({ url: style, headers: known })).statusCode, 304)
  assert.equal((await testServer.server.inject('/favicon.ico')).statusCode, 200)
  assert.equal((await testServer.server.inject('/pages/style-other.css')).statusCode, 404)
})

test('the sign-up form shows the rules in the language of the visitor, and links to the documents', async () => {
  const browser = createBrowser(testServer.server)
  const bare = await browser.get('/auth/sign_up')
  assert.doesNotMatch(bare.html, /class="rules"|privacy-policy"|terms-of-service"/)
  await testServer.ctx.write(async (tx) => {
    const id = await addRule(tx, { by: null, text: 'Be <kind>', hint: 'Always' })
    await translateRule(tx, { by: null, id, language: 'de', text: 'Sei nett', hint: '' })
    await changeSetting(tx, { by: null, name: 'privacy-policy', text: 'We keep little' })
    await publishTerms(tx, { by: null, text: 'Terms', effectiveDate: '2020-01-01' })
  })
  const page = await browser.get('/auth/sign_up')
  assert.match(page.html, /Be &lt;kind&gt;\s*<span class="quiet">Always/)
  assert.match(page.html, /<p class="hint">[^<]*<a href="\/privacy-policy">[^]*<a href="\/terms-of-service">/)
  assert.match((await browser.get('/auth/sign_up?lang=de')).text, /Sei nett/)
})
