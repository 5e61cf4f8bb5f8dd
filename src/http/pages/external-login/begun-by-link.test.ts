import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { untilWindow } from '../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import { createProviderBrowser } from '../../../../test/services/login/provider-browser.ts'
import type { Throttle } from '../../../platform/rate-limit/rate-limiter.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'

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

const take = async (throttle: Throttle, count: number) => {
  const { rateLimiter, now } = testServer.ctx
  const key = `ip:${headers['x-forwarded-for']}`
  for (let taken = 0; taken < count; taken += 1) await rateLimiter.take(throttle, key, now())
}

test('users of a provider log in from an address from which too many passwords were tried', async () => {
  await take(THROTTLES.signIn, THROTTLES.signIn.limit)
  cas.user = { name: 'ada', attributes: {} }
  const browser = createBrowser(testServer.server)
  const start = await browser.get('/auth/sign_in', headers)
  const callback = await createProviderBrowser({ origin: new URL(cas.url).origin }).visit(start.location!)
  const answer = await browser.get(callback.pathname + callback.search, headers)
  assert.match(`${answer.status} ${answer.location}`, /^303 \/auth\/external\?/)
})

test('BI19: a link begins log-ins from an address up to a limit, and a HEAD request begins none', async () => {
  const former = await countAttempts()
  assert.equal(await open('HEAD'), 200)
  assert.equal(await countAttempts(), former)
  assert.equal(await open('GET'), 303)
  await take(THROTTLES.externalLogin, THROTTLES.externalLogin.limit)
  assert.equal(await open('GET'), 429)
  assert.equal(await open('HEAD'), 200)
  assert.equal(await countAttempts(), former + 1)
})
