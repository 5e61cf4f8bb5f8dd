import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createApps } from '../../../../../test/apps.ts'
import type { App, Apps } from '../../../../../test/apps.ts'
import { fromSomewhere } from '../../../../../test/browser.ts'
import { letterTo } from '../../../../../test/letters.ts'
import { untilWindow } from '../../../../../test/until-window.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { World } from '../../../../../test/world.ts'
import { approveAccount } from '../../../../domain/accounts/approve.ts'
import { changeSetting } from '../../../../domain/instance/settings.ts'
import type { RegistrationsMode } from '../../../../platform/config.ts'

const PERSON = { password: 'correct horse battery', agreement: true, locale: 'en' }

let world: World
let later = 0
let apps: Apps
let app: App
let appToken: string

before(async () => {
  world = await openWorld({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + later) })
  apps = createApps(world)
  app = await apps.register()
  appToken = await apps.tokenOf(app, 'write')
})
after(() => world.close())
beforeEach(() => setMode('open'))

const setMode = (mode: RegistrationsMode) =>
  world.ctx.write((tx) => changeSetting(tx, { name: 'registrations', text: mode }))

const signUp = (fields: Record<string, unknown>, { token = appToken, headers = fromSomewhere() } = {}) =>
  world.anonymous.post('/api/v1/accounts', { ...PERSON, ...fields }, { authorization: `Bearer ${token}`, ...headers })

const follow = (link: string) =>
  world.anonymous.send({ method: 'GET', url: link, headers: { accept: 'text/html', ...fromSomewhere() } })

test('a person signs up by an app, confirms the address by the letter, and is here', async () => {
  const { status, body } = await signUp({ username: 'Grace_H', email: 'grace@mail.test' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.token_type, 'Bearer')
  assert.equal(body.scope, 'read write')
  const grace = body.access_token

  const early = await apps.ask(grace, '/api/v1/accounts/verify_credentials')
  assert.equal(early.status, 403)
  assert.equal(early.body.error, 'Your login is missing a confirmed e-mail address')
  assert.equal((await apps.ask(grace, '/api/v1/emails/check_confirmation')).body, false)

  const letter = await letterTo(world, 'grace@mail.test')
  assert.match(letter!.text, /@Grace_H/)
  const confirmed = await follow(letter!.link!)
  assert.equal(confirmed.status, 200)
  assert.match(confirmed.body, /Test app/)

  assert.equal((await apps.ask(grace, '/api/v1/emails/check_confirmation')).body, true)
  const account = await apps.ask(grace, '/api/v1/accounts/verify_credentials')
  assert.equal(account.status, 200)
  assert.equal(account.body.username, 'Grace_H')
  assert.equal(account.body.acct, 'Grace_H')
  assert.equal(account.body.url, 'https://linnet.test/@Grace_H')
  assert.equal(account.body.uri, `https://linnet.test/ap/users/${account.body.id}`)
  assert.equal(account.body.statuses_count, 0)
  assert.equal(account.body.source.privacy, 'public')
})

test('only an app signs people up, with a token that may write', async () => {
  const person = await world.createPerson()
  const byPerson = await signUp({ username: 'x', email: 'x@mail.test' }, { token: person.token })
  assert.equal(byPerson.status, 403)
  assert.equal(byPerson.body.error, 'This method requires an client credentials authentication')
  const reading = await signUp({ username: 'x', email: 'x@mail.test' }, { token: await apps.tokenOf(app, 'read') })
  assert.equal(reading.status, 403)
  assert.equal((await signUp({ username: 'x', email: 'x@mail.test' }, { token: 'nonsense' })).status, 401)
})

test('every field has its rules, and all broken ones are told at once, by name', async () => {
  const answer = await signUp({ username: 'not ok', email: 'no', password: 'short', agreement: false, locale: '' })
  assert.equal(answer.status, 422)
  assert.match(answer.body.error, /^Validation failed: Username must contain only letters, numbers and underscores, /)
  const { details } = answer.body
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
  const more: [Record<string, unknown>, string, string][] = [
    [{ username: '' }, 'username', 'ERR_BLANK'],
    [{ username: 'x'.repeat(31) }, 'username', 'ERR_TOO_LONG'],
    [{ email: '' }, 'email', 'ERR_BLANK'],
    [{ password: '' }, 'password', 'ERR_BLANK'],
    [{ password: 'x'.repeat(129) }, 'password', 'ERR_TOO_LONG'],
    [{ locale: 'not a language' }, 'locale', 'ERR_INCLUSION'],
    [{ reason: 'x'.repeat(421) }, 'reason', 'ERR_TOO_LONG'],
    [{ agreement: undefined }, 'agreement', 'ERR_ACCEPTED'],
  ]
  for (const [fields, name, code] of more) {
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

test('AC7: an address that mail programs could read differently is refused', async () => {
  const refused = [
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
  for (const email of refused) {
    const { status, body } = await signUp({ username: 'fine', email })
    assert.equal(status, 422, email)
    assert.ok(['ERR_INVALID', 'ERR_TOO_LONG'].includes(body.details.email[0].error), email)
  }
  for (const [index, email] of ["o'brien+x=y@mail.test", 'a-b_c.d@sub.mail.test'].entries()) {
    assert.equal((await signUp({ username: `fine${index}`, email })).status, 200, email)
  }
})

test('AC10: a name that somebody has in another case, or that is kept back, is refused', async () => {
  assert.equal((await signUp({ username: 'Twin', email: 'twin@mail.test' })).status, 200)
  const refused: [string, string][] = [
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
  for (const [username, code] of refused) {
    const { status, body } = await signUp({ username, email: 'other@mail.test' })
    assert.equal(status, 422, username)
    assert.equal(body.details.username[0].error, code, username)
  }
  const email = await signUp({ username: 'other', email: 'TWIN@mail.test' })
  assert.equal(email.body.details.email[0].error, 'ERR_TAKEN')
})

test('AC10: of ten people who want one name at once, one gets it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signUp({ username: 'wanted', email: `wanted${index}@mail.test` })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status, body }) => status === 200 || body.details.username[0].error === 'ERR_TAKEN'))
})

test('a person waits for approval where that is the rule, and the staff gets a letter once the address is confirmed', async () => {
  await setMode('approved')
  const moderator = await world.createPerson({ role: 'moderator' })
  const reason = 'Because.\r\nBcc: x@mail.test\u001b[2J <b>bold</b>'
  const { body } = await signUp({ username: 'patient', email: 'patient@mail.test', reason })
  const patient = body.access_token
  await follow((await letterTo(world, 'patient@mail.test'))!.link!)
  const refused = await apps.ask(patient, '/api/v1/accounts/verify_credentials')
  assert.equal(refused.status, 403, 'AC9: confirming does not approve')
  assert.equal(refused.body.error, 'Your login is currently pending approval')
  assert.equal((await apps.ask(patient, '/api/v1/emails/check_confirmation')).body, true)

  const letter = await letterTo(world, moderator.email)
  assert.equal(letter!.subject, '@patient requests an account on linnet.test')
  assert.match(
    letter!.text,
    /> Because\.\n> Bcc: x@mail\.test\[2J <b>bold<\/b>\n/,
    'AC8: what was typed is quoted, tame',
  )

  await world.ctx.write((tx) => approveAccount(tx, { username: 'Patient' }))
  assert.equal((await apps.ask(patient, '/api/v1/accounts/verify_credentials')).status, 200)
})

test('nobody signs up where registrations are closed', async () => {
  await setMode('none')
  const { status, body } = await signUp({ username: 'late', email: 'late@mail.test' })
  assert.equal(status, 403)
  assert.equal(body.error, 'This action is not allowed')
})

test('BI19: the sixth sign-up of half an hour from one address is refused', async () => {
  later = untilWindow(1)
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  for (let count = 0; count < 5; count += 1) assert.equal((await signUp({ username: '' }, { headers })).status, 422)
  const sixth = await signUp({ username: 'sixth', email: 'sixth@mail.test' }, { headers })
  assert.equal(sixth.status, 429)
  assert.ok(Number(sixth.headers['retry-after']) > 0)
})
