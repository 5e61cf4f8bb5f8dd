// Slow: moves through several sign-ups.
import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { uniqueAddressHeaders } from '../../test/http/browser.ts'
import { createOAuthApps } from '../../test/http/oauth-apps.ts'
import { findMailTo } from '../../test/features/mails.ts'
import { disable } from '../../test/features/moderation.ts'
import { makeJobsDue } from '../../test/jobs/make-jobs-due.ts'
import { createUserWithPassword, PASSWORD } from '../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { closeUnmoderatedRegistrations } from '../domain/accounts/registration/close-unmoderated-registrations.ts'
import { readRegistrationsMode } from '../domain/accounts/registration/read-registrations-mode.ts'
import { changeSetting, changeSettings } from '../domain/instance/instance-settings.ts'
import { approvePendingAccount } from '../domain/moderation/accounts/moderate-account.ts'
import type { RegistrationsMode } from '../platform/config/config.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const moderator = await testServer.createUser({ role: 'moderator' })
const apps = createOAuthApps(testServer)
const appToken = await apps.tokenOf(await apps.register(), 'write')

const setMode = (mode: RegistrationsMode) =>
  ctx.write((tx) => changeSetting(tx, { by: null, name: 'registrations', text: mode }))
beforeEach(() => setMode('open'))

async function signUp(username: string): Promise<string> {
  const payload = { username, email: `${username}@mail.test`, password: PASSWORD, agreement: true, locale: 'de' }
  const headers = { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() }
  assert.equal((await testServer.anonymous.post('/api/v1/accounts', payload, headers)).status, 200)
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return account.id
}
async function confirm(username: string): Promise<void> {
  const { link } = (await findMailTo(testServer, `${username}@mail.test`))!
  const headers = { accept: 'text/html', ...uniqueAddressHeaders() }
  // It returns to the app.
  assert.equal((await testServer.anonymous.send({ method: 'GET', url: link!, headers })).status, 303)
  await testServer.waitForJobs()
}
async function approve(accountId: string): Promise<void> {
  await ctx.write((tx) => approvePendingAccount(tx, { accountId, by: null }))
  await testServer.waitForJobs()
}
async function countMails(username: string, subject: string): Promise<number> {
  await makeJobsDue(ctx, 'mailWelcome')
  await testServer.waitForJobs()
  const mails = await db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', `${username}@mail.test`)
    .execute()
  return mails.filter((mail) => mail.subject.includes(subject)).length
}
const followersOf = async (accountId: string): Promise<string[]> =>
  (await testServer.anonymous.get(`/api/v1/accounts/${accountId}/followers`)).body.map(
    ({ username }: { username: string }) => username,
  )
const notificationsAbout = async (accountId: string): Promise<string[]> => {
  const rows = await db.selectFrom('notifications').select('type').where('from_account_id', '=', accountId).execute()
  return rows.map(({ type }) => type)
}
const countRegistrations = async (): Promise<number> =>
  (await db.selectFrom('weekly_active_users').select('user_id').where('activity', '=', 'registration').execute()).length

suite('a user who becomes confirmed and approved', () => {
  test('gets the welcome mail an hour later, once, in the language of the sign-up', async () => {
    await signUp('early')
    await confirm('early')
    const jobs = await db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', 'early@mail.test')
      .where('key', 'like', 'welcome:%')
      .execute()
    assert.deepEqual(jobs, [], 'not at once')
    assert.equal(await countMails('early', 'Willkommen auf linnet.test'), 1)
    const mail = await findMailTo(testServer, 'early@mail.test')
    assert.match(mail!.text, /@early@linnet\.test/)
  })

  test('gets it after the approval, too, but not before, and not if disabled meanwhile', async () => {
    await setMode('approved')
    const id = await signUp('patient')
    await confirm('patient')
    assert.equal(await countMails('patient', 'Willkommen'), 0)
    await approve(id)
    assert.equal(await countMails('patient', 'Willkommen'), 1)
    const other = await signUp('unlucky')
    await confirm('unlucky')
    await approve(other)
    const user = await db.selectFrom('users').select('id').where('account_id', '=', other).executeTakeFirstOrThrow()
    await disable(ctx, { userId: user.id })
    assert.equal(await countMails('unlucky', 'Willkommen'), 0)
  })

  test('is counted in the week, and the staff are notified, once in either order of confirmation and approval', async () => {
    await setMode('approved')
    const before = await countRegistrations()
    const first = await signUp('first')
    await confirm('first')
    assert.deepEqual([await notificationsAbout(first), await countRegistrations()], [[], before])
    await approve(first)
    const second = await signUp('second')
    await approve(second)
    assert.deepEqual(await notificationsAbout(second), [])
    await confirm('second')
    for (const id of [first, second]) assert.deepEqual(await notificationsAbout(id), ['admin.sign_up'])
    assert.equal(await countRegistrations(), before + 2)
  })

  test('follows the accounts of the setting, requests to follow locked ones, and leaves out those that moved', async () => {
    const [guide, locked] = [await testServer.createUser(), await testServer.createUser()]
    await locked.client.patch('/api/v1/accounts/update_credentials', { locked: true })
    const gone = await testServer.createUser()
    await db
      .updateTable('accounts')
      .set({ moved_to_account_id: guide.accountId })
      .where('id', '=', gone.accountId)
      .execute()
    const text = ` @${guide.username.toUpperCase()}, ${locked.username},${gone.username}`
    await ctx.write((tx) => changeSetting(tx, { by: null, name: 'bootstrap-timeline-accounts', text }))
    await setMode('approved')
    const id = await signUp('newbie')
    await confirm('newbie')
    assert.deepEqual(await followersOf(guide.accountId), [])
    await approve(id)
    assert.deepEqual(await followersOf(guide.accountId), ['newbie'])
    assert.deepEqual(await followersOf(locked.accountId), [])
    const requests = (await locked.client.get('/api/v1/follow_requests')).body as { username: string }[]
    assert.deepEqual(
      requests.map(({ username }) => username),
      ['newbie'],
    )
    assert.deepEqual(await followersOf(gone.accountId), [])
    await ctx.write((tx) => changeSetting(tx, { by: null, name: 'bootstrap-timeline-accounts', text: '' }))
    await setMode('open')
    await signUp('free')
    await confirm('free')
    assert.deepEqual(await followersOf(guide.accountId), ['newbie'])
  })

  test('may only be made to follow local accounts', async () => {
    for (const text of ['nobody', `${moderator.username},a@remote.test`, Array(30).fill(moderator.username).join()])
      await assert.rejects(
        ctx.write((tx) => changeSettings(tx, { by: null, changes: { 'bootstrap-timeline-accounts': text } })),
        /Bootstrap timeline accounts has/,
      )
  })
})

suite('open registrations', () => {
  const DAY_MS = 86_400_000
  const seenDaysAgo = async (days: number) =>
    db
      .updateTable('users')
      .set({ last_seen_at: new Date(Date.now() - days * DAY_MS) })
      .where('id', '=', moderator.userId)
      .execute()
  const openedDaysAgo = async (days: number) =>
    db
      .updateTable('settings')
      .set({ updated_at: new Date(Date.now() - days * DAY_MS) })
      .where('name', '=', 'registrations_mode')
      .execute()
  const subject = 'Registrations on linnet.test now need approval'
  beforeEach(() => openedDaysAgo(9))
  const close = async () => {
    await closeUnmoderatedRegistrations(ctx)
    await testServer.waitForJobs()
    return readRegistrationsMode(ctx)
  }
  const listMails = async () =>
    (await db.selectFrom('mails').select('recipient').where('subject', '=', subject).execute()).map(
      ({ recipient }) => recipient,
    )

  test('stay open while a moderator is active, and need approval after eight days, with a mail to administrators', async () => {
    await createUserWithPassword(ctx, 'admin1', { role: 'admin' })
    assert.equal(await close(), 'open')
    await db
      .updateTable('users')
      .set({ last_seen_at: new Date(Date.now() - 9 * DAY_MS) })
      .execute()
    await seenDaysAgo(7.9)
    assert.equal(await close(), 'open')
    await seenDaysAgo(8.1)
    assert.equal(await close(), 'approved')
    assert.deepEqual(await listMails(), ['admin1@mail.test'])
    assert.match((await findMailTo(testServer, 'admin1@mail.test'))!.text, /\/admin\/settings\/registrations$/m)
    const [entry] = await db.selectFrom('audit_log_entries').selectAll().orderBy('id', 'desc').limit(1).execute()
    assert.deepEqual([entry!.account_id, entry!.action, entry!.label], [null, 'update', 'registrations'])
    assert.equal(await close(), 'approved')
    assert.equal((await listMails()).length, 1)
  })

  test('are not changed by a disabled moderator, and closed ones are never changed', async () => {
    await seenDaysAgo(1)
    await disable(ctx, moderator)
    await setMode('none')
    assert.equal(await close(), 'none')
    await setMode('open')
    await openedDaysAgo(9)
    assert.equal(await close(), 'approved')
  })

  test('stay open without a moderator for eight days after they were opened', async () => {
    await seenDaysAgo(9)
    await setMode('open')
    assert.equal(await close(), 'open')
    await openedDaysAgo(7.9)
    assert.equal(await close(), 'open')
  })

  test('stay open without a moderator for eight days after the first start with REGISTRATIONS_MODE=open', async () => {
    await seenDaysAgo(9)
    await db.deleteFrom('settings').where('name', '=', 'registrations_mode').execute()
    const open: typeof ctx = { ...ctx, config: { ...ctx.config, registrationsMode: 'open' } }
    const modeAfter = async (days: number) => {
      const updated_at = new Date(Date.now() - days * DAY_MS)
      await db
        .insertInto('settings')
        .values({ name: 'local_domain', value: JSON.stringify('linnet.test'), updated_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ updated_at }))
        .execute()
      await closeUnmoderatedRegistrations(open)
      return readRegistrationsMode(open)
    }
    assert.equal(await modeAfter(0), 'open')
    assert.equal(await modeAfter(8.1), 'approved')
  })

  test('stay open with DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS or an allow list of e-mail domains', async () => {
    const emailDomains = { ...ctx.config.emailDomains, allowed: ['school.example'] }
    for (const setting of [{ switchesToApproval: false }, { emailDomains }]) {
      await closeUnmoderatedRegistrations({ ...ctx, config: { ...ctx.config, ...setting } })
      assert.equal(await readRegistrationsMode(ctx), 'open')
    }
  })
})
