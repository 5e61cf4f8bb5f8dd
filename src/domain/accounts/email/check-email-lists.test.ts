import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openUserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { ValidationError } from '../../../lib/errors.ts'
import { changeEmail } from './change-email.ts'
import { resendConfirmation } from './resend-confirmation.ts'

const LISTS = { EMAIL_DOMAIN_ALLOWLIST: 'good.example|a.com', EMAIL_DOMAIN_DENYLIST: 'bad.good.example|a.co' }

let count = 0
let appToken: Promise<string> | undefined

async function createAppToken({ anonymous }: TestServer): Promise<string> {
  const app = { client_name: 'x', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'write' }
  const { client_id, client_secret } = (await anonymous.post('/api/v1/apps', app)).body
  const grant = { client_id, client_secret, grant_type: 'client_credentials', scope: 'write' }
  return (await anonymous.post('/oauth/token', grant)).body.access_token
}

/** Signs up by the API. Returns the status, and the first error of the address. */
async function signUp(testServer: TestServer, email: string, inviteCode?: string): Promise<[number, string | null]> {
  count += 1
  const user = { username: `new${count}`, email, password: PASSWORD, agreement: true, locale: 'en' }
  const token = await (appToken ??= createAppToken(testServer))
  const response = await testServer.server.inject({
    method: 'POST',
    url: '/api/v1/accounts',
    payload: { ...user, invite_code: inviteCode },
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `198.51.100.${count}` },
  })
  return [response.statusCode, response.json().details?.email?.[0]?.error ?? null]
}

async function isRefused(testServer: TestServer, userId: string, email: string): Promise<boolean> {
  const sessionId = await openUserSession(testServer, { userId })
  return changeEmail(testServer.ctx, { userId, sessionId, email }).then(
    () => false,
    (err: unknown) => {
      if (err instanceof ValidationError) return true
      throw err
    },
  )
}

suite('lists of e-mail domains', async () => {
  const testServer = await openTestServer({ env: LISTS, effects: false })
  after(testServer.close)

  test('refuse sign-ups by the API: a domain includes its subdomains, and no other domain', async () => {
    const expected = {
      'x@good.example': 200,
      'x@mail.GOOD.example': 200,
      'x@a.com': 200,
      'x@bad.good.example': 422,
      'x@mail.bad.good.example': 422,
      'x@notgood.example': 422,
      'x@good.example.test': 422,
      'x@a.co': 422,
      'x@other.example': 422,
    }
    for (const [email, status] of Object.entries(expected))
      assert.deepEqual(await signUp(testServer, email), [status, status === 200 ? null : 'ERR_BLOCKED'], email)
  })

  test('refuse sign-ups by the page', async () => {
    const browser = createBrowser(testServer.server)
    const fields = { username: 'pagesigner', password: PASSWORD, agreement: 'true' }
    const refused = await browser.submit(await browser.get('/auth/sign_up'), '/auth', {
      ...fields,
      email: 'x@other.example',
    })
    assert.equal(refused.status, 422)
    const rows = await testServer.ctx.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', 'pagesigner')
      .execute()
    assert.deepEqual(rows, [])
  })

  test('do not apply to invited users', async () => {
    const inviter = await testServer.createUser()
    const { body: invite } = await inviter.client.post('/api/v1/invites', {})
    assert.deepEqual(await signUp(testServer, 'invited@other.example', invite.code), [200, null])
    assert.deepEqual(await signUp(testServer, 'second@other.example', 'unknown'), [422, 'ERR_BLOCKED'])
    const invited = await testServer.ctx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'invited@other.example')
      .executeTakeFirstOrThrow()
    assert.equal(await isRefused(testServer, invited.id, 'invited@third.example'), false)
  })

  test('AC12 admit only one of several concurrent sign-ups with an invite for one', async () => {
    const inviter = await testServer.createUser()
    const { body: invite } = await inviter.client.post('/api/v1/invites', { max_uses: 1 })
    const results = await Promise.all(
      Array.from({ length: 4 }, (_, n) => signUp(testServer, `racer${n}@other.example`, invite.code)),
    )
    assert.deepEqual(
      results.map(([status]) => status).toSorted((a, b) => a - b),
      [200, 403, 403, 403],
    )
  })

  test('apply to new addresses until one is confirmed', async () => {
    const confirmed = await createUserWithPassword(testServer.ctx, 'confirmed')
    assert.equal(await isRefused(testServer, confirmed.userId, 'x1@other.example'), false)
    const unconfirmed = await createUserWithPassword(testServer.ctx, 'unconfirmed', { confirmed: false })
    assert.equal(await isRefused(testServer, unconfirmed.userId, 'x2@other.example'), true)
    assert.equal(await isRefused(testServer, unconfirmed.userId, 'x2@good.example'), false)
    const { userId } = unconfirmed
    const resend = (email: string) => resendConfirmation(testServer.ctx, { userId, email })
    await assert.rejects(resend('x3@other.example'), ValidationError)
    await resend('x3@good.example')
  })

  test('apply to confirmed users, too, with EMAIL_DOMAIN_LISTS_APPLY_AFTER_CONFIRMATION', async () => {
    const { emailDomains } = testServer.ctx.config
    const config = { ...testServer.ctx.config, emailDomains: { ...emailDomains, applyAfterConfirmation: true } }
    const strict = { ...testServer, ctx: { ...testServer.ctx, config } }
    const user = await createUserWithPassword(testServer.ctx, 'strict')
    assert.equal(await isRefused(strict, user.userId, 'y@other.example'), true)
    assert.equal(await isRefused(strict, user.userId, 'y@mail.good.example'), false)
  })
})
