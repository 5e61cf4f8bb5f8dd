import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createUserWithPassword } from '../../../../test/servers/create-user-with-password.ts'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { readMailPreferences } from '../../../domain/notifications/email-notifications.ts'

const testServer = await openTestServer()
after(testServer.close)

test('a user chooses which e-mail notifications they get, and sees the choice', async () => {
  const { userId } = await createUserWithPassword(testServer.ctx, 'ada')
  const browser = await signIn(testServer.server, { login: 'ada' })
  const first = await browser.get('/settings/email-notifications')
  assert.equal(first.status, 200)
  assert.equal(first.html.match(/ checked/g)?.length, 4)
  const { csrf } = first.forms.find(({ action }) => action === '/settings/email-notifications')!.values
  // Browsers do not send unchecked checkboxes.
  const save = async (checked: Record<string, string>) =>
    browser.post('/settings/email-notifications', { csrf: csrf!, ...checked }, uniqueAddressHeaders())
  const saved = await save({ mention: '1', favourite: '1', always: '1' })
  assert.match(saved.text, /Your changes were saved/)
  assert.equal(saved.html.match(/ checked/g)?.length, 3)
  assert.deepEqual(await readMailPreferences(testServer.ctx, { userId }), {
    types: ['mention', 'favourite'],
    evenIfSeen: true,
  })
  assert.equal((await save({})).status, 200)
  assert.deepEqual(await readMailPreferences(testServer.ctx, { userId }), { types: [], evenIfSeen: false })
})

test('staff choose which mails to moderators they get, among those of their permissions', async () => {
  const { userId, email } = await createUserWithPassword(testServer.ctx, 'mod', { role: 'moderator' })
  const browser = await signIn(testServer.server, { login: 'mod' })
  const page = await browser.get('/settings/email-notifications')
  assert.match(page.text, /New reports.*New account requests.*New trends to review/s)
  assert.doesNotMatch(page.text, /New appeals/)
  const [target, reporter] = [await testServer.createUser(), await testServer.createUser()]
  const reportMails = async () => {
    await reporter.client.post('/api/v1/reports', { account_id: target.accountId })
    await testServer.waitForJobs()
    await testServer.ctx.db.updateTable('reports').set({ action_taken_at: new Date() }).execute()
    const mails = testServer.ctx.db.selectFrom('mails').select('subject').where('recipient', '=', email)
    return (await mails.execute()).filter(({ subject }) => subject.startsWith('New report')).length
  }
  assert.equal(await reportMails(), 1)
  const { csrf } = page.forms.find(({ action }) => action === '/settings/email-notifications')!.values
  const save = async (checked: Record<string, string>) =>
    browser.post('/settings/email-notifications', { csrf: csrf!, ...checked }, uniqueAddressHeaders())
  const saved = await save({ staff_trends: '1', staff_appeal: '1' })
  assert.equal(saved.html.match(/ checked/g)?.length, 1)
  assert.equal(await reportMails(), 1)
  await save({ staff_report: '1' })
  assert.equal(await reportMails(), 2)
  const { muted_staff_mails: muted } = await testServer.ctx.db
    .selectFrom('users')
    .select('muted_staff_mails')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(muted.toSorted(), ['pending', 'trends'])
})
