import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

test('the error page asks a user whose browser sends no cookies to allow them', async () => {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  browser.cookies.clear()
  const fields = { login: 'ada', password: 'correct horse battery' }
  const refused = await browser.submit(page, '/auth/sign_in', fields, uniqueAddressHeaders())
  assert.equal(refused.status, 422)
  assert.match(refused.text, /allow cookies for this site/)
})
