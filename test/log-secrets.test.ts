import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ownerSetupToken } from '../src/domain/accounts/create-owner.ts'
import { makeSecret } from '../src/lib/secrets.ts'
import { authorizePath, createApps } from './apps.ts'
import { createBrowser, fromSomewhere } from './browser.ts'
import { multipart } from './client.ts'
import { letterTo } from './letters.ts'
import { createAccountWithPassword, PASSWORD } from './passwords.ts'
import { until } from './play/until.ts'
import { openWorld } from './world.ts'

const lines: string[] = []
const world = await openWorld({ onLogLine: (line) => lines.push(line) })
after(world.close)
const apps = createApps(world)

/** What nobody may read in a log, by what it is. */
const secrets: Record<string, string> = {
  password: PASSWORD,
  'wrong password': 'not the horse battery',
  'direct message': 'meet me at the old mill',
  warning: 'about my health',
  description: 'me in the garden',
  'e-mail': 'grace.private@mail.test',
  'garbage token': 'a-token-of-another-server',
  'PKCE verifier': makeSecret(),
}

async function live(): Promise<void> {
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
  const fresh = await apps.obtainCode(app, browser, proof)
  const answer = await apps.exchange(app, fresh, { code_verifier: secrets['PKCE verifier']! })
  secrets['second code'] = fresh
  secrets['token'] = answer.body.access_token
  secrets['app token'] = await apps.tokenOf(app, 'write')
  await use()
  const person = { username: 'Grace', email: secrets['e-mail']!, password: PASSWORD, agreement: true, locale: 'en' }
  const signedUp = await world.anonymous.post('/api/v1/accounts', person, {
    authorization: `Bearer ${secrets['app token']}`,
    ...fromSomewhere(),
  })
  assert.equal(signedUp.status, 200)
  secrets['token of a sign-up'] = signedUp.body.access_token
  const { link } = (await letterTo(world, secrets['e-mail']!))!
  secrets['confirmation link'] = new URL(link!, 'https://linnet.test').searchParams.get('confirmation_token')!
  assert.equal((await createBrowser(world.server).get(link!)).status, 200)
  secrets['owner link'] = (await ownerSetupToken(world.ctx))!
  await createBrowser(world.server).get(`/setup?token=${secrets['owner link']}`)
  await apps.ask(secrets['token']!, '/oauth/revoke', 'POST', { ...app, token: secrets['token of a sign-up'] })
}

/** Requests with secrets in every place, whatever they are answered. */
async function use(): Promise<number[]> {
  const token = secrets['token'] ?? ''
  const post = { status: `@ada ${secrets['direct message']}`, spoiler_text: secrets['warning'], visibility: 'direct' }
  const form = await multipart({
    file: { filename: 'x.png', type: 'image/png', bytes: Buffer.from('no picture') },
    description: secrets['description']!,
  })
  const bearer = { authorization: `Bearer ${token}` }
  const browser = createBrowser(world.server)
  for (const name of ['__Host-linnet-session', '__Host-linnet-form']) {
    browser.cookies.set(name, secrets[`cookie ${name}`] ?? 'none')
  }
  const login = { login: 'ada', password: secrets['wrong password']!, csrf: secrets['form token'] ?? '' }
  const answers = [
    await world.anonymous.post('/api/v1/statuses', post, bearer),
    await world.anonymous.post('/api/v1/statuses', JSON.stringify(post).slice(0, -1), {
      ...bearer,
      'content-type': 'application/json',
    }),
    await world.anonymous.post('/api/v2/media', form.payload, { ...form.headers, ...bearer }),
    await world.anonymous.get(`/api/v1/timelines/home?access_token=${token}`),
    await world.anonymous.get('/api/v1/timelines/home', { access_token: secrets['garbage token'] }),
    await world.anonymous.post('/oauth/token', { grant_type: 'authorization_code', code: secrets['code'] ?? '' }),
    await browser.get('/account'),
    await browser.post('/auth/sign_in', login, fromSomewhere()),
    await browser.get(`/auth/confirmation?confirmation_token=${secrets['confirmation link'] ?? 'x'}`),
  ]
  return answers.map(({ status }) => status)
}

/** Takes a table away while something is done. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(world.ctx.db)
  try {
    await work()
  } finally {
    await sql`alter table ${sql.table(`${table}_away`)} rename to ${sql.table(table)}`.execute(world.ctx.db)
  }
}

function assertSilent(): void {
  const log = lines.join('')
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length > 5, `there is no ${name}`)
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)]
    for (const form of forms) assert.ok(!log.includes(form), `the log tells the ${name}`)
  }
}

test('LG1 no secret gets into the log while all goes well', async () => {
  await createAccountWithPassword(world.ctx, 'ada')
  const { base, vapid } = JSON.parse(await readFile(join(world.ctx.config.dataDir, 'secrets.json'), 'utf8'))
  Object.assign(secrets, { 'base secret': base, 'push key': vapid.privateKey })
  await live()
  await world.settle()
  assert.ok(lines.length > 0, 'each effect has its line')
  assertSilent()
})

test('LG1 no secret gets into the log when requests fail half-way', async () => {
  for (const table of ['statuses', 'access_tokens', 'users', 'sessions', 'media_attachments', 'applications']) {
    const before = lines.length
    await without(table, async () => {
      const statuses = await use()
      assert.ok(statuses.includes(500), `${table}: ${statuses.join()}`)
    })
    const failures = lines.slice(before).filter((line) => line.includes('a request failed'))
    assert.ok(failures.length > 0, `the log tells nothing of ${table}`)
  }
  assertSilent()
})

test('LG1 no secret gets into the log when effects fail', async () => {
  const before = lines.length
  await without('feed_entries', async () => {
    await use()
    await until('an effect failed', async () => lines.slice(before).some((line) => line.includes('feed_entries')))
  })
  assertSilent()
})
