import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findMailTo } from '../../test/features/mails.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { mailWelcome } from './welcome.ts'

const testServer = await openTestServer({ env: { WEB_DOMAIN: 'social.linnet.test' } })
after(testServer.close)

test('the welcome mail names the server that apps connect to, and the handle with the domain of handles', async () => {
  const { accountId, email, username } = await testServer.createUser()
  await mailWelcome(testServer.ctx, { accountId })
  const { text } = (await findMailTo(testServer, email))!
  assert.ok(text.includes(`@${username}@linnet.test`))
  assert.match(text, /When it asks for your server, enter social\.linnet\.test\./)
  assert.match(text, /^https:\/\/social\.linnet\.test\/account$/m)
})
