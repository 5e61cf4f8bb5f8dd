import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSamlProvider } from '../../../test/services/login/saml-provider.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import { refusesAllLogins } from './read-single-sign-on-settings.ts'

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig({ LOCAL_DOMAIN: 'linnet.test', ...env })
    return []
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    return err.problems
  }
}

const ssoOf = (env: Record<string, string>) => readConfig({ LOCAL_DOMAIN: 'linnet.test', ...env }).singleSignOn

const OIDC = {
  OIDC_ENABLED: 'true',
  OIDC_ISSUER: 'https://login.test',
  OIDC_CLIENT_ID: 'linnet',
  OIDC_CLIENT_SECRET: 'hunter2',
  OIDC_SCOPE: 'openid,profile',
}

/** Asserts that each value alone is reported by one line that begins with its name, without the secret. */
function assertRefused(valid: Record<string, string>, wrong: readonly Readonly<Record<string, string>>[]): void {
  assert.deepEqual(problemsOf(valid), [])
  for (const values of wrong) {
    const problems = problemsOf({ ...valid, ...(values as Record<string, string>) })
    assert.equal(problems.length, 1, `${JSON.stringify(values)}: ${problems.join('; ')}`)
    assert.ok(problems[0]!.startsWith(Object.keys(values)[0]!), problems[0]!)
    assert.doesNotMatch(problems[0]!, /hunter2/)
  }
}

test('a wrong or missing setting of OpenID Connect stops the start with one line', () => {
  assertRefused(OIDC, [
    { OIDC_ISSUER: '' },
    { OIDC_ISSUER: 'login.test' },
    { OIDC_ISSUER: 'https://user:x@login.test' },
    { OIDC_CLIENT_ID: '' },
    { OIDC_CLIENT_SECRET: '' },
    { OIDC_SCOPE: '' },
    { OIDC_SCOPE: 'profile' },
    { OIDC_RESPONSE_TYPE: 'id_token' },
    { OIDC_RESPONSE_MODE: 'fragment' },
    { OIDC_CLIENT_AUTH_METHOD: 'mtls' },
    { OIDC_PROMPT: 'always' },
    { OIDC_REDIRECT_URI: 'https://linnet.test/callback' },
    { OIDC_REDIRECT_URI: 'http://linnet.test/auth/auth/openid_connect/callback' },
    { OIDC_USE_PKCE: 'false', OIDC_SEND_NONCE: 'false' },
    { OIDC_PORT: '0' },
    { OIDC_AUTH_ENDPOINT: 'ldap://x' },
    { OIDC_IDP_LOGOUT_REDIRECT_URI: 'home' },
  ])
  assert.equal(problemsOf({ OMNIAUTH_ONLY: 'true', OAUTH_REDIRECT_AT_SIGN_IN: 'true', ...OIDC }).length, 1)
  assert.deepEqual(problemsOf({ SSO_ACCOUNT_SIGN_UP: 'javascript:alert(1)' }).length, 1)
})

test('OMNIAUTH_ONLY without a provider is valid, and lets nobody log in', () => {
  assert.deepEqual(problemsOf({ OMNIAUTH_ONLY: 'true' }), [])
  assert.equal(refusesAllLogins(ssoOf({ OMNIAUTH_ONLY: 'true' })), true)
  assert.equal(refusesAllLogins(ssoOf({ OMNIAUTH_ONLY: 'true', ...OIDC })), false)
  assert.equal(refusesAllLogins(ssoOf({})), false)
})

test('endpoints are relative to the host, and by default to the issuer', () => {
  assert.deepEqual(ssoOf(OIDC).oidc!.endpoints, {
    authorization: 'https://login.test/authorize',
    token: 'https://login.test/token',
    userInfo: 'https://login.test/userinfo',
    jwks: 'https://login.test/jwk',
    endSession: null,
  })
  const moved = {
    OIDC_HOST: 'sso.test',
    OIDC_PORT: '8443',
    OIDC_END_SESSION_ENDPOINT: '/logout',
    OIDC_JWKS_URI: 'https://keys.test/jwks',
  }
  const { endpoints } = ssoOf({ ...OIDC, ...moved }).oidc!
  assert.equal(endpoints!.token, 'https://sso.test:8443/token')
  assert.equal(endpoints!.jwks, 'https://keys.test/jwks')
  assert.equal(endpoints!.endSession, 'https://sso.test:8443/logout')
  assert.equal(ssoOf({ ...OIDC, OIDC_DISCOVERY: 'true' }).oidc!.endpoints, null)
  const { redirectUri, scope, usesPkce, sendsNonce } = ssoOf(OIDC).oidc!
  assert.deepEqual(
    [redirectUri, scope, usesPkce, sendsNonce],
    ['https://linnet.test/auth/auth/openid_connect/callback', 'openid profile', true, true],
  )
})

test('a wrong or missing setting of LDAP stops the start with one line', () => {
  const ldap = {
    LDAP_ENABLED: 'true',
    LDAP_BASE: 'dc=test',
    LDAP_BIND_DN: 'cn=admin,dc=test',
    LDAP_PASSWORD: 'hunter2',
  }
  assertRefused(ldap, [
    { LDAP_BASE: '' },
    { LDAP_BIND_DN: '' },
    { LDAP_PASSWORD: '' },
    { LDAP_METHOD: 'tls' },
    { LDAP_HOST: 'ldaps://ldap.test' },
    { LDAP_HOST: 'ldap.test:636' },
    { LDAP_PORT: 'x' },
    { LDAP_UID: 'u)(id' },
    { LDAP_SEARCH_FILTER: '(uid=ada)' },
    { LDAP_SEARCH_FILTER: '(|(uid=%<email>s)' },
    { LDAP_SEARCH_FILTER: '(%<name>s=%<email>s)' },
  ])
  assert.equal(problemsOf({ ...ldap, ...OIDC, OMNIAUTH_ONLY: 'true' }).length, 1)
})

test('a wrong or missing setting of SAML stops the start with one line', () => {
  const saml = createSamlProvider().env
  assertRefused(saml, [
    { SAML_ISSUER: '' },
    { SAML_IDP_SSO_TARGET_URL: '' },
    { SAML_IDP_SSO_TARGET_URL: 'idp' },
    { SAML_IDP_CERT: '' },
    { SAML_IDP_CERT: 'x' },
    { SAML_IDP_CERT_FINGERPRINT: 'AA:BB' },
    { SAML_IDP_SSO_TARGET_PARAMS: 'a' },
    { SAML_SECURITY_WANT_ASSERTION_SIGNED: 'false' },
    { SAML_SECURITY_WANT_ASSERTION_ENCRYPTED: 'true' },
    { SAML_PRIVATE_KEY: 'hunter2' },
    { SAML_ACS_URL: 'https://linnet.test/other' },
    { SAML_ACS_URL: 'https://other.test/auth/auth/saml/callback' },
    { SAML_ALLOWED_CLOCK_DRIFT: '-1' },
  ])
  const oneLine = saml['SAML_IDP_CERT']!.replaceAll('\n', String.raw`\n`)
  const { idpCerts } = ssoOf(saml).saml!
  assert.equal(idpCerts.length, 1)
  assert.deepEqual(ssoOf({ ...saml, SAML_IDP_CERT: oneLine }).saml!.idpCerts, idpCerts)
  for (const two of [`${saml['SAML_IDP_CERT']}\n${saml['SAML_IDP_CERT']}\n`, oneLine + oneLine])
    assert.deepEqual(ssoOf({ ...saml, SAML_IDP_CERT: two }).saml!.idpCerts, [...idpCerts, ...idpCerts])
})

test('a wrong or missing setting of CAS stops the start with one line', () => {
  assertRefused({ CAS_ENABLED: 'true', CAS_URL: 'https://cas.test/cas/' }, [
    { CAS_URL: '' },
    { CAS_URL: 'cas.test' },
    { CAS_DISABLE_SSL_VERIFICATION: 'true' },
    { CAS_CA_PATH: '/nothing' },
    { CAS_LOGIN_URL: 'login' },
    { CAS_CALLBACK_URL: 'https://linnet.test/' },
    { CAS_CALLBACK_URL: 'https://www.linnet.test/auth/auth/cas/callback' },
  ])
  const { loginUrl, validateUrl } = ssoOf({ CAS_ENABLED: 'true', CAS_HOST: 'cas.test', CAS_PORT: '8443' }).cas!
  assert.deepEqual([loginUrl, validateUrl], ['https://cas.test:8443/login', 'https://cas.test:8443/serviceValidate'])
})

test('a mapping of groups to roles names both on each side', () => {
  const { roleMap } = ssoOf({
    ...OIDC,
    OIDC_ROLES_CLAIM: 'groups',
    OIDC_ROLE_MAP: 'staff = Moderator; cn=a,dc=b=Admin',
  }).oidc!
  assert.deepEqual(
    [...roleMap!.roles],
    [
      ['staff', 'Moderator'],
      ['cn=a,dc=b', 'Admin'],
    ],
  )
  assert.equal(problemsOf({ ...OIDC, OIDC_ROLES_CLAIM: 'groups' }).length, 1)
  assert.equal(problemsOf({ ...OIDC, OIDC_ROLE_MAP: 'a=b' }).length, 1)
  assert.equal(problemsOf({ ...OIDC, OIDC_ROLES_CLAIM: 'groups', OIDC_ROLE_MAP: 'staff' }).length, 1)
})
