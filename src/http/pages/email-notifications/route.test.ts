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
