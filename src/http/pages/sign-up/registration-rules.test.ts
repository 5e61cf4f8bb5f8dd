// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { PageResponse } from '../../../../test/http/browser.ts'
import { createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { waitForInstance } from '../../../../test/servers/wait-for-instance.ts'
import { pruneSignUpCounts } from '../../../domain/accounts/registration/count-sign-up.ts'
import { changeSettings, resetSetting } from '../../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../../domain/instance/setting-definitions.ts'
import { createInvite } from '../../../domain/invites/write-invite.ts'

let now = new Date('2026-11-20T12:00:00Z')
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => now })
after(testServer.close)
const { ctx } = testServer

let appToken = ''
before(async () => {
  const apps = createOAuthApps(testServer)
  appToken = await apps.tokenOf(await apps.register(), 'write')
})

type Changes = Parameters<typeof changeSettings>[1]['changes']
let changed: SettingName[] = []
async function set(changes: Changes): Promise<void> {
  changed.push(...(Object.keys(changes) as SettingName[]))
  await ctx.write((tx) => changeSettings(tx, { by: null, changes }))
}
beforeEach(async () => {
  for (const name of changed) await ctx.write((tx) => resetSetting(tx, { by: null, name }))
  changed = []
  await set({ registrations: 'open' })
})

let count = 0
/** Returns credentials that no other user has. */
function newUser(domain = 'mail.test') {
  count += 1
  return { username: `user${count}`, email: `user${count}@${domain}`, password: PASSWORD }
}

/** Signs up by the API. Returns the status and the codes of the errors by field. */
async function signUp(fields: object = {}, headers = uniqueAddressHeaders()) {
  const payload = { ...newUser(), agreement: true, locale: 'en', ...fields }
  const all = { authorization: `Bearer ${appToken}`, ...headers }
  const { status, body } = await testServer.anonymous.post('/api/v1/accounts', payload, all)
  const details = Object.entries<{ error: string }[]>(body.details ?? {})
  return { status, error: body.error, codes: details.map(([name, [first]]) => `${name} ${first!.error}`).join() }
}

async function signUpByPage(fields: Record<string, string> = {}): Promise<PageResponse> {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_up')
  const all = { ...newUser(), agreement: '1', ...slowFields(testServer), ...fields }
  return browser.submit(page, '/auth', all, uniqueAddressHeaders())
}

const waitFor = async (expected: (registrations: { min_age: number | null; reason_required: boolean }) => boolean) =>
  waitForInstance(testServer.anonymous, ({ registrations }) => expected(registrations))

suite('the minimum age', () => {
  test('requires a date of birth in the API, by the day, and shows in the instance', async () => {
    await waitFor(({ min_age }) => min_age === null)
    assert.equal((await signUp({ date_of_birth: 'nonsense' })).status, 200, 'without a minimum age, no date is needed')
    await set({ 'min-age': 16 })
    await waitFor(({ min_age }) => min_age === 16)
    for (const [date, codes] of [
      [undefined, 'date_of_birth ERR_BLANK'],
      ['', 'date_of_birth ERR_BLANK'],
      ['20.11.2000', 'date_of_birth ERR_INVALID'],
      ['2001-02-29', 'date_of_birth ERR_INVALID'],
      ['2010-11-21', 'date_of_birth ERR_BELOW_LIMIT'],
      ['2999-01-01', 'date_of_birth ERR_BELOW_LIMIT'],
    ] as const)
      assert.deepEqual([(await signUp({ date_of_birth: date })).codes, date], [codes, date])
    assert.equal((await signUp({ date_of_birth: '2010-11-20' })).status, 200)
  })

  test('is asked for by the form, which keeps the date, and the date is not stored', async () => {
    await set({ 'min-age': 16 })
    const young = await signUpByPage({ date_of_birth: '2015-03-04' })
    assert.equal(young.status, 422)
    assert.match(young.text, /You do not meet the minimum age of this server/)
    assert.equal(young.forms.find(({ action }) => action === '/auth')!.values.date_of_birth, '2015-03-04')
    assert.equal((await signUpByPage({ date_of_birth: '1987-03-04' })).location, '/auth/setup')
    const rows = await ctx.db.selectFrom('users').selectAll().orderBy('id', 'desc').limit(1).execute()
    assert.doesNotMatch(JSON.stringify(rows), /1987/)
  })
})

suite('a required reason', () => {
  test('is needed only in approval mode, by the API and by the form, and shows in the instance', async () => {
    await set({ 'require-invite-text': true })
    await waitFor(({ reason_required }) => !reason_required)
    assert.equal((await signUp()).status, 200)
    await set({ registrations: 'approved' })
    await waitFor(({ reason_required }) => reason_required)
    assert.equal((await signUp({ reason: ' \n' })).codes, 'reason ERR_BLANK')
    assert.equal((await signUp({ reason: 'Birds' })).status, 200)
    const page = await signUpByPage({ reason: '' })
    assert.equal(page.status, 422)
    assert.match(page.html, /<textarea[^>]* id="reason"[^>]* required/)
    await set({ 'require-invite-text': false })
    assert.equal((await signUp()).status, 200)
  })

  test('is not needed with an invite, which also skips canonical blocks of addresses', async () => {
    const inviter = await testServer.createUser({ role: 'moderator' })
    const by = { ...inviter, roleId: '1', position: 10, permissions: 1n << 16n }
    const { code } = await ctx.write((tx) => createInvite(tx, { by }))
    await set({ registrations: 'approved', 'require-invite-text': true })
    assert.equal((await signUp({ invite_code: code })).status, 200)
    await ctx.db
      .insertInto('canonical_email_blocks')
      .values({ email_hash: createHash('sha256').update('blocked@mail.test').digest(), created_at: now })
      .execute()
    const fields = { email: 'b.locked+1@mail.test', reason: 'Birds' }
    assert.equal((await signUp(fields)).codes, 'email ERR_BLOCKED')
    assert.equal((await signUp({ ...fields, invite_code: code })).status, 200)
  })

  test('is in the mail to the staff', async () => {
    await createUserWithPassword(ctx, 'boss', { role: 'owner' })
    await set({ registrations: 'approved' })
    const user = newUser()
    await signUp({ ...user, reason: 'I like <birds>' })
    await createBrowser(testServer.server).get((await findMailTo(testServer, user.email))!.link!)
    assert.match((await findMailTo(testServer, 'boss@mail.test'))!.text, /I like <birds>/)
  })
})

suite('a form that a program sends', () => {
  test('is refused within three seconds, and accepted when it is sent again later', async () => {
    const browser = createBrowser(testServer.server)
    const page = await browser.get('/auth/sign_up')
    const fields = { ...newUser(), agreement: '1' }
    now = new Date(now.getTime() + 2_900)
    const fast = await browser.submit(page, '/auth', fields, uniqueAddressHeaders())
    assert.equal(fast.status, 422)
    assert.match(fast.text, /Form submitted too fast/)
    now = new Date(now.getTime() + 100)
    assert.equal((await browser.submit(fast, '/auth', fields, uniqueAddressHeaders())).location, '/auth/setup')
  })

  test('is refused without the time of the form, with a forged one, or a day later', async () => {
    const old = slowFields(testServer)
    now = new Date(now.getTime() + 24 * 3_600_000)
    for (const shown_at of ['', 'm0.forged', `${old.shown_at}x`, old.shown_at!]) {
      const page = await signUpByPage({ shown_at })
      assert.deepEqual([page.status, shown_at], [422, shown_at])
    }
  })

  test('is refused if a hidden field has a value, and users cannot reach these fields', async () => {
    for (const name of ['website', 'confirm_password']) {
      const page = await signUpByPage({ [name]: 'x' })
      assert.equal(page.status, 422)
      assert.match(page.text, /A hidden field of the form was filled in/)
      assert.match(page.html, new RegExp(`name="${name}" tabindex="-1"[^>]* value=""`))
    }
  })
})

suite('the limits of sign-ups in a day', () => {
  const REFUSED = 'Too many accounts were created today, please try again tomorrow'

  test('count all, those from one IP address and those of one e-mail domain, and refused ones do not count', async () => {
    const from = (ip: string) => ({ 'x-forwarded-for': ip })
    await set({ 'sign-ups-per-ip': 2 })
    assert.equal((await signUp({ password: 'short' }, from('2001:db8::1'))).status, 422)
    for (const ip of ['2001:db8::1', '2001:db8::2']) assert.equal((await signUp({}, from(ip))).status, 200)
    const refused = await signUp({}, from('2001:db8::3'))
    assert.deepEqual([refused.status, refused.error], [429, REFUSED])
    assert.equal((await signUp({}, from('2001:db8:0:1::1'))).status, 200)

    await set({ 'sign-ups-per-ip': 0, 'sign-ups-per-email-domain': 1 })
    assert.equal((await signUp(newUser('one.test'))).status, 200)
    assert.equal((await signUp(newUser('ONE.test'))).status, 429)
    assert.equal((await signUp(newUser('two.test'))).status, 200)

    await set({ 'sign-ups-per-email-domain': 0, 'sign-ups-per-day': 2 })
    assert.deepEqual([(await signUp()).status, (await signUp()).status, (await signUp()).status], [200, 200, 429])
    now = new Date(now.getTime() + 86_400_000)
    assert.equal((await signUp()).status, 200)
  })

  test('hold for concurrent sign-ups', async () => {
    now = new Date(now.getTime() + 86_400_000)
    await set({ 'sign-ups-per-day': 3 })
    const results = await Promise.all(Array.from({ length: 8 }, () => signUp()))
    const statuses = results.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429])
  })

  test('AC2: show on the page beside the form, and do not reveal an address that has an account', async () => {
    await createUserWithPassword(ctx, 'holder')
    const outcomes = []
    for (const [day, email] of ['free@mail.test', 'holder@mail.test'].entries()) {
      now = new Date(now.getTime() + (day + 1) * 86_400_000)
      await set({ 'sign-ups-per-day': 1 })
      const { location } = await signUpByPage({ email })
      const next = await signUpByPage()
      outcomes.push([location, next.status, /Too many accounts were created today/.test(next.text)])
    }
    assert.deepEqual(outcomes, [
      ['/auth/setup', 422, true],
      ['/auth/setup', 422, true],
    ])
  })

  test('are counted with rows that are deleted after two days', async () => {
    await pruneSignUpCounts(ctx)
    assert.notEqual((await ctx.db.selectFrom('sign_up_counts').select('count').execute()).length, 0)
    now = new Date(now.getTime() + 3 * 86_400_000)
    await pruneSignUpCounts(ctx)
    assert.deepEqual(await ctx.db.selectFrom('sign_up_counts').select('count').execute(), [])
  })

  test('are numbers from 0', async () => {
    for (const value of [-1, 1.5, 'many', 10 ** 7])
      await assert.rejects(set({ 'sign-ups-per-day': value }), /is not a number from 0 to 1000000/)
  })
})
