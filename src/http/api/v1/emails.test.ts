import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createApps } from '../../../../test/apps.ts'
import type { Apps } from '../../../../test/apps.ts'
import { fromSomewhere } from '../../../../test/browser.ts'
import { letterTo } from '../../../../test/letters.ts'
import { openWorld } from '../../../../test/world.ts'
import type { World } from '../../../../test/world.ts'
import { expireSignUps } from '../../../domain/accounts/expire-sign-ups.ts'
import { resendConfirmation } from '../../../domain/accounts/resend-confirmation.ts'

let world: World
let apps: Apps
let appToken: string
let now: Date | null = null

before(async () => {
  world = await openWorld({ env: { DB_POOL: '10' }, now: () => now ?? new Date() })
  apps = createApps(world)
  appToken = await apps.tokenOf(await apps.register(), 'write')
})
after(() => world.close())
beforeEach(() => {
  now = null
})

const signUp = ({ username, email }: { username: string; email: string }, { headers = fromSomewhere() } = {}) =>
  world.anonymous.post(
    '/api/v1/accounts',
    { username, email, password: 'correct horse battery', agreement: true, locale: 'en' },
    { authorization: `Bearer ${appToken}`, ...headers },
  )

const follow = (link: string) =>
  world.anonymous.send({ method: 'GET', url: link, headers: { accept: 'text/html', ...fromSomewhere() } })

test('AC9: a link works once, only for the newest letter, and for seven days', async () => {
  const { body } = await signUp({ username: 'slow', email: 'slow@mail.test' })
  const first = (await letterTo(world, 'slow@mail.test'))!.link!
  now = new Date(Date.now() + 1_000)
  assert.equal((await apps.ask(body.access_token, '/api/v1/emails/confirmations', 'POST')).status, 200)
  const second = (await letterTo(world, 'slow@mail.test'))!.link!
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
  now = new Date(Date.now() + 7 * 86_400_000 + 2_000)
  assert.equal((await follow(second)).status, 422)
  now = null
  assert.equal((await world.anonymous.send({ method: 'HEAD', url: second })).status, 404, 'a look does not use it up')
  const answers = await Promise.all(Array.from({ length: 5 }, () => follow(second)))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422, 422, 422, 422],
  )
})

test('AC3: the link names the server that is configured, whatever host was asked', async () => {
  const headers = { ...fromSomewhere(), host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  await signUp({ username: 'hosted', email: 'hosted@mail.test' }, { headers })
  const letter = await letterTo(world, 'hosted@mail.test')
  assert.doesNotMatch(letter!.text, /evil/)
  assert.match(letter!.link!, /^\/auth\/confirmation\?confirmation_token=\d+\.[\w-]{43}$/)
})

test('a person who has not confirmed yet may change the address; links to the old one are dead', async () => {
  const { body } = await signUp({ username: 'typo', email: 'tpyo@mail.test' })
  const old = (await letterTo(world, 'tpyo@mail.test'))!.link!
  const typo = body.access_token
  const wrong = await apps.ask(typo, '/api/v1/emails/confirmations', 'POST', { email: 'a,b@mail.test' })
  assert.equal(wrong.status, 422)
  now = new Date(Date.now() + 1_000)
  assert.equal((await apps.ask(typo, '/api/v1/emails/confirmations', 'POST', { email: 'typo@mail.test' })).status, 200)
  assert.equal((await follow(old)).status, 422)
  assert.equal((await follow((await letterTo(world, 'typo@mail.test'))!.link!)).status, 200)
  const late = await apps.ask(typo, '/api/v1/emails/confirmations', 'POST')
  assert.equal(late.status, 403)
  assert.equal(late.body.error, 'This method is only available while the e-mail is awaiting confirmation')
})

test('AC2: asking for an address that somebody else has answers as for any other, and tells its owner', async () => {
  const owner = await world.createPerson()
  const { body } = await signUp({ username: 'curious', email: 'curious@mail.test' })
  const free = await apps.ask(body.access_token, '/api/v1/emails/confirmations', 'POST', { email: 'free@mail.test' })
  const taken = await apps.ask(body.access_token, '/api/v1/emails/confirmations', 'POST', {
    email: owner.email.toUpperCase(),
  })
  assert.deepEqual([taken.status, taken.body], [free.status, free.body])
  assert.match((await letterTo(world, owner.email))!.subject, /Someone tried to register with your e-mail address/)
})

test('only the app that a person signed up with asks for the letter again', async () => {
  const { body } = await signUp({ username: 'loyal', email: 'loyal@mail.test' })
  const { userId } = (await world.ctx.db
    .selectFrom('users')
    .select('id as userId')
    .where('email', '=', 'loyal@mail.test')
    .executeTakeFirst())!
  assert.equal((await apps.ask(body.access_token, '/api/v1/emails/confirmations', 'POST')).status, 200)
  const person = await world.createPerson({ confirmed: false })
  const refused = await person.client.post('/api/v1/emails/confirmations')
  assert.equal(refused.status, 403)
  assert.match(refused.body.error, /only available to the application the user originally signed-up with/)
  await world.ctx.write((tx) => resendConfirmation(tx, { userId }))
})

test('a letter for a change of address is sent again while the change waits, and only to the app of the sign-up', async () => {
  const { body } = await signUp({ username: 'mover', email: 'mover@mail.test' })
  const resend = (fields?: object) => apps.ask(body.access_token, '/api/v1/emails/confirmations', 'POST', fields)
  const isConfirmed = async () => (await apps.ask(body.access_token, '/api/v1/emails/check_confirmation')).body
  assert.equal(await isConfirmed(), false)
  await follow((await letterTo(world, 'mover@mail.test'))!.link!)
  assert.deepEqual([await isConfirmed(), (await resend()).status], [true, 403])
  await world.ctx.db
    .updateTable('users')
    .set({ unconfirmed_email: 'moved@mail.test', confirmation_sent_at: new Date() })
    .where('email', '=', 'mover@mail.test')
    .execute()
  now = new Date(Date.now() + 1_000)
  assert.equal((await resend()).status, 200)
  assert.equal(await isConfirmed(), true, 'the address that letters go to is')
  const other = await world.createPerson()
  assert.equal((await other.client.post('/api/v1/emails/confirmations')).status, 403)
  assert.equal((await follow((await letterTo(world, 'moved@mail.test'))!.link!)).status, 200)
  assert.equal((await resend()).body.error, 'This method is only available while the e-mail is awaiting confirmation')
})

test('AC7: an address that mail programs could read differently takes no other’s place', async () => {
  const { body } = await signUp({ username: 'careful', email: 'careful@mail.test' })
  const refused = [
    'a%b@mail.test',
    'a,b@mail.test',
    '"a b"@mail.test',
    'a@mail.test\r\nBcc: b@mail.test',
    'a@[127.0.0.1]',
  ]
  const tokens = await Promise.all(
    refused.map(async (_, n) => (await signUp({ username: `c${n}`, email: `c${n}@mail.test` })).body),
  )
  for (const [n, email] of [...refused.entries(), [0, `${'a'.repeat(400)}@mail.test`] as const]) {
    const token = tokens[n]?.access_token ?? body.access_token
    const answer = await apps.ask(token, '/api/v1/emails/confirmations', 'POST', { email })
    assert.deepEqual([email, answer.status], [email, 422])
    assert.match(answer.body.error, /^Validation failed: Email is (invalid|too long)/)
  }
  const { email } = await world.ctx.db
    .selectFrom('users')
    .select('email')
    .where('email', '=', 'c0@mail.test')
    .executeTakeFirstOrThrow()
  assert.equal(email, 'c0@mail.test')
})

test('whether an address is confirmed is told to whom it belongs, and to nobody else', async () => {
  const { body } = await signUp({ username: 'asker', email: 'asker@mail.test' })
  const answers = await Promise.all([
    world.anonymous.get('/api/v1/emails/check_confirmation'),
    apps.ask(appToken, '/api/v1/emails/check_confirmation'),
    (await world.createPerson({ confirmed: false, scopes: 'write' })).client.get('/api/v1/emails/check_confirmation'),
    (await world.createPerson({ approved: false })).client.get('/api/v1/emails/check_confirmation'),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 403, 403, 200],
  )
  assert.deepEqual([answers[3].body, body.token_type], [true, 'Bearer'])
})

test('who has not confirmed after seven days is removed, and the name is free', async () => {
  await signUp({ username: 'gone', email: 'gone@mail.test' })
  now = new Date(Date.now() + 6.9 * 86_400_000)
  await expireSignUps(world.ctx)
  assert.equal((await signUp({ username: 'gone', email: 'gone2@mail.test' })).status, 422)
  now = new Date(Date.now() + 7.1 * 86_400_000)
  const before = await world.createPerson({ username: 'stays' })
  await expireSignUps(world.ctx)
  assert.equal((await signUp({ username: 'gone', email: 'gone@mail.test' })).status, 200)
  assert.equal((await before.client.get('/api/v1/accounts/verify_credentials')).status, 200)
})
