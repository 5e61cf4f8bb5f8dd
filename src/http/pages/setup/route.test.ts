import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { disable } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { ownerSetupToken } from '../../../domain/accounts/registration/create-owner.ts'
import { countUnsentMails } from '../../../domain/mails/outbox.ts'

let testServer: TestServer
before(async () => {
  testServer = await openTestServer()
})
after(() => testServer.close())

const OWNER = { username: 'admin', email: 'owner@mail.test', password: PASSWORD }

test('the link of the first start creates the owner, once, and logs them in', async () => {
  const token = (await ownerSetupToken(testServer.ctx))!
  assert.equal(await ownerSetupToken(testServer.ctx), token, 'the link stays the same until it is used')
  const browser = createBrowser(testServer.server)
  for (const wrong of ['', 'x', `${token}x`, token.slice(1)]) {
    assert.equal((await browser.get(`/setup?token=${wrong}`)).status, 404, wrong)
  }
  const page = await browser.get(`/setup?token=${token}`)
  assert.equal(page.status, 200)
  assert.match(page.text, /do not need to confirm it/)
  assert.doesNotMatch(page.text, /link there to confirm/)
  const mistake = await browser.submit(page, '/setup', { ...OWNER, password: 'short' })
  assert.equal(mistake.status, 422)
  assert.match(mistake.text, /This is too short/)
  const racing = await Promise.all([
    browser.submit(mistake, '/setup', OWNER),
    submitFromOtherBrowser(page.forms[0]!.values, browser.cookies),
  ])
  assert.deepEqual(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 422],
    'one of two concurrent requests succeeds',
  )
  const loser = racing.find(({ status }) => status === 422)!
  assert.match(loser.text, /The owner account exists already/)
  assert.doesNotMatch(String(loser.headers['set-cookie']), /session/)
  const winner = racing.find(({ status }) => status === 303)
  assert.equal(winner?.location, '/start', 'the web client shows the first steps')

  assert.equal(await ownerSetupToken(testServer.ctx), null)
  assert.equal((await browser.get(`/setup?token=${token}`)).status, 404)
  const owners = await testServer.ctx.db
    .selectFrom('users')
    .select(['email', 'confirmed_at', 'approved'])
    .where('role_id', '=', '3')
    .execute()
  assert.equal(owners.length, 1)
  assert.ok(owners[0]!.confirmed_at && owners[0]!.approved)
  await testServer.waitForJobs()
  assert.equal(await countUnsentMails(testServer.ctx), 0, 'the owner gets no confirmation mail')
})

/** Sends the same form from another browser. */
async function submitFromOtherBrowser(values: Record<string, string>, cookies: Map<string, string>) {
  const rival = createBrowser(testServer.server)
  for (const [name, value] of cookies) rival.cookies.set(name, value)
  return rival.post('/setup', { ...values, ...OWNER, username: 'rival', email: 'rival@mail.test' })
}

test('after a double click, each response logs the owner in and leads to the first steps', async () => {
  const newServer = await openTestServer()
  try {
    const token = (await ownerSetupToken(newServer.ctx))!
    const browser = createBrowser(newServer.server)
    const form = (await browser.get(`/setup?token=${token}`)).forms.find(({ action }) => action === '/setup')!
    const before = [...browser.cookies]
    // A browser that has not stored the session of another response.
    const send = async (fields: Record<string, string>) => {
      const window = createBrowser(newServer.server)
      for (const [name, value] of before) window.cookies.set(name, value)
      return { window, response: await window.post('/setup', { ...form.values, ...fields }) }
    }
    const clicks = [...(await Promise.all([send(OWNER), send(OWNER)])), await send(OWNER)]
    for (const { window, response } of clicks) {
      assert.deepEqual([response.status, response.location], [303, '/start'])
      assert.equal((await window.get('/account')).status, 200)
    }
    const guess = await send({ ...OWNER, password: 'another password' })
    assert.equal(guess.response.status, 422)
    assert.match(guess.response.text, /The owner account exists already/)
    assert.equal((await guess.window.get('/account')).status, 303)
    const users = await newServer.ctx.db.selectFrom('users').select('email').execute()
    assert.deepEqual(users, [{ email: OWNER.email }])
    await newServer.waitForJobs()
    assert.equal(await countUnsentMails(newServer.ctx), 0)
  } finally {
    await newServer.close()
  }
})

test('the owner reads stored mails; other users get 404, and visitors are redirected to the log-in', async () => {
  await createUserWithPassword(testServer.ctx, 'boss', { role: 'owner' })
  await createUserWithPassword(testServer.ctx, 'chief', { role: 'admin' })
  await createUserWithPassword(testServer.ctx, 'fresh', { confirmed: false })
  await testServer.waitForJobs()
  const logIn = async (login: string) => {
    const browser = createBrowser(testServer.server)
    await browser.submit(await browser.get('/auth/sign_in'), '/auth/sign_in', { login, password: PASSWORD })
    return browser
  }
  const [boss, chief, anonymous] = [await logIn('boss'), await logIn('chief'), createBrowser(testServer.server)]
  assert.match((await boss.get('/account')).text, /Outbox \(1\)/)
  const list = await boss.get('/dev/mail')
  assert.match(list.text, /Confirm your e-mail address for linnet\.test fresh@mail\.test/)
  const path = /href="(\/dev\/mail\/\d+)"/.exec(list.html)![1]!
  const mail = await boss.get(path)
  assert.match(mail.html, /href="https:\/\/linnet\.test\/auth\/confirmation\?confirmation_token=/)
  for (const hidden of ['/dev/mail', path, '/dev/mail/999999']) {
    assert.equal((await chief.get(hidden)).status, 404)
    const { status, location } = await anonymous.get(hidden)
    assert.deepEqual([status, location], [303, `/auth/sign_in?next=${encodeURIComponent(hidden)}`])
  }
  for (const browser of [chief, anonymous]) assert.doesNotMatch((await browser.get('/account')).text, /Outbox/)
  const returning = createBrowser(testServer.server)
  const signInForm = await returning.get(`/auth/sign_in?next=${encodeURIComponent(path)}`)
  const signedIn = await returning.submit(signInForm, '/auth/sign_in', { login: 'boss', password: PASSWORD })
  assert.equal(signedIn.location, path)
  for (const id of ['-1', '1.0', '9999999999999999999', 'x']) {
    assert.equal((await boss.get(`/dev/mail/${id}`)).status, 404, 'BI1')
  }
  const { id: userId } = await testServer.ctx.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'boss@mail.test')
    .executeTakeFirstOrThrow()
  await disable(testServer.ctx, { userId })
  assert.equal((await boss.get('/dev/mail')).status, 404)
})
