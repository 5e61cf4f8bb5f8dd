import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)

const linkTo = async (email: string) => (await findMailTo(testServer, email))!.link!
const open = async (browser: Browser, link: string): Promise<PageResponse> => browser.get(link, uniqueAddressHeaders())

/** Opens a link as the programs of mail servers do that check the links in mails. */
const scan = async (link: string) => assert.equal((await open(createBrowser(testServer.server), link)).status, 200)

async function changeEmail(browser: Browser, email: string): Promise<string> {
  await browser.submit(await browser.get('/settings/email'), '/settings/email', { email }, uniqueAddressHeaders())
  return linkTo(email)
}

suite('a confirmation link that a program has used before the user', () => {
  test('says that the address is confirmed, and leads on', async () => {
    const browser = createBrowser(testServer.server)
    const fields = { username: 'ada', email: 'ada@mail.test', password: PASSWORD, agreement: '1' }
    const form = { ...slowFields(testServer), ...fields }
    await browser.submit(await browser.get('/auth/sign_up'), '/auth', form, uniqueAddressHeaders())
    const link = await linkTo('ada@mail.test')
    await scan(link)
    const own = await open(browser, link)
    assert.equal(own.status, 422, 'it has no effect')
    assert.match(own.text, /E-mail address confirmed Welcome to linnet\.test\. .*Go to your account/)
    const other = await open(createBrowser(testServer.server), link)
    assert.match(other.text, /E-mail address confirmed .* Log in/)
    assert.deepEqual(other.forms, [])
  })

  test('leads to the app of the sign-up', async () => {
    const apps = createOAuthApps(testServer)
    const authorization = `Bearer ${await apps.tokenOf(await apps.register(), 'write')}`
    const fields = { username: 'bea', email: 'bea@mail.test', password: PASSWORD, agreement: true, locale: 'en' }
    await testServer.anonymous.post('/api/v1/accounts', fields, { authorization, ...uniqueAddressHeaders() })
    const link = await linkTo('bea@mail.test')
    assert.equal((await open(createBrowser(testServer.server), link)).status, 303)
    assert.match((await open(createBrowser(testServer.server), link)).text, /confirmed .* Continue in Test app/)
  })

  test('says so about a changed address, until the user changes it again', async () => {
    await createUserWithPassword(testServer.ctx, 'cyd')
    const browser = await signIn(testServer.server, { login: 'cyd' })
    const link = await changeEmail(browser, 'first@mail.test')
    await scan(link)
    assert.match((await open(browser, link)).text, /E-mail address confirmed/)
    aheadMs += 1_000
    await scan(await changeEmail(browser, 'second@mail.test'))
    const former = await open(browser, link)
    assert.equal(former.status, 422)
    assert.match(former.text, /This link is no longer valid/)
    assert.doesNotMatch(former.text, /confirmed/)
  })
})

test('a user who is logged in and follows a link that is not valid is not asked to log in', async () => {
  await createUserWithPassword(testServer.ctx, 'dee')
  const browser = await signIn(testServer.server, { login: 'dee' })
  const page = await open(browser, '/auth/confirmation?confirmation_token=1.forged')
  assert.equal(page.status, 422)
  assert.match(page.text, /This link is no longer valid/)
  assert.deepEqual(
    page.forms.filter(({ action }) => action === '/auth/sign_in'),
    [],
  )
})
