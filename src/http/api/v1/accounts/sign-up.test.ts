import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createOAuthApps, deleteDuring, REDIRECT } from '../../../../../test/http/oauth-apps.ts'
import type { OAuthApp, OAuthApps } from '../../../../../test/http/oauth-apps.ts'
import { uniqueAddressHeaders } from '../../../../../test/http/browser.ts'
import { findMailTo } from '../../../../../test/features/mails.ts'
import { untilWindow } from '../../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../../test/servers/test-server.ts'
import { findLocalAccountId } from '../../../../domain/account-deletion/delete-account.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'
import { approvePendingAccount } from '../../../../domain/moderation/accounts/moderate-account.ts'
import type { RegistrationsMode } from '../../../../platform/config/config.ts'

const USER = { password: 'correct horse battery', agreement: true, locale: 'en' }

let testServer: TestServer
let aheadMs = 0
let apps: OAuthApps
let app: OAuthApp
let appToken: string

before(async () => {
  testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + aheadMs) })
  apps = createOAuthApps(testServer)
  app = await apps.register()
  appToken = await apps.tokenOf(app, 'write')
})
after(() => testServer.close())
beforeEach(() => setMode('open'))

const setMode = (mode: RegistrationsMode) =>
  testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: 'registrations', text: mode }))

const signUp = (fields: Record<string, unknown>, { token = appToken, headers = uniqueAddressHeaders() } = {}) =>
  testServer.anonymous.post(
    '/api/v1/accounts',
    { ...USER, ...fields },
    { authorization: `Bearer ${token}`, ...headers },
  )

const follow = (link: string) =>
  testServer.anonymous.send({ method: 'GET', url: link, headers: { accept: 'text/html', ...uniqueAddressHeaders() } })

test('a user signs up through an application, confirms the e-mail address and can use the account', async () => {
  const { status, body } = await signUp({ username: 'Grace_H', email: 'grace@mail.test' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.token_type, 'Bearer')
  assert.equal(body.scope, 'read write')
  const grace = body.access_token

  const unconfirmed = await apps.request(grace, '/api/v1/accounts/verify_credentials')
  assert.equal(unconfirmed.status, 403)
  assert.equal(unconfirmed.body.error, 'Your login is missing a confirmed e-mail address')
  assert.equal((await apps.request(grace, '/api/v1/emails/check_confirmation')).body, false)

  const mail = await findMailTo(testServer, 'grace@mail.test')
  assert.match(mail!.text, /@Grace_H/)
  const confirmed = await follow(mail!.link!)
  assert.deepEqual([confirmed.status, confirmed.headers['location']], [303, REDIRECT])

  assert.equal((await apps.request(grace, '/api/v1/emails/check_confirmation')).body, true)
  const account = await apps.request(grace, '/api/v1/accounts/verify_credentials')
  assert.equal(account.status, 200)
  assert.equal(account.body.username, 'Grace_H')
  assert.equal(account.body.acct, 'Grace_H')
  assert.equal(account.body.url, 'https://linnet.test/@Grace_H')
  assert.equal(account.body.uri, `https://linnet.test/ap/users/${account.body.id}`)
  assert.equal(account.body.statuses_count, 0)
  assert.equal(account.body.source.privacy, 'public')
})

test('a confirmation link returns to a redirect URI of the app, and shows a page without the flag or such a URI', async () => {
  const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'
  const confirm = async (username: string, redirectUris: string, edit: (link: string) => string = (link) => link) => {
    const token = await apps.tokenOf(await apps.register({ redirect_uris: redirectUris }), 'write')
    assert.equal((await signUp({ username, email: `${username}@mail.test` }, { token })).status, 200)
    const { status, headers, body } = await follow(edit((await findMailTo(testServer, `${username}@mail.test`))!.link!))
    return { status, location: headers['location'], body }
  }
  const native = await confirm('native', `${outOfBand}\ncom.example.app:/back`)
  assert.deepEqual([native.status, native.location], [303, 'com.example.app:/back'])
  const edits = [(link: string) => link.replace('=true', '=false'), (link: string) => link.replace(/&.*/, '')]
  for (const [n, edit] of edits.entries()) {
    const { status, body } = await confirm(`plain${n}`, REDIRECT, edit)
    assert.equal(status, 200)
    assert.match(body, /Test app/)
  }
  const copied = await confirm('copied', outOfBand)
  assert.deepEqual([copied.status, copied.location], [200, undefined])
})

test('sign-up requires the token of an application with a write scope', async () => {
  const user = await testServer.createUser()
  const byUser = await signUp({ username: 'x', email: 'x@mail.test' }, { token: user.token })
  assert.equal(byUser.status, 403)
  assert.equal(byUser.body.error, 'This method requires an client credentials authentication')
  const readOnly = await signUp({ username: 'x', email: 'x@mail.test' }, { token: await apps.tokenOf(app, 'read') })
  assert.equal(readOnly.status, 403)
  assert.equal((await signUp({ username: 'x', email: 'x@mail.test' }, { token: 'nonsense' })).status, 401)
})

test('one response reports the errors of all invalid fields by name', async () => {
  const response = await signUp({ username: 'not ok', email: 'no', password: 'short', agreement: false, locale: '' })
  assert.equal(response.status, 422)
  assert.match(response.body.error, /^Validation failed: Username must contain only letters, numbers and underscores, /)
  const { details } = response.body
  assert.deepEqual(
    Object.fromEntries(
      Object.entries<{ error: string }[]>(details).map(([name, list]) => [name, list.map(({ error }) => error)]),
    ),
    {
      username: ['ERR_INVALID'],
      email: ['ERR_INVALID'],
      password: ['ERR_TOO_SHORT'],
      agreement: ['ERR_ACCEPTED'],
      locale: ['ERR_BLANK'],
    },
  )
  assert.equal(details.password[0].description, 'Password is too short (minimum is 8 characters)')
  const cases: [Record<string, unknown>, string, string][] = [
    [{ username: '' }, 'username', 'ERR_BLANK'],
    [{ username: 'x'.repeat(31) }, 'username', 'ERR_TOO_LONG'],
    [{ email: '' }, 'email', 'ERR_BLANK'],
    [{ password: '' }, 'password', 'ERR_BLANK'],
    [{ password: 'x'.repeat(129) }, 'password', 'ERR_TOO_LONG'],
    [{ locale: 'not a language' }, 'locale', 'ERR_INCLUSION'],
    [{ reason: 'x'.repeat(421) }, 'reason', 'ERR_TOO_LONG'],
    [{ agreement: undefined }, 'agreement', 'ERR_ACCEPTED'],
  ]
  for (const [fields, name, code] of cases) {
    const { status, body } = await signUp({ username: 'fine', email: 'fine@mail.test', ...fields })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.details), [name])
    assert.equal(body.details[name][0].error, code)
  }
})

test('a taken username or address is reported beside every other invalid field', async () => {
  assert.equal((await signUp({ username: 'present', email: 'present@mail.test' })).status, 200)
  const codes = async (fields: Record<string, unknown>) => {
    const { status, body } = await signUp(fields)
    assert.equal(status, 422)
    const details = Object.entries<{ error: string }[]>(body.details)
    return Object.fromEntries(details.map(([name, problems]) => [name, problems.map(({ error }) => error)]))
  }
  assert.deepEqual(await codes({ username: 'Present', email: 'no' }), {
    username: ['ERR_TAKEN'],
    email: ['ERR_INVALID'],
  })
  assert.deepEqual(await codes({ username: 'not ok', email: 'PRESENT@mail.test', password: 'short' }), {
    username: ['ERR_INVALID'],
    email: ['ERR_TAKEN'],
    password: ['ERR_TOO_SHORT'],
  })
  assert.deepEqual(
    await codes({ username: 'present', email: 'present@mail.test', password: '', agreement: false, locale: '' }),
    {
      username: ['ERR_TAKEN'],
      email: ['ERR_TAKEN'],
      password: ['ERR_BLANK'],
      agreement: ['ERR_ACCEPTED'],
      locale: ['ERR_BLANK'],
    },
  )
})

test('AC7: an e-mail address that mail programs could parse differently is rejected', async () => {
  const rejected = [
    'a%b@mail.test',
    'user%other.example@mail.test',
    'a,b@mail.test',
    'a@mail.test,b@mail.test',
    '"a b"@mail.test',
    '"a@evil.example"@mail.test',
    'a@b@mail.test',
    'a@mail.test\r\nBcc: b@mail.test',
    'a\n@mail.test',
    'a b@mail.test',
    '<a@mail.test>',
    'A <a@mail.test>',
    'a(comment)@mail.test',
    'a;b@mail.test',
    'a:b@mail.test',
    'a!b@mail.test',
    'a..b@mail.test',
    '.a@mail.test',
    'a.@mail.test',
    'ä@mail.test',
    'a@mäil.test',
    'a@mail..test',
    'a@-mail.test',
    'a@[127.0.0.1]',
    'a@mail',
    '@mail.test',
    'a@',
    `${'a'.repeat(65)}@mail.test`,
    `${'a'.repeat(390)}@mail.test`,
    `a@${'a'.repeat(64)}.test`,
  ]
  for (const email of rejected) {
    const { status, body } = await signUp({ username: 'fine', email })
    assert.equal(status, 422, email)
    assert.ok(['ERR_INVALID', 'ERR_TOO_LONG'].includes(body.details.email[0].error), email)
  }
  for (const [index, email] of ["o'brien+x=y@mail.test", 'a-b_c.d@sub.mail.test'].entries()) {
    assert.equal((await signUp({ username: `fine${index}`, email })).status, 200, email)
  }
})

test('AC10: a username that is taken in another case, reserved or invalid is rejected', async () => {
  assert.equal((await signUp({ username: 'Twin', email: 'twin@mail.test' })).status, 200)
  const rejected: [string, string][] = [
    ['twin', 'ERR_TAKEN'],
    ['TWIN', 'ERR_TAKEN'],
    ['admin', 'ERR_RESERVED'],
    ['Adm1n', 'ERR_RESERVED'],
    ['he1p', 'ERR_RESERVED'],
    ['my_mastodon', 'ERR_RESERVED'],
    ['a\n', 'ERR_INVALID'],
    ['a ', 'ERR_INVALID'],
    ['a.b', 'ERR_INVALID'],
    ['ada\u0301', 'ERR_INVALID'],
    ['аda', 'ERR_INVALID'],
  ]
  for (const [username, code] of rejected) {
    const { status, body } = await signUp({ username, email: 'other@mail.test' })
    assert.equal(status, 422, username)
    assert.equal(body.details.username[0].error, code, username)
  }
  const email = await signUp({ username: 'other', email: 'TWIN@mail.test' })
  assert.equal(email.body.details.email[0].error, 'ERR_TAKEN')
})

test('AC10: of ten concurrent sign-ups with the same username, one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signUp({ username: 'contested', email: `contested${index}@mail.test` })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.ok(responses.every(({ status, body }) => status === 200 || body.details.username[0].error === 'ERR_TAKEN'))
})

test('with approval mode a sign-up is pending, and staff get a mail once the address is confirmed', async () => {
  await setMode('approved')
  const moderator = await testServer.createUser({ role: 'moderator' })
  const reason = 'Because.\r\nBcc: x@mail.test\u001b[2J <b>bold</b>'
  const { body } = await signUp({ username: 'patient', email: 'patient@mail.test', reason })
  const patient = body.access_token
  await follow((await findMailTo(testServer, 'patient@mail.test'))!.link!)
  const rejected = await apps.request(patient, '/api/v1/accounts/verify_credentials')
  assert.equal(rejected.status, 403, 'AC9: confirming does not approve')
  assert.equal(rejected.body.error, 'Your login is currently pending approval')
  assert.equal((await apps.request(patient, '/api/v1/emails/check_confirmation')).body, true)

  const mail = await findMailTo(testServer, moderator.email)
  assert.equal(mail!.subject, '@patient requests an account on linnet.test')
  assert.match(
    mail!.text,
    /> Because\.\n> Bcc: x@mail\.test\[2J <b>bold<\/b>\n/,
    'AC8: the reason is quoted without control characters',
  )
  assert.match(mail!.text, /^https:\/\/linnet\.test\/admin\/approvals$/m)

  const accountId = await findLocalAccountId(testServer.ctx, { username: 'Patient' })
  await testServer.ctx.write((tx) => approvePendingAccount(tx, { accountId, by: null }))
  assert.equal((await apps.request(patient, '/api/v1/accounts/verify_credentials')).status, 200)
})

test('sign-up is rejected while registrations are closed', async () => {
  await setMode('none')
  const { status, body } = await signUp({ username: 'late', email: 'late@mail.test' })
  assert.equal(status, 403)
  assert.equal(body.error, 'This action is not allowed')
})

test('BI19: the sixth sign-up within half an hour from one IP address gets 429', async () => {
  aheadMs = untilWindow(1)
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  for (let count = 0; count < 5; count += 1) assert.equal((await signUp({ username: '' }, { headers })).status, 422)
  const sixth = await signUp({ username: 'sixth', email: 'sixth@mail.test' }, { headers })
  assert.equal(sixth.status, 429)
  assert.ok(Number(sixth.headers['retry-after']) > 0)
})

test('nobody signs up through an application that its owner deletes meanwhile', async () => {
  const deleted = await apps.register()
  const token = await apps.tokenOf(deleted, 'write')
  const fields = { username: 'orphan', email: 'orphan@mail.test' }
  assert.equal((await deleteDuring(testServer, deleted, () => signUp(fields, { token }))).status, 403)
  assert.equal((await testServer.anonymous.get('/api/v1/accounts/lookup', { acct: 'orphan' })).status, 404)
})
