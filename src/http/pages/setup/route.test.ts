import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../../test/browser.ts'
import { createAccountWithPassword, PASSWORD } from '../../../../test/passwords.ts'
import { openWorld } from '../../../../test/world.ts'
import type { World } from '../../../../test/world.ts'
import { ownerSetupToken } from '../../../domain/accounts/create-owner.ts'
import { countMails } from '../../../domain/mails/outbox.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

const OWNER = { username: 'admin', email: 'owner@mail.test', password: PASSWORD }

test('the owner is made by the link of the first start, once, and is logged in', async () => {
  const token = (await ownerSetupToken(world.ctx))!
  assert.equal(await ownerSetupToken(world.ctx), token, 'it is the same link until it is used')
  const browser = createBrowser(world.server)
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
    createRival(page.forms[0]!.values, browser.cookies),
  ])
  assert.deepEqual(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 404],
    'of two at once one gets it',
  )

  assert.equal(await ownerSetupToken(world.ctx), null)
  assert.equal((await browser.get(`/setup?token=${token}`)).status, 404)
  const owners = await world.ctx.db
    .selectFrom('users')
    .select(['email', 'confirmed_at', 'approved'])
    .where('role_id', '=', '3')
    .execute()
  assert.equal(owners.length, 1)
  assert.ok(owners[0]!.confirmed_at && owners[0]!.approved)
  await world.settle()
  assert.equal(await countMails(world.ctx), 0, 'nothing asks the owner for a confirmation')
})

/** The same form, sent by somebody who also had the link. */
async function createRival(values: Record<string, string>, cookies: Map<string, string>) {
  const rival = createBrowser(world.server)
  for (const [name, value] of cookies) rival.cookies.set(name, value)
  return rival.post('/setup', { ...values, ...OWNER, username: 'rival', email: 'rival@mail.test' })
}

test('the owner reads kept mail; no other user learns that there is any, and anonymous visitors are asked to sign in', async () => {
  await createAccountWithPassword(world.ctx, 'boss', { role: 'owner' })
  await createAccountWithPassword(world.ctx, 'chief', { role: 'admin' })
  await createAccountWithPassword(world.ctx, 'fresh', { confirmed: false })
  await world.settle()
  const enter = async (login: string) => {
    const browser = createBrowser(world.server)
    await browser.submit(await browser.get('/auth/sign_in'), '/auth/sign_in', { login, password: PASSWORD })
    return browser
  }
  const [boss, chief, nobody] = [await enter('boss'), await enter('chief'), createBrowser(world.server)]
  assert.match((await boss.get('/account')).text, /Outbox \(1\)/)
  const list = await boss.get('/dev/mail')
  assert.match(list.text, /Confirm your e-mail address for linnet\.test fresh@mail\.test/)
  const path = /href="(\/dev\/mail\/\d+)"/.exec(list.html)![1]!
  const letter = await boss.get(path)
  assert.match(letter.html, /href="https:\/\/linnet\.test\/auth\/confirmation\?confirmation_token=/)
  for (const hidden of ['/dev/mail', path, '/dev/mail/999999']) {
    assert.equal((await chief.get(hidden)).status, 404)
    const { status, location } = await nobody.get(hidden)
    assert.deepEqual([status, location], [303, `/auth/sign_in?next=${encodeURIComponent(hidden)}`])
  }
  for (const browser of [chief, nobody]) assert.doesNotMatch((await browser.get('/account')).text, /Outbox/)
  const returning = createBrowser(world.server)
  const signInForm = await returning.get(`/auth/sign_in?next=${encodeURIComponent(path)}`)
  const signedIn = await returning.submit(signInForm, '/auth/sign_in', { login: 'boss', password: PASSWORD })
  assert.equal(signedIn.location, path)
  for (const id of ['-1', '1.0', '9999999999999999999', 'x']) {
    assert.equal((await boss.get(`/dev/mail/${id}`)).status, 404, 'BI1')
  }
  await world.ctx.db
    .updateTable('users')
    .set({ disabled_at: new Date() })
    .where('email', '=', 'boss@mail.test')
    .execute()
  assert.equal((await boss.get('/dev/mail')).status, 404)
})
