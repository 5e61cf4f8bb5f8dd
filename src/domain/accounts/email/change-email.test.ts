import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { expireEmailChanges } from './expire-email-changes.ts'

const DAY_MS = 86_400_000
const CONFIRMATIONS = '/api/v1/emails/confirmations'

let elapsedMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + elapsedMs) })
after(testServer.close)
beforeEach(() => {
  elapsedMs = 0
})
const apps = createOAuthApps(testServer)
const appToken = await apps.tokenOf(await apps.register(), 'write')

/** A user who signed up with the app and confirmed the address, with the app's token and a signed-in browser. */
async function createUser(username: string): Promise<{ email: string; token: string; browser: Browser }> {
  const email = `${username}@mail.test`
  const { body } = await testServer.anonymous.post(
    '/api/v1/accounts',
    { username, email, password: PASSWORD, agreement: true, locale: 'en' },
    { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() },
  )
  // It returns to the app.
  assert.equal((await follow(await linkTo(email))).status, 303)
  return { email, token: body.access_token, browser: await signIn(testServer.server, { login: email }) }
}

async function requestChange({ browser }: { browser: Browser }, email: string): Promise<PageResponse> {
  const page = await browser.get('/settings/email')
  return browser.submit(page, '/settings/email', { email }, uniqueAddressHeaders())
}

/** Posts to the page that sends the confirmation again; this needs only the session. */
async function confirmationForm(
  { browser }: { browser: Browser },
  fields: Record<string, string>,
): Promise<PageResponse> {
  const csrf = (await browser.get('/settings/email')).forms.find(({ values }) => values.csrf)!.values.csrf!
  return browser.post('/auth/confirmation', { csrf, ...fields }, uniqueAddressHeaders())
}

const resend = ({ token }: { token: string }, fields: object = {}) => apps.request(token, CONFIRMATIONS, 'POST', fields)
const linkTo = async (email: string) =>
  (await findMailTo(testServer, email))?.link ?? assert.fail(`no link for ${email}`)
const follow = (link: string) =>
  testServer.anonymous.send({ method: 'GET', url: link, headers: { accept: 'text/html', ...uniqueAddressHeaders() } })

async function readEmails(email: string): Promise<[string, string | null] | null> {
  const user = await testServer.ctx.db
    .selectFrom('users')
    .select(['email', 'unconfirmed_email'])
    .where('email', '=', email)
    .executeTakeFirst()
  return user ? [user.email, user.unconfirmed_email] : null
}

async function subjectsTo(email: string): Promise<string[]> {
  await testServer.waitForJobs()
  const mails = await testServer.ctx.db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
  return mails.map(({ subject }) => subject)
}

const REQUESTED = 'Your e-mail address for linnet.test is about to change'
const CONFIRM = 'Confirm your e-mail address for linnet.test'
const TAKEN = 'Someone tried to register with your e-mail address on linnet.test'
const CHANGED = 'Your e-mail address for linnet.test was changed'

test('the pending address of a confirmed user cannot be replaced without the password', async () => {
  const user = await createUser('robbed')
  await requestChange(user, 'robbed@new.test')
  elapsedMs = 1_000
  const byToken = await resend(user, { email: 'thief@evil.test' })
  assert.equal(byToken.status, 403)
  assert.equal(
    byToken.body.error,
    'Your current password is required to change the e-mail address: use the account settings',
  )
  const bySession = await confirmationForm(user, { email: 'thief@evil.test' })
  assert.equal(bySession.status, 403)
  assert.deepEqual(await readEmails(user.email), [user.email, 'robbed@new.test'])
  assert.deepEqual(await subjectsTo('thief@evil.test'), [])
  assert.equal((await follow(await linkTo('robbed@new.test'))).status, 200, 'the link of the true owner still works')
  assert.deepEqual(await readEmails('robbed@new.test'), ['robbed@new.test', null])
})

test('an address of another user is refused with the same response as a free one, and gets no mail', async () => {
  const [user, other] = [await createUser('asking'), await createUser('asked')]
  await requestChange(user, 'asking@new.test')
  const before = await subjectsTo(other.email)
  const responses = [await resend(user, { email: other.email }), await resend(user, { email: 'free@mail.test' })]
  assert.deepEqual(responses[0]!.body, responses[1]!.body)
  assert.deepEqual(await subjectsTo(other.email), before)
})

test('the mail for the pending address is sent again by app and by page, which offers no other address', async () => {
  const user = await createUser('patient')
  await requestChange(user, 'patient@new.test')
  const first = await linkTo('patient@new.test')
  elapsedMs = 1_000
  assert.equal((await resend(user)).status, 200)
  const second = await linkTo('patient@new.test')
  elapsedMs = 2_000
  assert.equal((await resend(user, { email: ' Patient@New.test ' })).status, 200)
  const third = await linkTo('patient@new.test')
  elapsedMs = 3_000
  const page = await confirmationForm(user, {})
  assert.equal(page.status, 200)
  assert.deepEqual(
    page.forms.filter(({ action }) => action === '/auth/confirmation').map(({ values }) => 'email' in values),
    [false],
  )
  const fourth = await linkTo('patient@new.test')
  assert.equal(new Set([first, second, third, fourth]).size, 4)
  for (const link of [first, second, third]) assert.equal((await follow(link)).status, 422)
  assert.equal((await follow(fourth)).status, 200)
  assert.deepEqual(await readEmails('patient@new.test'), ['patient@new.test', null])
})

test('a requested change expires after seven days, even if its mail is sent again', async () => {
  const user = await createUser('late')
  await requestChange(user, 'late@new.test')
  elapsedMs = 6.9 * DAY_MS
  assert.equal((await resend(user)).status, 200)
  const link = await linkTo('late@new.test')
  elapsedMs = 7.1 * DAY_MS
  assert.equal((await follow(link)).status, 422)
  assert.equal(
    (await resend(user)).body.error,
    'This method is only available while the e-mail is awaiting confirmation',
  )
  assert.deepEqual(await readEmails(user.email), [user.email, 'late@new.test'])
  await expireEmailChanges(testServer.ctx)
  assert.deepEqual(await readEmails(user.email), [user.email, null])
})

test('the scheduled job keeps a change that has not expired', async () => {
  const user = await createUser('intime')
  await requestChange(user, 'intime@new.test')
  const link = await linkTo('intime@new.test')
  elapsedMs = 6.9 * DAY_MS
  await expireEmailChanges(testServer.ctx)
  assert.equal((await follow(link)).status, 200)
  assert.deepEqual(await readEmails('intime@new.test'), ['intime@new.test', null])
})

test('a change without a stored time, of the previous version, expires seven days after its first mail', async () => {
  const user = await createUser('older')
  await requestChange(user, 'older@new.test')
  const link = await linkTo('older@new.test')
  const row = testServer.ctx.db.updateTable('users').where('email', '=', user.email)
  await row.set({ email_change_requested_at: null }).execute()
  elapsedMs = DAY_MS
  assert.equal((await resend(user)).status, 200)
  assert.equal((await follow(link)).status, 422)
  elapsedMs = 7.1 * DAY_MS
  assert.equal((await follow(await linkTo('older@new.test'))).status, 422)
})

test('the current address gets a mail about each request and about the change itself', async () => {
  const user = await createUser('informed')
  const before = (await subjectsTo(user.email)).length
  await requestChange(user, 'first@new.test')
  // Mails of different requests may be sent in another order.
  await testServer.waitForJobs()
  elapsedMs = 1_000
  await requestChange(user, 'second@new.test')
  assert.deepEqual((await subjectsTo(user.email)).slice(before), [REQUESTED, REQUESTED])
  assert.match((await findMailTo(testServer, user.email))!.text, /> second@new\.test/)
  assert.equal((await follow(await linkTo('first@new.test'))).status, 422, 'the second request replaced the first')
  elapsedMs = 2_000
  await follow(await linkTo('second@new.test'))
  assert.deepEqual((await subjectsTo(user.email)).slice(before), [REQUESTED, REQUESTED, CHANGED])
  assert.match(
    (await findMailTo(testServer, user.email))!.text,
    /@informed on linnet\.test was changed to:\n\n> second@new\.test/,
  )
  assert.ok(!(await subjectsTo('second@new.test')).includes(CHANGED))
})

test('AC2: the current address gets the same mail when another user has the new address', async () => {
  const [user, other] = [await createUser('wishing'), await createUser('holding')]
  const before = (await subjectsTo(user.email)).length
  await requestChange(user, other.email)
  assert.deepEqual((await subjectsTo(user.email)).slice(before), [REQUESTED])
  assert.deepEqual(await readEmails(user.email), [user.email, other.email])
})

test('AC2: sending the confirmation again does not reveal that another user has the new address', async () => {
  const [user, other] = [await createUser('probing'), await createUser('known')]
  const before = (await subjectsTo(other.email)).length
  const responses = []
  for (const email of ['unknown@new.test', other.email]) {
    await requestChange(user, email)
    await testServer.waitForJobs()
    elapsedMs += 1_000
    const byToken = await resend(user)
    await testServer.waitForJobs()
    elapsedMs += 1_000
    const bySession = await confirmationForm(user, {})
    const text = bySession.text.replaceAll(email, 'ADDRESS')
    responses.push([byToken.status, byToken.body, bySession.status, text])
    elapsedMs += 1_000
  }
  assert.deepEqual(responses[1], responses[0])
  assert.deepEqual(await subjectsTo('unknown@new.test'), [CONFIRM, CONFIRM, CONFIRM])
  assert.deepEqual((await subjectsTo(other.email)).slice(before), [TAKEN])
})

test('a new address that another user gets meanwhile receives no further link', async () => {
  const user = await createUser('overtaken')
  await requestChange(user, 'wanted@mail.test')
  const link = await linkTo('wanted@mail.test')
  await createUser('wanted')
  const before = (await subjectsTo('wanted@mail.test')).length
  elapsedMs = 1_000
  assert.equal((await resend(user)).status, 200)
  assert.deepEqual((await subjectsTo('wanted@mail.test')).slice(before), [TAKEN])
  assert.equal((await follow(link)).status, 422)
})

test('of two users who confirm the same address at once, one gets it, and the link of the other is not valid', async () => {
  const users = [await createUser('first'), await createUser('second')]
  const links = []
  for (const user of users) {
    await requestChange(user, 'both@new.test')
    links.push(await linkTo('both@new.test'))
    elapsedMs += 1_000
  }
  assert.equal(new Set(links).size, 2)
  const responses = await Promise.all(links.map(follow))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422],
  )
  assert.match(responses.find(({ status }) => status === 422)!.body, /This link is no longer valid/)
})

test('AC2: of two new users who correct their addresses to the same one at once, both get the same response', async () => {
  const tokens = []
  for (const username of ['third', 'fourth']) {
    const fields = { username, email: `${username}@typo.test`, password: PASSWORD, agreement: true, locale: 'en' }
    const headers = { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() }
    const { body } = await testServer.anonymous.post('/api/v1/accounts', fields, headers)
    tokens.push(body.access_token)
  }
  const correct = async (token: string) => apps.request(token, CONFIRMATIONS, 'POST', { email: 'corrected@mail.test' })
  const responses = await Promise.all(tokens.map(correct))
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [200, {}],
      [200, {}],
    ],
  )
  assert.deepEqual(await readEmails('corrected@mail.test'), ['corrected@mail.test', null])
})
