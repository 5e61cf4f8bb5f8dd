// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { createOAuthApps, REDIRECT } from '../../../../test/http/oauth-apps.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openHcaptchaServer } from '../../../../test/services/hcaptcha-server.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'

const PATH = '/auth/captcha_confirmation'

const hcaptcha = await openHcaptchaServer()
after(hcaptcha.close)
const testServer = await openTestServer({ env: hcaptcha.env, extraCa: hcaptcha.ca })
after(testServer.close)
const { ctx } = testServer

const setCaptcha = (text: 'on' | 'off') =>
  ctx.write((tx) => changeSetting(tx, { by: null, name: 'captcha-enabled', text }))
beforeEach(async () => {
  hcaptcha.fail = null
  hcaptcha.requests.length = 0
  await setCaptcha('on')
})

async function createUnconfirmed(username: string): Promise<{ userId: string; link: string }> {
  const { userId, email } = await createUserWithPassword(ctx, username, { confirmed: false })
  return { userId, link: (await findMailTo(testServer, email))!.link! }
}
const isConfirmed = async ({ userId }: { userId: string }) =>
  (await ctx.db.selectFrom('users').select('confirmed_at').where('id', '=', userId).executeTakeFirstOrThrow())
    .confirmed_at !== null
const open = (link: string, browser: Browser = createBrowser(testServer.server)) =>
  browser.get(link, uniqueAddressHeaders())
const solve = (page: PageResponse, browser: Browser, response: string) =>
  browser.submit(page, PATH, { 'h-captcha-response': response }, uniqueAddressHeaders())

suite('a captcha', () => {
  test('is shown instead of the confirmation, and the address is confirmed when it is solved', async () => {
    const user = await createUnconfirmed('solver')
    const browser = createBrowser(testServer.server)
    for (let count = 0; count < 2; count += 1) {
      const page = await open(user.link, browser)
      assert.equal(page.status, 200)
      assert.match(page.html, /class="h-captcha" data-sitekey="10000000-ffff-ffff-ffff-000000000001"/)
      assert.equal(await isConfirmed(user), false)
    }
    assert.deepEqual(hcaptcha.requests, [], 'nothing is sent before the form')
    const done = await solve(await open(user.link, browser), browser, 'solved 1')
    assert.match(done.text, /E-mail address confirmed/)
    assert.equal(await isConfirmed(user), true)
    const { HCAPTCHA_SITE_KEY: sitekey, HCAPTCHA_SECRET_KEY: secret } = hcaptcha.env
    assert.deepEqual(hcaptcha.requests, [{ path: 'POST /siteverify', form: { secret, sitekey, response: 'solved 1' } }])
    assert.equal((await open(user.link)).status, 422, 'the link works once')
  })

  test('before the redirect to the app of the sign-up, which the policy of the page permits', async () => {
    const apps = createOAuthApps(testServer)
    const authorization = `Bearer ${await apps.tokenOf(await apps.register(), 'write')}`
    const fields = { username: 'mobile', email: 'mobile@mail.test', password: PASSWORD, agreement: true, locale: 'en' }
    const headers = { authorization, ...uniqueAddressHeaders() }
    assert.equal((await testServer.anonymous.post('/api/v1/accounts', fields, headers)).status, 200)
    const { link } = (await findMailTo(testServer, fields.email))!
    const browser = createBrowser(testServer.server)
    const page = await solve(await open(link!, browser), browser, 'wrong')
    assert.match(String(page.headers['content-security-policy']), /form-action 'self' https:\/\/app\.example/)
    const done = await solve(page, browser, 'solved 5')
    assert.deepEqual([done.status, done.location], [303, REDIRECT])
  })

  test('that is wrong or missing confirms nothing, and can be tried again', async () => {
    const user = await createUnconfirmed('failing')
    const browser = createBrowser(testServer.server)
    let page = await open(user.link, browser)
    for (const response of ['wrong', '', 'solved 1', 'x'.repeat(20_000)]) {
      page = await solve(page, browser, response)
      assert.equal(page.status, 422)
      assert.match(page.text, /The captcha was not solved/)
      assert.equal(await isConfirmed(user), false)
    }
    assert.match((await solve(page, browser, 'solved 2')).text, /E-mail address confirmed/)
  })

  test('that cannot be checked confirms nothing', async () => {
    const user = await createUnconfirmed('unlucky')
    const browser = createBrowser(testServer.server)
    const page = await open(user.link, browser)
    for (const fail of [
      { status: 500, body: '' },
      { status: 200, body: '<html>' },
      { status: 200, body: 'null' },
      { status: 302, body: '{"success":true}' },
      { status: 200, body: '{"success":"true"}' },
      { status: 200, body: '{"success":false,"error-codes":["sitekey-secret-mismatch"]}' },
    ]) {
      hcaptcha.fail = fail
      const answer = await solve(page, browser, 'solved 3')
      assert.deepEqual([answer.status, fail], [fail.body.includes('"true"') ? 422 : 503, fail])
      assert.equal(await isConfirmed(user), false)
    }
  })

  test('is not shown, and hCaptcha gets no request, for a link that is not valid', async () => {
    const user = await createUnconfirmed('holder')
    const browser = createBrowser(testServer.server)
    const page = await open(user.link, browser)
    const fields = { confirmation_token: `${user.userId}.forged`, 'h-captcha-response': 'solved 4' }
    const forged = await browser.submit(page, PATH, fields, uniqueAddressHeaders())
    assert.deepEqual([forged.status, /no longer valid/.test(forged.text)], [422, true])
    assert.equal((await open(`/auth/confirmation?confirmation_token=${user.userId}.forged`)).status, 422)
    assert.deepEqual(hcaptcha.requests, [])
    assert.equal(await isConfirmed(user), false)
  })

  test('is not needed to change a confirmed address, or while the setting is off', async () => {
    const user = await createUserWithPassword(ctx, 'changer')
    const change = { unconfirmed_email: 'changed@mail.test', email_change_requested_at: new Date() }
    await ctx.db
      .updateTable('users')
      .set({ ...change, confirmation_sent_at: new Date() })
      .where('id', '=', user.userId)
      .execute()
    await ctx.write(async (tx) => tx.emit('account.confirmation_requested', { accountId: user.accountId }))
    const { link } = (await findMailTo(testServer, 'changed@mail.test'))!
    assert.match((await open(link!)).text, /E-mail address confirmed/)
    await setCaptcha('off')
    const other = await createUnconfirmed('other')
    assert.match((await open(other.link)).text, /E-mail address confirmed/)
  })

  test('is allowed by the content security policy of its page only, and only from hCaptcha', async () => {
    const user = await createUnconfirmed('reader')
    const { headers } = await open(user.link)
    const sources = 'https://hcaptcha.com https://*.hcaptcha.com'
    const policy = String(headers['content-security-policy']).split('; ')
    for (const directive of ['script-src', 'frame-src', 'connect-src'])
      assert.ok(policy.includes(`${directive} ${sources}`), directive)
    assert.ok(policy.includes(`style-src 'self' ${sources}`) && policy.includes("default-src 'none'"))
    assert.equal(headers['referrer-policy'], 'no-referrer', 'the token of the link is not sent to hCaptcha')
    const plain = await createBrowser(testServer.server).get('/auth/password/new')
    assert.doesNotMatch(String(plain.headers['content-security-policy']), /hcaptcha|script-src/)
  })
})

test('one key of hCaptcha without the other one stops the start', () => {
  for (const name of ['HCAPTCHA_SITE_KEY', 'HCAPTCHA_SECRET_KEY'])
    assert.throws(() => readConfig({ [name]: 'x' }), /HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY must be set together/)
})

test('without the keys of hCaptcha, the setting has no effect', async () => {
  const plain = await openTestServer()
  try {
    await plain.ctx.write((tx) => changeSetting(tx, { by: null, name: 'captcha-enabled', text: 'on' }))
    const { email } = await createUserWithPassword(plain.ctx, 'keyless', { confirmed: false })
    const { link } = (await findMailTo(plain, email))!
    assert.match((await createBrowser(plain.server).get(link!)).text, /E-mail address confirmed/)
  } finally {
    await plain.close()
  }
})
