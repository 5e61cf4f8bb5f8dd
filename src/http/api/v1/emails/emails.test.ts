import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createOAuthApps } from '../../../../../test/http/oauth-apps.ts'
import type { OAuthApps } from '../../../../../test/http/oauth-apps.ts'
import { openBrowserSession } from '../../../../../test/http/open-session.ts'
import { uniqueAddressHeaders } from '../../../../../test/http/browser.ts'
import { findMailTo } from '../../../../../test/features/mails.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../../test/servers/test-server.ts'
import { expireSignUps } from '../../../../domain/accounts/email/expire-sign-ups.ts'
import { requestPasswordReset } from '../../../../domain/auth/password-reset.ts'
import { resendConfirmation } from '../../../../domain/accounts/email/resend-confirmation.ts'

let testServer: TestServer
let apps: OAuthApps
let appToken: string
let now: Date | null = null

before(async () => {
  testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => now ?? new Date() })
  apps = createOAuthApps(testServer)
  appToken = await apps.tokenOf(await apps.register(), 'write')
})
after(() => testServer.close())
beforeEach(() => {
  now = null
})

const signUp = ({ username, email }: { username: string; email: string }, { headers = uniqueAddressHeaders() } = {}) =>
  testServer.anonymous.post(
    '/api/v1/accounts',
    { username, email, password: 'correct horse battery', agreement: true, locale: 'en' },
    { authorization: `Bearer ${appToken}`, ...headers },
  )

const follow = (link: string) =>
  testServer.anonymous.send({ method: 'GET', url: link, headers: { accept: 'text/html', ...uniqueAddressHeaders() } })

test('AC9: a confirmation link works once, for two days, and only from the newest mail', async () => {
  const { body } = await signUp({ username: 'slow', email: 'slow@mail.test' })
  const first = (await findMailTo(testServer, 'slow@mail.test'))!.link!
  now = new Date(Date.now() + 1_000)
  assert.equal((await apps.request(body.access_token, '/api/v1/emails/confirmations', 'POST')).status, 200)
  const second = (await findMailTo(testServer, 'slow@mail.test'))!.link!
  assert.notEqual(first, second)
  assert.equal((await follow(first)).status, 422)
  const [userId, seal] = new URL(second, 'https://x').searchParams.get('confirmation_token')!.split('.')
  for (const forged of [
    `${userId}.`,
    `${userId}.x`,
    `${Number(userId) - 1}.${seal}`,
    `.${seal}`,
    'x',
    '1.2.3',
    `${userId}`,
  ]) {
    assert.equal((await follow(`/auth/confirmation?confirmation_token=${forged}`)).status, 422, forged)
  }
  now = new Date(Date.now() + 2 * 86_400_000 + 2_000)
  assert.equal((await follow(second)).status, 422)
  now = null
  assert.equal(
    (await testServer.anonymous.send({ method: 'HEAD', url: second })).status,
    404,
    'a HEAD request does not use the link',
  )
  const responses = await Promise.all(Array.from({ length: 5 }, () => follow(second)))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 422, 422, 422, 422],
  )
})

test('AC3: the link has the configured domain, whatever the Host header', async () => {
  const headers = { ...uniqueAddressHeaders(), host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  await signUp({ username: 'hosted', email: 'hosted@mail.test' }, { headers })
  const mail = await findMailTo(testServer, 'hosted@mail.test')
  assert.doesNotMatch(mail!.text, /evil/)
  assert.match(mail!.link!, /^\/auth\/confirmation\?confirmation_token=\d+\.[\w-]{43}&redirect_to_app=true$/)
})

test('an unconfirmed user may change the e-mail address; links to the old address stop working', async () => {
  const { body } = await signUp({ username: 'typo', email: 'tpyo@mail.test' })
  const oldLink = (await findMailTo(testServer, 'tpyo@mail.test'))!.link!
  await testServer.ctx.write((tx) => requestPasswordReset(tx, { email: 'tpyo@mail.test' }))
  const { text } = (await findMailTo(testServer, 'tpyo@mail.test'))!
  const [, resetLink = ''] = /linnet\.test(\/auth\/password\/edit\S+)/.exec(text)!
  assert.equal((await follow(resetLink)).status, 200)
  const typo = body.access_token
  const invalid = await apps.request(typo, '/api/v1/emails/confirmations', 'POST', { email: 'a,b@mail.test' })
  assert.equal(invalid.status, 422)
  now = new Date(Date.now() + 1_000)
  assert.equal(
    (await apps.request(typo, '/api/v1/emails/confirmations', 'POST', { email: 'typo@mail.test' })).status,
    200,
  )
  assert.equal((await follow(oldLink)).status, 422)
  assert.equal((await follow(resetLink)).status, 422, 'so does that of a password reset')
  assert.equal((await follow((await findMailTo(testServer, 'typo@mail.test'))!.link!)).status, 303)
  const confirmed = await apps.request(typo, '/api/v1/emails/confirmations', 'POST')
  assert.equal(confirmed.status, 403)
  assert.equal(confirmed.body.error, 'This method is only available while the e-mail is awaiting confirmation')
})

test('AC2: a taken e-mail address gets the usual response, and its owner gets a mail', async () => {
  const owner = await testServer.createUser()
  const { body } = await signUp({ username: 'curious', email: 'curious@mail.test' })
  const free = await apps.request(body.access_token, '/api/v1/emails/confirmations', 'POST', {
    email: 'free@mail.test',
  })
  const taken = await apps.request(body.access_token, '/api/v1/emails/confirmations', 'POST', {
    email: owner.email.toUpperCase(),
  })
  assert.deepEqual([taken.status, taken.body], [free.status, free.body])
  assert.match(
    (await findMailTo(testServer, owner.email))!.subject,
    /Someone tried to register with your e-mail address/,
  )
})

test('only the application of the sign-up can resend the confirmation mail', async () => {
  const { body } = await signUp({ username: 'loyal', email: 'loyal@mail.test' })
  const { userId } = (await testServer.ctx.db
    .selectFrom('users')
    .select('id as userId')
    .where('email', '=', 'loyal@mail.test')
    .executeTakeFirst())!
  assert.equal((await apps.request(body.access_token, '/api/v1/emails/confirmations', 'POST')).status, 200)
  const user = await testServer.createUser({ confirmed: false })
  const rejected = await user.client.post('/api/v1/emails/confirmations')
  assert.equal(rejected.status, 403)
  assert.match(rejected.body.error, /only available to the application the user originally signed-up with/)
  await resendConfirmation(testServer.ctx, { userId })
})

test('the mail for a pending change of address can be resent, by the application of the sign-up only', async () => {
  const { body } = await signUp({ username: 'mover', email: 'mover@mail.test' })
  const resend = (fields?: object) => apps.request(body.access_token, '/api/v1/emails/confirmations', 'POST', fields)
  const isConfirmed = async () => (await apps.request(body.access_token, '/api/v1/emails/check_confirmation')).body
  assert.equal(await isConfirmed(), false)
  await follow((await findMailTo(testServer, 'mover@mail.test'))!.link!)
  assert.deepEqual([await isConfirmed(), (await resend()).status], [true, 403])
  await testServer.ctx.db
    .updateTable('users')
    .set({ unconfirmed_email: 'moved@mail.test', confirmation_sent_at: new Date() })
    .where('email', '=', 'mover@mail.test')
    .execute()
  now = new Date(Date.now() + 1_000)
  assert.equal((await resend()).status, 200)
  assert.equal(await isConfirmed(), true, 'the current address stays confirmed')
  const other = await testServer.createUser()
  assert.equal((await other.client.post('/api/v1/emails/confirmations')).status, 403)
  assert.equal(
    (await follow((await findMailTo(testServer, 'moved@mail.test'))!.link!)).status,
    200,
    'a change of the address does not redirect to the app',
  )
  assert.equal((await resend()).body.error, 'This method is only available while the e-mail is awaiting confirmation')
})

test('AC7: an e-mail address that mail programs could parse differently is rejected as a replacement', async () => {
  const { body } = await signUp({ username: 'careful', email: 'careful@mail.test' })
  const rejected = [
    'a%b@mail.test',
    'a,b@mail.test',
    '"a b"@mail.test',
    'a@mail.test\r\nBcc: b@mail.test',
    'a@[127.0.0.1]',
  ]
  const tokens = await Promise.all(
    rejected.map(async (_, n) => (await signUp({ username: `c${n}`, email: `c${n}@mail.test` })).body),
  )
  for (const [n, email] of [...rejected.entries(), [0, `${'a'.repeat(400)}@mail.test`] as const]) {
    const token = tokens[n]?.access_token ?? body.access_token
    const response = await apps.request(token, '/api/v1/emails/confirmations', 'POST', { email })
    assert.deepEqual([email, response.status], [email, 422])
    assert.match(response.body.error, /^Validation failed: Email is (invalid|too long)/)
  }
  const { email } = await testServer.ctx.db
    .selectFrom('users')
    .select('email')
    .where('email', '=', 'c0@mail.test')
    .executeTakeFirstOrThrow()
  assert.equal(email, 'c0@mail.test')
})

test('only the user can check whether the e-mail address is confirmed', async () => {
  const { body } = await signUp({ username: 'asker', email: 'asker@mail.test' })
  const responses = await Promise.all([
    testServer.anonymous.get('/api/v1/emails/check_confirmation'),
    apps.request(appToken, '/api/v1/emails/check_confirmation'),
    (await testServer.createUser({ confirmed: false, scopes: 'write' })).client.get(
      '/api/v1/emails/check_confirmation',
    ),
    (await testServer.createUser({ approved: false })).client.get('/api/v1/emails/check_confirmation'),
  ])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 403, 403, 200],
  )
  assert.deepEqual([responses[3].body, body.token_type], [true, 'Bearer'])
})

test('a browser session is enough to check whether the e-mail address is confirmed, without a CSRF token', async () => {
  for (const confirmed of [false, true]) {
    const browser = await openBrowserSession(testServer, await testServer.createUser({ confirmed }))
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const get = (headers: Record<string, string>) =>
      testServer.anonymous.send({ method: 'GET', url: '/api/v1/emails/check_confirmation', headers })
    const { status, headers, body } = await get({ cookie, origin: 'https://evil.example' })
    assert.deepEqual([status, body], [200, confirmed])
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal((await get({ cookie, authorization: 'Bearer unknown' })).status, 401)
  }
})

test('an account that is not confirmed after seven days is deleted with its mails, and its username is free again', async () => {
  await signUp({ username: 'gone', email: 'gone@mail.test' })
  now = new Date(Date.now() + 6.9 * 86_400_000)
  await expireSignUps(testServer.ctx)
  assert.equal((await signUp({ username: 'gone', email: 'gone2@mail.test' })).status, 422)
  now = new Date(Date.now() + 7.1 * 86_400_000)
  const before = await testServer.createUser({ username: 'stays' })
  assert.ok(await findMailTo(testServer, 'gone@mail.test'))
  await expireSignUps(testServer.ctx)
  assert.equal(await findMailTo(testServer, 'gone@mail.test'), null)
  assert.equal((await signUp({ username: 'gone', email: 'gone@mail.test' })).status, 200)
  assert.equal((await before.client.get('/api/v1/accounts/verify_credentials')).status, 200)
})

test('a corrected address must not be of a blocked domain or blocked itself, by the API or the page', async () => {
  const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:write' })
  await admin.client.post('/api/v1/admin/email_domain_blocks', { domain: 'blocked.test' })
  await admin.client.post('/api/v1/admin/canonical_email_blocks', { email: 'pest@mail.test' })
  const { body } = await signUp({ username: 'evasive', email: 'evasive@mail.test' })
  const correct = (email: string) => apps.request(body.access_token, '/api/v1/emails/confirmations', 'POST', { email })
  const browser = await openBrowserSession(testServer, await testServer.createUser({ confirmed: false }))
  for (const email of ['a@blocked.test', 'a@sub.blocked.test', 'Pest+1@mail.test']) {
    assert.equal((await correct(email)).status, 422, email)
    const page = await browser.submit(await browser.get('/auth/setup'), '/auth/confirmation', { email })
    assert.equal(page.status, 422, email)
    assert.equal(await findMailTo(testServer, email), null, email)
  }
  assert.equal((await correct('allowed@mail.test')).status, 200)
  assert.ok(await findMailTo(testServer, 'allowed@mail.test'))
})
