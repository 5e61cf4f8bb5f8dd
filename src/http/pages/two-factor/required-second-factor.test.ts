// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { addPasskey, setUpApp } from '../../../../test/features/two-factor.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openSocket } from '../../../../test/streaming/streams.ts'
import { createClient } from '../../../../test/http/client.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'

const REFUSAL = { error: 'Your account requires two-factor authentication' }
const SCOPES = ['read', 'write', 'admin:read', 'admin:write']
const testServer = await openTestServer()
after(testServer.close)
const { ctx, server } = testServer
const address = await testServer.listen()
const owner = await testServer.createUser({ role: 'owner', scopes: SCOPES.join(' ') })
const requireOf = async (id: string, required: boolean) => {
  const { status } = await owner.client.put(`/api/v1/admin/roles/${id}`, { require_2fa: required })
  assert.equal(status, 200)
}

async function createModerator(username: string) {
  const user = await createUserWithPassword(ctx, username, { role: 'moderator' })
  const { token } = await ctx.write((tx) =>
    issueToken(tx, { applicationId: null, userId: user.userId, scopes: SCOPES }),
  )
  return { ...user, token, client: createClient(server, { token }) }
}

suite('a role that requires two-factor authentication', () => {
  test('closes the API, streams and pages of its users until they have a second factor', async () => {
    const mod = await createModerator('mod')
    const other = await testServer.createUser()
    const read = async () => mod.client.get('/api/v1/preferences')
    assert.equal((await read()).status, 200)
    const socket = await openSocket(address, { token: mod.token })
    await socket.subscribe('user')
    const closed = new Promise((resolve) => {
      socket.ws.once('close', resolve)
    })
    await requireOf('1', true)
    const refused = await read()
    assert.deepEqual([refused.status, refused.body], [403, REFUSAL])
    assert.deepEqual((await mod.client.get('/api/v1/admin/accounts')).body, REFUSAL)
    assert.equal((await other.client.get('/api/v1/preferences')).status, 200)
    await closed
    await assert.rejects(openSocket(address, { token: mod.token }))

    const browser = await signIn(server, { login: 'mod' })
    const methods = '/settings/two_factor_authentication_methods'
    assert.equal((await browser.get('/account')).location, methods)
    for (const path of ['/auth/edit', '/settings/email', '/settings/aliases'])
      assert.equal((await browser.get(path)).location, '/account', path)
    const page = await browser.get(methods)
    assert.match(page.text, /Your account requires two-factor authentication/)
    await setUpApp(browser, ctx)
    assert.equal((await read()).status, 200)
    assert.equal((await browser.get('/account')).status, 200)

    const disabled = await browser.submit(await browser.get(methods), `${methods}/disable`)
    assert.equal(disabled.status, 200)
    assert.equal((await read()).status, 403, 'without a second factor, it is closed again')
    await addPasskey(browser)
    assert.equal((await read()).status, 200)
    await requireOf('1', false)
  })

  test('applies to all users if it is the base role', async () => {
    const user = await testServer.createUser()
    await requireOf('-99', true)
    assert.deepEqual((await user.client.get('/api/v1/preferences')).body, REFUSAL)
    assert.deepEqual((await owner.client.get('/api/v1/preferences')).body, REFUSAL)
    await ctx.db.updateTable('roles').set({ require_2fa: false }).where('id', '=', '-99').execute()
    assert.equal((await user.client.get('/api/v1/preferences')).status, 200)
  })

  test('cannot be changed by those who have it, except for the owner', async () => {
    const created = await owner.client.post('/api/v1/admin/roles', {
      name: 'Helper',
      permissions: ['manage_roles'],
      position: 7,
      require_2fa: true,
    })
    assert.equal(created.body.require_2fa, true)
    const { id } = created.body
    const helper = await createModerator('helper')
    await ctx.db.updateTable('users').set({ role_id: id }).where('id', '=', helper.userId).execute()
    const browser = await signIn(server, { login: 'helper' })
    await addPasskey(browser)
    const answer = await helper.client.put(`/api/v1/admin/roles/${id}`, { require_2fa: false })
    assert.equal(answer.status, 422)
    assert.equal((await owner.client.get(`/api/v1/admin/roles/${id}`)).body.require_2fa, true)
    await requireOf('3', false)
  })
})
