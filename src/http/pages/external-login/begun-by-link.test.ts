import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { untilWindow } from '../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'

const cas = await openCasServer()
const aheadMs = untilWindow(1)
const testServer = await openTestServer({
  env: { ...cas.env, OMNIAUTH_ONLY: 'true' },
  now: () => new Date(Date.now() + aheadMs),
})
after(async () => {
  await testServer.close()
  await cas.close()
})
const headers = uniqueAddressHeaders()

const open = async (method: 'GET' | 'HEAD'): Promise<number> =>
  (await testServer.anonymous.send({ method, url: '/auth/sign_in', headers })).status

async function countAttempts(): Promise<number> {
  const rows = await testServer.ctx.db.selectFrom('external_login_attempts').select('provider').execute()
  return rows.length
}

test('BI19: the 26th log-in that a link begins from an address is refused, and a HEAD request begins none', async () => {
  for (let count = 0; count < 30; count += 1) assert.equal(await open('HEAD'), 200)
  assert.equal(await countAttempts(), 0)
  for (let count = 0; count < 25; count += 1) assert.equal(await open('GET'), 303)
  assert.equal(await open('GET'), 429)
  assert.equal(await countAttempts(), 25)
})
