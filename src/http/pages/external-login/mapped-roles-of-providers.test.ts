import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { logInExternally, startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import type { CasServer } from '../../../../test/services/login/cas-server.ts'
import { noSlapd, openLdapServer } from '../../../../test/services/login/ldap-server.ts'
import type { LdapServer } from '../../../../test/services/login/ldap-server.ts'
import { createSamlProvider } from '../../../../test/services/login/saml-provider.ts'

const DIRECTORY_PASSWORD = 'a password of the directory'
const ROLE_MAP = 'staff=Moderator;cn=admins,dc=test=Admin'
const ADMINS = 'cn=admins,dc=test'

type LoggedIn = { browser: Browser; response: PageResponse }

/** Logs in with groups by `logIn`, creates the account at the first log-in, and returns the name of the user's role. */
async function roleWith(
  { ctx }: Pick<TestServer, 'ctx'>,
  { username, logIn }: { username: string; logIn: () => Promise<LoggedIn> },
): Promise<string> {
  const { browser, response } = await logIn()
  if (response.location?.startsWith('/auth/external?')) {
    const page = await browser.get(response.location)
    await browser.submit(page, '/auth/external', { username, agreement: '1' }, uniqueAddressHeaders())
  } else assert.equal(response.location, '/account')
  const user = await ctx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('roles.name')
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow()
  return user.name
}

suite('the groups of', () => {
  const saml = createSamlProvider()
  let cas: CasServer
  let testServer: TestServer
  before(async () => {
    cas = await openCasServer()
    const env = { ...saml.env, SAML_ROLES_ATTRIBUTE: 'urn:oid:groups', SAML_ROLE_MAP: ROLE_MAP, ...cas.env }
    testServer = await openTestServer({
      env: { ...env, CAS_ROLES_KEY: 'memberOf', CAS_ROLE_MAP: ROLE_MAP },
      effects: false,
    })
  })
  after(async () => {
    await testServer?.close()
    await cas?.close()
  })

  test('an assertion (SAML) become roles at each log-in', async () => {
    const withGroups = (...groups: string[]) =>
      roleWith(testServer, {
        username: 'ada',
        async logIn() {
          const browser = createBrowser(testServer.server)
          const { id, relayState } = saml.readRequest(await startExternalLogin(browser, { provider: 'saml' }))
          const attributes = { mail: 'ada@campus.test', verified: 'true', 'urn:oid:groups': groups }
          const assertion = saml.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id, attributes })
          const form = { SAMLResponse: saml.createResponse(assertion, { inResponseTo: id }), RelayState: relayState }
          const posted = await browser.post('/auth/auth/saml/callback', form, uniqueAddressHeaders())
          return { browser, response: await browser.get(posted.location!, uniqueAddressHeaders()) }
        },
      })
    assert.equal(await withGroups('staff'), 'Moderator', 'a new account')
    assert.equal(await withGroups('others', 'staff', ADMINS), 'Admin', 'the highest role')
    assert.equal(await withGroups('Admin', 'Staff'), '')
    assert.equal(await withGroups(), '')
  })

  test('a CAS server become roles at each log-in', async () => {
    const withGroups = (...groups: string[]) =>
      roleWith(testServer, {
        username: 'bea',
        async logIn() {
          cas.user = { name: 'bea', attributes: { email: 'bea@campus.test', memberOf: groups } }
          return logInExternally(testServer, { provider: 'cas' })
        },
      })
    assert.equal(await withGroups('others', 'staff'), 'Moderator', 'a new account')
    assert.equal(await withGroups(ADMINS), 'Admin')
    assert.equal(await withGroups('Admin'), '')
  })
})

suite('the groups of a directory (LDAP)', { skip: noSlapd }, () => {
  let ldap: LdapServer
  let testServer: TestServer
  before(async () => {
    ldap = await openLdapServer()
    const env = { ...ldap.env('plain'), LDAP_ROLES_ATTRIBUTE: 'employeeType', LDAP_ROLE_MAP: ROLE_MAP }
    testServer = await openTestServer({ env, effects: false })
    await ldap.addUser({ uid: 'cleo', password: DIRECTORY_PASSWORD, mail: 'cleo@corp.test' })
  })
  after(async () => {
    await testServer?.close()
    await ldap?.close()
  })

  test('become roles at each log-in', async () => {
    const withGroups = (...groups: string[]) =>
      roleWith(testServer, {
        username: 'cleo',
        async logIn() {
          await ldap.setGroups({ uid: 'cleo', groups })
          const browser = createBrowser(testServer.server)
          const fields = { login: 'cleo', password: DIRECTORY_PASSWORD }
          const page = await browser.get('/auth/sign_in')
          return { browser, response: await browser.submit(page, '/auth/sign_in', fields, uniqueAddressHeaders()) }
        },
      })
    assert.equal(await withGroups('staff'), 'Moderator', 'a new account')
    assert.equal(await withGroups('others', 'staff', ADMINS), 'Admin', 'the highest role')
    assert.equal(await withGroups('others'), '')
  })
})
