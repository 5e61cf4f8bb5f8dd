import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowserSession } from '../../test/http/open-session.ts'
import { assertEntity } from '../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import type { TestServer, TestUser } from '../../test/servers/test-server.ts'
import { openMailServer } from '../../test/services/mail-server.ts'
import type { MailServer } from '../../test/services/mail-server.ts'
import type { AdminTermsRecipients } from '../entities/admin/settings/admin-terms-recipients.ts'

const TERMS = '/api/v1/admin/terms_of_service'

let testServer: TestServer
let admin: TestUser
let mailServer: MailServer

before(async () => {
  mailServer = await openMailServer()
  testServer = await openTestServer({ env: { ...mailServer.env, SMTP_FROM_ADDRESS: 'notifications@linnet.test' } })
  admin = await testServer.createUser({ username: 'admin', role: 'owner', scopes: 'admin:read admin:write' })
})
after(async () => {
  await testServer.close()
  await mailServer.close()
})

const mailsTo = ({ email }: TestUser) => mailServer.mails.filter(({ to }) => to.includes(email))
const recipientsOf = async (date: string) =>
  (await admin.client.get<AdminTermsRecipients>(`${TERMS}/${date}/recipients`)).body
const changeUser = async ({ userId }: TestUser, values: { locale?: string; last_seen_at?: Date; approved?: boolean }) =>
  testServer.ctx.db.updateTable('users').set(values).where('id', '=', userId).execute()
const publish = async (payload: object) => {
  const { status, body } = await admin.client.post(TERMS, payload)
  assert.equal(status, 200, JSON.stringify(body))
}

test('users who signed up before are notified of new terms once: by mail, or when they return', async () => {
  const names = ['bo', 'cyd', 'dee', 'eve'] as const
  const created = await Promise.all(names.map((username) => testServer.createUser({ username })))
  const [bo, cyd, dee, eve] = created as [TestUser, TestUser, TestUser, TestUser]
  await changeUser(bo, { locale: 'de' })
  await changeUser(cyd, { last_seen_at: new Date(Date.now() - 366 * 86_400_000) })
  await changeUser(eve, { approved: false })
  const accounts = testServer.ctx.db.updateTable('accounts')
  await accounts.set({ suspended_at: new Date() }).where('id', '=', dee.accountId).execute()

  const changelog = '- Be **kind**\n- <b>No</b> spam'
  await publish({ text: '# Terms', changelog, effective_date: '2099-01-31' })
  await testServer.createUser({ username: 'late' })
  const recipients = await recipientsOf('2099-01-31')
  assertEntity('AdminTermsRecipients', recipients)
  assert.deepEqual(recipients, { mails: 2, reviews: 3 })

  assert.equal((await admin.client.post(`${TERMS}/2099-01-31/test`)).status, 200)
  await testServer.waitForJobs()
  assert.deepEqual(
    mailServer.mails.map(({ to }) => to),
    [[admin.email]],
  )
  mailServer.mails.length = 0

  const notified = await admin.client.post(`${TERMS}/2099-01-31/notify`)
  assert.equal(notified.status, 200, JSON.stringify(notified.body))
  assert.ok(notified.body.notification_sent_at)
  await testServer.waitForJobs()
  assert.deepEqual(mailServer.mails.flatMap(({ to }) => to).toSorted(), [admin.email, bo.email])
  const english = mailsTo(admin)[0]!.data
  assert.match(english, /^Subject: New terms of service of linnet\.test\r$/m)
  assert.match(english, /come into force on January 31,\s*2099/)
  assert.match(english, /https:\/\/linnet\.test\/terms-of-service\/2099-01-31/)
  assert.match(english, /<strong>kind<\/strong>/)
  assert.match(english, /&lt;b&gt;No/)
  const german = mailsTo(bo)[0]!.data
  assert.match(german, /^Subject: Neue Nutzungsbedingungen von linnet\.test\r$/m)
  const reviews = await testServer.ctx.db.selectFrom('terms_reviews').select('user_id').orderBy('user_id').execute()
  assert.deepEqual(
    reviews.map((row) => row.user_id),
    [cyd, dee, eve].map(({ userId }) => userId).toSorted((a, b) => Number(a) - Number(b)),
  )

  assert.equal((await admin.client.post(`${TERMS}/2099-01-31/notify`)).status, 422)
  const log = testServer.ctx.db.selectFrom('audit_log_entries').where('target_type', '=', 'terms_of_service')
  assert.deepEqual(
    (await log.select('action').orderBy('id').execute()).map(({ action }) => action),
    ['publish', 'test', 'notify'],
  )
})

test('a user sees a page about new terms instead of the web client until they have opened the terms', async () => {
  const user = await testServer.createUser({ username: 'fay' })
  await changeUser(user, { last_seen_at: new Date(Date.now() - 400 * 86_400_000) })
  await publish({ text: 'Old terms', effective_date: '2020-01-01' })
  await publish({ text: 'New terms', effective_date: '2099-03-01' })
  await admin.client.post(`${TERMS}/2099-03-01/notify`)
  await testServer.waitForJobs()
  const browser = await openBrowserSession(testServer, user)
  for (const path of ['/home', '/', '/@fay']) {
    const { html, headers } = await browser.get(path)
    assert.match(String(headers['cache-control']), /private/, path)
    assert.match(html, /<h1>New terms of service<\/h1>/, path)
    assert.match(html, /href="\/terms-of-service\/2099-03-01"/)
    assert.match(html, /href="\/auth\/edit"/, 'users can delete their account instead')
    assert.doesNotMatch(html, /id="start-data"/)
  }
  assert.equal((await user.client.get('/api/v1/timelines/home')).status, 200, 'apps are not affected')
  assert.match((await browser.get('/terms-of-service')).html, /Old terms/)
  assert.doesNotMatch((await browser.get('/home')).html, /id="start-data"/, 'the terms in force are not the new ones')
  const terms = await browser.get('/terms-of-service/2099-03-01')
  assert.match(terms.html, /Effective from/)
  assert.match((await browser.get('/home')).html, /id="start-data"/)
})

test('users see no page about terms that were deleted', async () => {
  const user = await testServer.createUser({ username: 'gus' })
  await changeUser(user, { last_seen_at: new Date(Date.now() - 400 * 86_400_000) })
  await publish({ text: 'Terms', effective_date: '2099-04-01' })
  await admin.client.post(`${TERMS}/2099-04-01/notify`)
  await testServer.waitForJobs()
  const browser = await openBrowserSession(testServer, user)
  assert.doesNotMatch((await browser.get('/home')).html, /id="start-data"/)
  assert.equal((await admin.client.delete(`${TERMS}/2099-04-01`)).status, 200)
  assert.match((await browser.get('/home')).html, /id="start-data"/)
})

test('terms that are published again before they are in force can be announced again', async () => {
  const payload = { text: 'Terms', effective_date: '2099-05-01' }
  await publish(payload)
  assert.equal((await admin.client.post(`${TERMS}/2099-05-01/notify`)).status, 200)
  await testServer.waitForJobs()
  mailServer.mails.length = 0
  await publish({ ...payload, text: 'Other terms' })
  assert.equal((await admin.client.get(`${TERMS}/2099-05-01`)).body.notification_sent_at, null)
  assert.equal((await admin.client.post(`${TERMS}/2099-05-01/notify`)).status, 200)
  await testServer.waitForJobs()
  assert.equal(mailsTo(admin).length, 1)
  for (const path of ['2099-05-02/notify', 'soon/notify', 'soon/test'])
    assert.equal((await admin.client.post(`${TERMS}/${path}`)).status, 404, path)
})
