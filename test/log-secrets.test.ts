import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ownerSetupToken } from '../src/domain/accounts/registration/create-owner.ts'
import { generateSecret } from '../src/lib/secrets.ts'
import { authorizePath, createOAuthApps } from './http/oauth-apps.ts'
import { createBrowser, uniqueAddressHeaders } from './http/browser.ts'
import { multipart } from './http/client.ts'
import { findMailTo } from './features/mails.ts'
import { enterPassword, setUpApp } from './features/two-factor.ts'
import { createUserWithPassword, PASSWORD } from './servers/create-user-with-password.ts'
import { until } from './end-to-end/until.ts'
import { openTestServer } from './servers/test-server.ts'

const lines: string[] = []
const testServer = await openTestServer({ onLogLine: (line) => lines.push(line) })
after(testServer.close)
const apps = createOAuthApps(testServer)

/** The texts that the log must not contain, by description. */
const secrets: Record<string, string> = {
  password: PASSWORD,
  'wrong password': 'not the horse battery',
  'direct message': 'meet me at the old mill',
  warning: 'about my health',
  description: 'me in the garden',
  'e-mail': 'grace.private@mail.test',
  'garbage token': 'a-token-of-another-server',
  'PKCE verifier': generateSecret(),
}

/** Signs up, logs in and obtains tokens, and collects the secrets of these flows. */
async function runFlows(): Promise<void> {
  const app = await apps.register({ scopes: 'read write' })
  secrets['client secret'] = app.client_secret
  const browser = await apps.logIn('ada')
  for (const [name, value] of browser.cookies) secrets[`cookie ${name}`] = value
  const challenge = createHash('sha256').update(secrets['PKCE verifier']!).digest('base64url')
  const proof = {
    scope: 'read write',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'my state of mind',
  }
  secrets['state'] = proof.state
  const consent = await browser.get(authorizePath(app, proof))
  secrets['form token'] = consent.forms.find(({ values }) => values['csrf'])!.values['csrf']!
  const code = await apps.obtainCode(app, browser, proof)
  secrets['code'] = code
  await apps.exchange(app, code, { code_verifier: 'wrong' })
  const secondCode = await apps.obtainCode(app, browser, proof)
  const answer = await apps.exchange(app, secondCode, { code_verifier: secrets['PKCE verifier']! })
  secrets['second code'] = secondCode
  secrets['token'] = answer.body.access_token
  secrets['app token'] = await apps.tokenOf(app, 'write')
  await sendSecrets()
  const user = { username: 'Grace', email: secrets['e-mail']!, password: PASSWORD, agreement: true, locale: 'en' }
  const signedUp = await testServer.anonymous.post('/api/v1/accounts', user, {
    authorization: `Bearer ${secrets['app token']}`,
    ...uniqueAddressHeaders(),
  })
  assert.equal(signedUp.status, 200)
  secrets['token of a sign-up'] = signedUp.body.access_token
  const { link } = (await findMailTo(testServer, secrets['e-mail']!))!
  secrets['confirmation link'] = new URL(link!, 'https://linnet.test').searchParams.get('confirmation_token')!
  assert.equal((await createBrowser(testServer.server).get(link!)).status, 303)
  secrets['owner link'] = (await ownerSetupToken(testServer.ctx))!
  await createBrowser(testServer.server).get(`/setup?token=${secrets['owner link']}`)
  await logInWithSecondFactor()
  await apps.request(secrets['token']!, '/oauth/revoke', 'POST', { ...app, token: secrets['token of a sign-up'] })
}

/** Sets up a second factor and logs in with it, and collects its secrets. */
async function logInWithSecondFactor(): Promise<void> {
  const { recoveryCodes } = await setUpApp(await apps.logIn('tess'), { now: testServer.ctx.now })
  Object.assign(secrets, { 'recovery code': recoveryCodes[0], 'second recovery code': recoveryCodes[1] })
  const browser = createBrowser(testServer.server)
  const page = await enterPassword(browser, { login: 'tess', password: PASSWORD })
  for (const [name, value] of browser.cookies) secrets[`cookie ${name} of a log-in that waits`] = value
  const wrong = { code: `${secrets['second recovery code']}x` }
  assert.equal((await browser.submit(page, '/auth/sign_in/second_factor', wrong)).status, 422)
  const right = { code: secrets['recovery code']! }
  assert.equal((await browser.submit(page, '/auth/sign_in/second_factor', right)).status, 303)
}

/** Sends requests with secrets in all parts, and returns the status codes. */
async function sendSecrets(): Promise<number[]> {
  const token = secrets['token'] ?? ''
  const post = { status: `@ada ${secrets['direct message']}`, spoiler_text: secrets['warning'], visibility: 'direct' }
  const form = await multipart({
    file: { filename: 'x.png', type: 'image/png', bytes: Buffer.from('no image') },
    description: secrets['description']!,
  })
  const bearer = { authorization: `Bearer ${token}` }
  const browser = createBrowser(testServer.server)
  for (const name of ['__Host-linnet-session', '__Host-linnet-form']) {
    browser.cookies.set(name, secrets[`cookie ${name}`] ?? 'none')
  }
  const login = { login: 'ada', password: secrets['wrong password']!, csrf: secrets['form token'] ?? '' }
  const answers = [
    await testServer.anonymous.post('/api/v1/statuses', post, bearer),
    await testServer.anonymous.post('/api/v1/statuses', JSON.stringify(post).slice(0, -1), {
      ...bearer,
      'content-type': 'application/json',
    }),
    await testServer.anonymous.post('/api/v2/media', form.payload, { ...form.headers, ...bearer }),
    await testServer.anonymous.get(`/api/v1/timelines/home?access_token=${token}`),
    await testServer.anonymous.get('/api/v1/timelines/home', { access_token: secrets['garbage token'] }),
    await testServer.anonymous.post('/oauth/token', { grant_type: 'authorization_code', code: secrets['code'] ?? '' }),
    await browser.get('/account'),
    await browser.post('/auth/sign_in', login, uniqueAddressHeaders()),
    await browser.post('/settings/confirm', {
      csrf: secrets['form token'] ?? '',
      code: secrets['second recovery code'] ?? 'none',
    }),
    await browser.get(`/auth/confirmation?confirmation_token=${secrets['confirmation link'] ?? 'x'}`),
  ]
  return answers.map(({ status }) => status)
}

/** Renames a table while `work` runs, so that its statements fail. */
async function withoutTable(table: string, work: () => Promise<void>): Promise<void> {
  await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_renamed`)}`.execute(testServer.ctx.db)
  try {
    await work()
  } finally {
    await sql`alter table ${sql.table(`${table}_renamed`)} rename to ${sql.table(table)}`.execute(testServer.ctx.db)
  }
}

function assertNoSecretsInLog(): void {
  const log = lines.join('')
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length > 5, `no value for ${name}`)
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)]
    for (const form of forms) assert.ok(!log.includes(form), `the log contains the ${name}`)
  }
}

test('LG1 the log contains no secrets of successful requests', async () => {
  await createUserWithPassword(testServer.ctx, 'ada')
  await createUserWithPassword(testServer.ctx, 'tess')
  const { base, vapid } = JSON.parse(await readFile(join(testServer.ctx.config.dataDir, 'secrets.json'), 'utf8'))
  Object.assign(secrets, { 'base secret': base, 'push key': vapid.privateKey })
  await runFlows()
  await testServer.waitForJobs()
  assert.ok(lines.length > 0, 'each effect is logged')
  assertNoSecretsInLog()
})

test('LG1 the log contains no secrets of failing requests', async () => {
  for (const table of ['statuses', 'access_tokens', 'users', 'sessions', 'media_attachments', 'applications']) {
    const before = lines.length
    await withoutTable(table, async () => {
      const statuses = await sendSecrets()
      assert.ok(statuses.includes(500), `${table}: ${statuses.join()}`)
    })
    const failures = lines.slice(before).filter((line) => line.includes('Request failed'))
    assert.ok(failures.length > 0, `no failure is logged for ${table}`)
  }
  assertNoSecretsInLog()
})

test('LG1 the log contains no secrets of failing effects', async () => {
  const before = lines.length
  await withoutTable('feed_entries', async () => {
    await sendSecrets()
    await until('the log line of the failed job', async () =>
      lines.slice(before).some((line) => line.includes('feed_entries')),
    )
  })
  assertNoSecretsInLog()
})
