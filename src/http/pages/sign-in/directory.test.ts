import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { createCa } from '../../../../test/services/certificates.ts'
import { createLdapDirectory } from '../../../platform/single-sign-on/ldap.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { noSlapd, openLdapServer } from '../../../../test/services/login/ldap-server.ts'
import type { LdapServer } from '../../../../test/services/login/ldap-server.ts'

const DIRECTORY_PASSWORD = 'a password of the directory'

suite('a directory (LDAP)', { skip: noSlapd }, () => {
  let ldap: LdapServer
  let testServer: TestServer
  before(async () => {
    ldap = await openLdapServer()
    testServer = await openTestServer({ env: ldap.env('start_tls'), extraCa: ldap.ca, effects: false })
    for (const uid of ['ada', 'grace', 'other']) {
      await ldap.addUser({ uid, password: DIRECTORY_PASSWORD, mail: `${uid}@corp.test` })
    }
  })
  after(async () => {
    await testServer?.close()
    await ldap?.close()
  })

  async function logIn(login: string, password = DIRECTORY_PASSWORD, server = testServer) {
    const browser = createBrowser(server.server)
    const page = await browser.get('/auth/sign_in')
    const response = await browser.submit(page, '/auth/sign_in', { login, password }, uniqueAddressHeaders())
    return { browser, response }
  }

  test('checks the password of the form, and its users create an account at the first log-in', async () => {
    const { browser, response } = await logIn('ada@corp.test')
    const page = await browser.get(response.location!)
    assert.equal(page.forms.find(({ action }) => action === '/auth/external')!.values['username'], 'ada')
    const done = await browser.submit(page, '/auth/external', { agreement: '1' }, uniqueAddressHeaders())
    assert.equal(done.location, '/account')
    for (const login of ['ada', ' ADA ', 'ada@corp.test']) {
      const again = await logIn(login)
      assert.equal(again.response.location, '/account', login)
      assert.match((await again.browser.get('/auth/edit')).html, /external_logins/)
    }
    assert.equal((await logIn('ada', 'wrong password')).response.status, 422)
  })

  test('OA14 never gives access to the local account with the same username without its own password', async () => {
    await createUserWithPassword(testServer.ctx, 'grace')
    const { browser, response } = await logIn('grace')
    assert.match(response.location!, /^\/auth\/external\?/)
    assert.equal((await browser.get('/account')).status, 303)
    const page = await browser.get(response.location!)
    const fields = { login: 'grace', password: DIRECTORY_PASSWORD }
    assert.equal((await browser.submit(page, '/auth/external/link', fields, uniqueAddressHeaders())).status, 422)
    const linked = await browser.submit(
      page,
      '/auth/external/link',
      { ...fields, password: PASSWORD },
      uniqueAddressHeaders(),
    )
    assert.equal(linked.location, '/account')
    assert.equal((await logIn('grace')).response.location, '/account')
    assert.equal((await logIn('grace', PASSWORD)).response.location, '/account', 'the local password still works')
  })

  test('finds users whose names contain characters outside ASCII', async () => {
    for (const [uid, login] of [
      ['j\u00f6rg', 'J\u00d6RG'],
      ['\u5c0f\u660e', '\u5c0f\u660e'],
    ] as const) {
      await ldap.addUser({ uid, password: DIRECTORY_PASSWORD })
      assert.match((await logIn(login)).response.location ?? '', /^\/auth\/external\?/, login)
      assert.equal((await logIn(login, 'wrong password')).response.status, 422)
    }
    assert.equal((await logIn('j\u00f6r*')).response.status, 422)
  })

  test('a user whose address in the directory is not a valid e-mail address here enters and confirms another one', async () => {
    await ldap.addUser({ uid: 'lin', password: DIRECTORY_PASSWORD, mail: 'lin@corp' })
    const { browser, response } = await logIn('lin')
    const page = await browser.get(response.location!)
    assert.equal(page.forms.find(({ action }) => action === '/auth/external')!.values['email'], '')
    const fields = { email: 'lin@mail.test', agreement: '1' }
    const done = await browser.submit(page, '/auth/external', fields, uniqueAddressHeaders())
    assert.equal(done.location, '/auth/setup')
    assert.equal((await browser.get('/account')).location, '/auth/setup')
    assert.match((await browser.get('/auth/setup')).text, /lin@mail\.test/)
  })

  test('has the attributes of the settings whatever their case', async () => {
    await ldap.addUser({ uid: 'cy', password: DIRECTORY_PASSWORD, mail: 'cy@corp.test' })
    await ldap.setGroups({ uid: 'cy', groups: ['staff'] })
    const { ldap: settings } = testServer.ctx.config.singleSignOn
    const roleMap = { source: 'employeetype', roles: new Map([['staff', 'Moderator']]) }
    const directory = createLdapDirectory(
      { ...settings!, uidAttribute: 'UID', mailAttribute: 'Mail', roleMap },
      { extraCa: ldap.ca },
    )
    const identity = await directory.authenticate({ login: 'cy', password: DIRECTORY_PASSWORD })
    assert.deepEqual([identity?.uid, identity?.email, identity?.roles?.granted], ['cy', 'cy@corp.test', ['Moderator']])
  })

  test('other spellings of a login that the directory accepts give no more attempts', async () => {
    await ldap.addUser({ uid: 'tess t', password: DIRECTORY_PASSWORD, mail: 'tess@corp.test' })
    // The directory ignores further spaces (RFC 4518 §2.6). Each spelling is another login for this server.
    const spellings = ['tess t', 'tess  t', 'tess@corp.test']
    for (const login of spellings) assert.equal((await logIn(login, 'wrong password')).response.status, 422, login)
    const { rateLimiter, now } = testServer.ctx
    const { signInAccount } = THROTTLES
    // As many attempts as are left, without the time that checking so many passwords takes.
    for (let attempt = spellings.length; attempt < signInAccount.limit; attempt += 1) {
      await rateLimiter.take(signInAccount, 'login:directory:tess t', now())
    }
    for (const login of ['tess   t', 'tess@corp.test']) assert.equal((await logIn(login)).response.status, 429, login)
  })

  test('OA13 filters, empty passwords and NUL find no user', async () => {
    const logins = ['*', '*)(uid=*', 'ada)(|(uid=*', 'a*', '\\61da', '(', 'uid=ada', 'ä*']
    for (const login of logins) assert.equal((await logIn(login)).response.status, 422, login)
    const { directory } = testServer.ctx.externalLogins
    assert.equal((await logIn('other', '')).response.status, 422)
    for (const login of ['ada\0', 'ada\0*', '']) {
      assert.equal(await directory!.authenticate({ login, password: DIRECTORY_PASSWORD }), null)
    }
    for (const password of ['', '\0', `${DIRECTORY_PASSWORD}\0`]) {
      assert.equal(await directory!.authenticate({ login: 'other', password }), null)
    }
  })

  test('is reached with TLS only if its certificate is trusted; local passwords work nevertheless', async () => {
    await createUserWithPassword(testServer.ctx, 'unused')
    const untrusted = createCa().pem
    for (const [env, extraCa, works] of [
      [ldap.env('simple_tls'), ldap.ca, true],
      [ldap.env('simple_tls'), untrusted, false],
      [ldap.env('start_tls'), untrusted, false],
      [{ ...ldap.env('start_tls'), LDAP_TLS_NO_VERIFY: 'true' }, untrusted, true],
      [{ ...ldap.env('simple_tls'), LDAP_PORT: '9' }, ldap.ca, false],
      [{ ...ldap.env('simple_tls'), LDAP_PASSWORD: 'wrong' }, ldap.ca, false],
    ] as const) {
      const server = await openTestServer({ env, extraCa, effects: false })
      try {
        await createUserWithPassword(server.ctx, 'local')
        const { response } = await logIn('other', DIRECTORY_PASSWORD, server)
        assert.equal(response.status, works ? 303 : 503)
        if (!works) assert.match(response.text, /The provider does not respond\. Please try again later\./)
        assert.equal((await logIn('local', PASSWORD, server)).response.location, '/account')
      } finally {
        await server.close()
      }
    }
  })
})
