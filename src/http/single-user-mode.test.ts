import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { suspend, unsuspend } from '../../test/features/moderation.ts'
import { createBrowser } from '../../test/http/browser.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import { issueToken } from '../domain/auth/access-tokens.ts'
import { registerApplication } from '../domain/auth/applications.ts'
import { changeSetting } from '../domain/instance/instance-settings.ts'

const testServer = await openTestServer({ env: { SINGLE_USER_MODE: 'true' } })
after(testServer.close)
const { ctx, server } = testServer
const browser = createBrowser(server)

/** The responses before the owner has an account. */
let firstStart: { status: number; text: string }
let owner: TestUser
before(async () => {
  firstStart = await browser.get('/')
  await testServer.createUser({ username: 'waiting', approved: false })
  owner = await testServer.createUser({ role: 'owner', username: 'solo' })
})

test('a server without an account shows its front page', () => {
  assert.equal(firstStart.status, 200)
  assert.doesNotMatch(firstStart.text, /Create account/)
})

test('the front page redirects to the profile of the oldest account that is usable', async () => {
  const other = await testServer.createUser({ username: 'second' })
  assert.equal((await browser.get('/')).location, '/@solo')
  await suspend(ctx, owner)
  assert.equal((await browser.get('/')).location, '/@second')
  await unsuspend(ctx, owner)
  assert.equal((await browser.get('/')).location, '/@solo')
  await suspend(ctx, other)
})

test('nobody can sign up, whatever the stored mode is, not even with an invite', async () => {
  await ctx.write((tx) => changeSetting(tx, { by: null, name: 'registrations', text: 'open' }))
  const invite = await owner.client.post('/api/v1/invites', {})
  const code: string = invite.body.code ?? ''
  const page = await browser.get('/auth/sign_up')
  assert.doesNotMatch(page.html, /name="password"/)
  const token = await ctx.write(async (tx) => {
    const app = await registerApplication(tx, { name: 'App', redirectUris: 'https://app.example/', scopes: 'write' })
    return issueToken(tx, { applicationId: app.id, userId: null, scopes: ['write'] })
  })
  for (const inviteCode of ['', code]) {
    const payload = {
      username: 'newcomer',
      email: 'newcomer@mail.test',
      password: 'long enough password',
      agreement: true,
      locale: 'en',
      invite_code: inviteCode,
    }
    const response = await server.inject({
      method: 'POST',
      url: '/api/v1/accounts',
      headers: { authorization: `Bearer ${token.token}` },
      payload,
    })
    assert.equal(response.statusCode, 403)
  }
  for (const path of ['/api/v1/instance', '/api/v2/instance']) {
    const { body } = await testServer.anonymous.get(path)
    assert.equal(body.registrations.enabled ?? body.registrations, false)
  }
})

test('the API, timelines and the page about the server work as usual', async () => {
  const { body: post } = await owner.client.post('/api/v1/statuses', { status: 'Hello' })
  const { body } = await testServer.anonymous.get('/api/v1/timelines/public?local=true')
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    [post.id],
  )
  assert.equal((await browser.get('/about')).status, 200)
  assert.equal((await browser.get('/@solo')).status, 200)
})
