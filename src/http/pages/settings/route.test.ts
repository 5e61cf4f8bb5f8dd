// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { createClient } from '../../../../test/http/client.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { openSocket } from '../../../../test/streaming/streams.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { exchangeCode, issueCode } from '../../../domain/auth/authorization-codes.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, server } = testServer
const address = await testServer.listen()
const NEW = 'another horse entirely'

async function createOwner(username: string) {
  const { accountId, userId, email } = await createUserWithPassword(ctx, username)
  const { token } = await ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes: ['read', 'write'] }))
  return { accountId, userId, email, username, token, client: createClient(server, { token }) }
}
const fillForm = async (browser: Browser, path: string, fields: Record<string, string>): Promise<PageResponse> =>
  browser.submit(await browser.get(path), path, fields, uniqueAddressHeaders())
const isLoggedIn = async (browser: Browser) => (await browser.get('/account')).status === 200
const tryLogIn = async (login: string, password: string) =>
  signIn(server, { login, password }).then(
    () => true,
    () => false,
  )

suite('a password', () => {
  test('OA5, ST2: is changed; other log-ins end, and the user is mailed', async () => {
    const ada = await createOwner('ada')
    const [browser, otherBrowser] = [await signIn(server, { login: 'ada' }), await signIn(server, { login: 'ada' })]
    const socket = await openSocket(address, { token: ada.token })
    await socket.subscribe('user')
    const closed = new Promise<number>((resolve) => {
      socket.ws.once('close', () => resolve(performance.now()))
    })
    const app = await ctx.db
      .insertInto('applications')
      .values({
        name: 'app',
        redirect_uris: ['app:/'],
        scopes: ['read'],
        client_id: 'app',
        client_secret_hash: Buffer.alloc(32),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const grant = { applicationId: app.id, redirectUri: 'app:/' }
    const code = await ctx.write((tx) =>
      issueCode(tx, { ...grant, userId: ada.userId, scopes: ['read'], codeChallenge: null, sessionId: null }),
    )

    const done = await fillForm(browser, '/auth/edit', { password: NEW })
    const since = performance.now()
    assert.equal(done.status, 200)
    assert.match(done.text, /Your password was changed/)
    assert.deepEqual([await isLoggedIn(browser), await isLoggedIn(otherBrowser)], [true, false])
    assert.equal((await ada.client.get('/api/v1/accounts/verify_credentials')).status, 401)
    assert.equal(await ctx.write((tx) => exchangeCode(tx, { ...grant, code, codeVerifier: null })), null)
    assert.ok((await closed) - since < 2_000)
    assert.deepEqual([await tryLogIn('ada', PASSWORD), await tryLogIn('ada', NEW)], [false, true])
    const mail = await findMailTo(testServer, ada.email)
    assert.equal(mail!.subject, 'Your password for linnet.test was changed')
  })

  test('is not changed to one that is too short, or concurrently in two sessions', async () => {
    const ben = await createOwner('ben')
    const browser = await signIn(server, { login: 'ben' })
    for (const [fields, text] of [
      [{ password: 'short' }, /This is too short/],
      [{ password: '' }, /This field is required/],
    ] as const) {
      const visit = await fillForm(browser, '/auth/edit', fields)
      assert.equal(visit.status, 422)
      assert.match(visit.text, text)
    }
    assert.equal((await ben.client.get('/api/v1/accounts/verify_credentials')).status, 200)
    const browsers = [browser, await signIn(server, { login: 'ben' })]
    const passwords = ['one new password', 'another new password']
    const visits = await Promise.all(
      passwords.map(async (password, index) => fillForm(browsers[index]!, '/auth/edit', { password })),
    )
    const isChanged = visits.map(({ status }) => status === 200)
    assert.equal(isChanged.filter(Boolean).length, 1, visits.map(({ status }) => status).join(' '))
    assert.deepEqual(await Promise.all(passwords.map(async (password) => tryLogIn('ben', password))), isChanged)
  })
})

suite('an e-mail address', () => {
  test('is changed by the link that is sent to the new one, while the old one is notified', async () => {
    const cleo = await createOwner('cleo')
    const browser = await signIn(server, { login: 'cleo' })
    const invalid = await fillForm(browser, '/settings/email', { email: 'cleo@@new.test' })
    assert.match(invalid.text, /This is not valid/)

    const requested = await fillForm(browser, '/settings/email', { email: 'cleo@new.test' })
    assert.match(requested.text, /Your current e-mail address is cleo@mail\.test\..*We sent a confirmation link/)
    assert.match((await findMailTo(testServer, cleo.email))!.text, /> cleo@new\.test/)
    assert.equal(await tryLogIn('cleo@new.test', PASSWORD), false)
    const { link } = (await findMailTo(testServer, 'cleo@new.test'))!
    assert.equal((await browser.get(link!)).status, 200)
    assert.equal(await tryLogIn('cleo@new.test', PASSWORD), true)
    assert.equal(await tryLogIn(cleo.email, PASSWORD), false)
    assert.equal((await browser.get(link!)).status, 422)
  })

  test('is not changed by a link from before the password was changed', async () => {
    const { email } = await createOwner('hugo')
    const [thief, hugo] = [await signIn(server, { login: 'hugo' }), await signIn(server, { login: 'hugo' })]
    await fillForm(thief, '/settings/email', { email: 'thief@new.test' })
    const { link } = (await findMailTo(testServer, 'thief@new.test'))!
    await fillForm(hugo, '/auth/edit', { password: NEW })
    assert.equal((await thief.get(link!)).status, 422)
    assert.equal(await tryLogIn(email, NEW), true)
  })

  test('AC2: that another user has gets the same response as a free one, and that user gets a mail', async () => {
    const [dora, victim] = [await createOwner('dora'), await createOwner('victim')]
    const browser = await signIn(server, { login: 'dora' })
    const pages = []
    for (const email of ['nobody@mail.test', victim.email.toUpperCase()]) {
      const visit = await fillForm(browser, '/settings/email', { email })
      pages.push([visit.status, visit.text, (await browser.get('/settings/email')).text])
    }
    assert.deepEqual(pages[0], pages[1])
    assert.equal(
      (await findMailTo(testServer, victim.email))!.subject,
      'Someone tried to register with your e-mail address on linnet.test',
    )
    assert.equal((await dora.client.get('/api/v1/accounts/verify_credentials')).status, 200)
  })
})

suite('an account', () => {
  test('is deleted only with the username and a CSRF token', async () => {
    const finn = await createOwner('finn')
    const browser = await signIn(server, { login: 'finn' })
    const wrong = await fillForm(browser, '/settings/delete', { username: 'gwen' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /This is not your username/)
    assert.equal((await browser.post('/settings/delete', { username: 'finn' })).status, 422, 'OA9')
    assert.equal(await isLoggedIn(browser), true)

    const farewell = await fillForm(browser, '/settings/delete', { username: '@Finn' })
    assert.equal(farewell.status, 200)
    assert.match(farewell.text, /Your account was deleted/)
    assert.equal(await isLoggedIn(browser), false)
    assert.equal(await tryLogIn('finn', PASSWORD), false)
    assert.equal((await finn.client.get('/api/v1/accounts/verify_credentials')).status, 401)
    assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${finn.accountId}`)).status, 404)

    const late = await browser.get('/auth/sign_up')
    const again = await browser.submit(
      late,
      '/auth',
      { username: 'Finn', email: 'finn@mail.test', password: PASSWORD, agreement: '1', ...slowFields(testServer) },
      uniqueAddressHeaders(),
    )
    assert.match(again.text, /This is already taken/, 'AC10')
  })

  test('has links from its page to all settings', async () => {
    await createOwner('gwen')
    const browser = await signIn(server, { login: 'gwen' })
    assert.match((await browser.get('/account')).html, /href="\/auth\/edit"/)
    const { html } = await browser.get('/auth/edit')
    for (const path of ['/settings/email', '/settings/aliases', '/settings/migration', '/settings/delete']) {
      assert.ok(html.includes(`href="${path}"`), path)
      assert.equal((await browser.get(path)).status, 200)
    }
  })
})
