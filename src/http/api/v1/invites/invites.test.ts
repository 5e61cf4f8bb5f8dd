import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../../test/http/browser.ts'
import { slowFields } from '../../../../../test/http/pages/sign-up-form.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { createOAuthApps } from '../../../../../test/http/oauth-apps.ts'
import type { OAuthApps } from '../../../../../test/http/oauth-apps.ts'
import { findMailTo } from '../../../../../test/features/mails.ts'
import { disable } from '../../../../../test/features/moderation.ts'
import { PASSWORD } from '../../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { approvePendingAccount } from '../../../../domain/moderation/accounts/moderate-account.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'
import type { Invite } from '../../../../entities/accounts/invite.ts'
import type { RegistrationsMode } from '../../../../platform/config/config.ts'

const PATH = '/api/v1/invites'

let aheadMs = 0
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer
const inviter = await testServer.createUser()
const owner = await testServer.createUser({ role: 'owner', scopes: 'read write admin:read admin:write' })

const apps: OAuthApps = createOAuthApps(testServer)
let appToken = ''
before(async () => {
  appToken = await apps.tokenOf(await apps.register(), 'write')
})
beforeEach(() => setMode('none'))

const setMode = (mode: RegistrationsMode) =>
  ctx.write((tx) => changeSetting(tx, { by: null, name: 'registrations', text: mode }))

async function create(payload: object = {}, by: TestUser = inviter): Promise<Invite> {
  const { status, body } = await by.client.post<Invite>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('Invite', body)
  return body
}

/** Signs up with an invite. Returns whether the new user is approved, or the status of the refusal. */
async function signUp(username: string, code: string, email = `${username}@mail.test`): Promise<boolean | number> {
  const payload = { username, email, password: PASSWORD, agreement: true, locale: 'en', invite_code: code }
  const headers = { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() }
  const { status, body } = await testServer.anonymous.post('/api/v1/accounts', payload, headers)
  if (status !== 200) return status
  assertEntity('Token', body)
  const [user] = await ctx.db.selectFrom('users').select('approved').where('email', '=', email).execute()
  return user!.approved
}

async function confirm(username: string): Promise<void> {
  const { link } = (await findMailTo(testServer, `${username}@mail.test`))!
  await testServer.anonymous.send({ method: 'GET', url: link!, headers: uniqueAddressHeaders() })
  await testServer.waitForJobs()
}

const check = (code: string) => testServer.anonymous.get(`${PATH}/${code}`)
const usesOf = async (id: string) =>
  (await inviter.client.get<Invite[]>(PATH)).body.find((invite) => invite.id === id)!.uses
const followersOf = async ({ accountId }: TestUser) =>
  (await testServer.anonymous.get(`/api/v1/accounts/${accountId}/followers`)).body.map(
    ({ username }: { username: string }) => username,
  )

suite('invites of a user', () => {
  test('are created, listed newest first, and expire when they are deleted', async () => {
    const user = await testServer.createUser()
    const first = await create({ max_uses: 5, expires_in: 3600, autofollow: true, comment: ' For friends ' }, user)
    assert.match(first.code, /^[A-HJ-NP-Za-km-z2-9]{8}$/)
    assert.equal(first.url, `https://linnet.test/invite/${first.code}`)
    assert.deepEqual([first.max_uses, first.uses, first.autofollow, first.comment], [5, 0, true, 'For friends'])
    assert.equal(Math.round((Date.parse(first.expires_at!) - Date.parse(first.created_at)) / 1000), 3600)
    const second = await create({}, user)
    assert.deepEqual([second.max_uses, second.expires_at, second.autofollow, second.comment], [null, null, false, ''])
    assert.deepEqual((await user.client.get(PATH)).body, [second, first])
    assert.deepEqual((await user.client.delete(`${PATH}/${second.id}`)).body, {})
    assert.notEqual((await user.client.get<Invite[]>(PATH)).body[0]!.expires_at, null)
    assert.equal(await signUp('late', second.code), 403)
    assert.equal((await inviter.client.delete(`${PATH}/${first.id}`)).status, 404)
    for (const id of ['4711', 'nonsense']) assert.equal((await user.client.delete(`${PATH}/${id}`)).status, 404)
  })

  test('need valid limits, and are at most one hundred', async () => {
    const user = await testServer.createUser()
    for (const payload of [{ max_uses: -1 }, { max_uses: 10 ** 7 }, { expires_in: -5 }, { comment: 'x'.repeat(421) }])
      assert.equal((await user.client.post(PATH, payload)).status, 422, JSON.stringify(payload))
    assert.deepEqual((await user.client.get(PATH)).body, [])
    const rows = Array.from({ length: 100 }, (_, n) => ({
      code: `many${n}`,
      user_id: user.userId,
      autofollow: false,
      comment: '',
      created_at: new Date(),
    }))
    await ctx.db.insertInto('invites').values(rows).execute()
    assert.equal((await user.client.post(PATH, {})).status, 422)
  })

  test('need the permission to invite, which instance information shows', async () => {
    const setBase = (permissions: number) =>
      owner.client.put('/api/v1/admin/roles/-99', { permissions: String(permissions) })
    const { code } = await create()
    await setBase(0)
    assert.equal((await inviter.client.post(PATH, {})).status, 403)
    assert.equal((await inviter.client.get(PATH)).status, 403)
    assert.equal((await check(code)).status, 401)
    assert.equal(await signUp('unwanted', code), 403)
    await setBase(1 << 16)
    assert.equal((await check(code)).status, 200)
    const { body } = await testServer.anonymous.get('/api/v1/instance')
    assert.equal(body.invites_enabled, true)
  })
})

suite('a sign-up with an invite', () => {
  test('is possible while registrations are closed, and needs approval unless the inviter may bypass it', async () => {
    const plain = await create()
    assert.equal(await signUp('nobody', 'unknown1'), 403)
    assert.equal(await signUp('invited', plain.code), false)
    assert.equal(await usesOf(plain.id), 1)
    const bypassing = await create({}, owner)
    assert.equal(await signUp('trusted', bypassing.code), true)
    await setMode('approved')
    assert.equal(await signUp('asked', plain.code), false)
    assert.equal(await signUp('trusted2', bypassing.code), true)
    await setMode('open')
    assert.equal(await signUp('welcome', plain.code), true)
    assert.equal(await signUp('anyone', 'unknown1'), true)
  })

  test('is refused when the invite has expired, is used up, or belongs to a disabled user', async () => {
    const short = await create({ expires_in: 60 })
    aheadMs += 61_000
    assert.equal(await signUp('slow', short.code), 403)
    const single = await create({ max_uses: 1 })
    assert.equal(await signUp('first', single.code), false)
    assert.equal(await signUp('second', single.code), 403)
    const user = await testServer.createUser()
    const { code } = await create({}, user)
    await disable(ctx, user)
    assert.equal(await signUp('third', code), 403)
  })

  test('AC12 of twenty at once, one succeeds if the invite has one use left', async () => {
    const { id, code } = await create({ max_uses: 1 })
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => signUp(`racer${n}`, code)))
    assert.equal(results.filter((result) => result === false).length, 1)
    assert.equal(results.filter((result) => result === 403).length, 19)
    assert.equal(await usesOf(id), 1)
  })

  test('AC12 of several at once that only the invite admits, one succeeds: blocked addresses, or without a reason', async () => {
    const race = async (name: string, emailOf?: (n: number) => string) => {
      const { code } = await create({ max_uses: 1 })
      const results = await Promise.all(Array.from({ length: 4 }, (_, n) => signUp(`${name}${n}`, code, emailOf?.(n))))
      return results.filter((result) => result !== 403)
    }
    await setMode('open')
    await owner.client.post('/api/v1/admin/canonical_email_blocks', { email: 'pest@mail.test' })
    assert.deepEqual(await race('pest', (n) => `pest+${n}@mail.test`), [true])
    await setMode('approved')
    await ctx.write((tx) => changeSetting(tx, { by: null, name: 'require-invite-text', text: 'on' }))
    assert.deepEqual(await race('silent'), [false])
    await ctx.write((tx) => changeSetting(tx, { by: null, name: 'require-invite-text', text: 'off' }))
  })

  test('makes the new user follow the inviter once the account is confirmed and approved', async () => {
    const plain = await create({ autofollow: true })
    await signUp('fan', plain.code)
    await confirm('fan')
    assert.deepEqual(await followersOf(inviter), [])
    const fan = await ctx.db.selectFrom('accounts').select('id').where('username', '=', 'fan').executeTakeFirstOrThrow()
    await ctx.write((tx) => approvePendingAccount(tx, { accountId: fan.id, by: null }))
    await testServer.waitForJobs()
    assert.deepEqual(await followersOf(inviter), ['fan'])
    const bypassing = await create({ autofollow: true }, owner)
    await signUp('fan2', bypassing.code)
    await confirm('fan2')
    assert.deepEqual(await followersOf(owner), ['fan2'])
    await signUp('neutral', (await create({}, owner)).code)
    await confirm('neutral')
    assert.deepEqual(await followersOf(owner), ['fan2'])
  })

  test('appears in the admin API of accounts, with its inviter', async () => {
    const user = await testServer.createUser()
    await signUp('guest', (await create({}, user)).code)
    const find = async (id: string) =>
      (await owner.client.get('/api/v2/admin/accounts', { invited_by: id })).body.map(
        (account: { username: string; invited_by_account_id: string }) =>
          `${account.username} ${account.invited_by_account_id}`,
      )
    assert.deepEqual(await find(user.accountId), [`guest ${user.accountId}`])
    assert.deepEqual(await find('4711'), [])
    assert.deepEqual(await find('nonsense'), [])
  })
})

suite('the code of an invite', () => {
  test('is checked for applications, at two addresses', async () => {
    const { code } = await create({ max_uses: 1 })
    const expected = { invite_code: code, instance_api_url: 'https://linnet.test/api/v2/instance' }
    const { body } = await check(code)
    assertEntity('InviteCode', body)
    assert.deepEqual(body, expected)
    const asJson = (one: string) =>
      testServer.server.inject({ url: `/invite/${one}`, headers: { accept: 'application/json' } })
    assert.deepEqual((await asJson(code)).json(), expected)
    assert.equal(await signUp('quick', code), false)
    assert.deepEqual([(await check(code)).status, (await asJson(code)).statusCode], [401, 401])
    assert.equal((await check(code)).body.error, 'This invite is not valid')
    for (const unknown of ['abcdefgh', 'x'.repeat(5_000), '%00'])
      assert.equal((await check(unknown)).status, 404, unknown.slice(0, 10))
    assert.equal((await asJson('abcdefgh')).statusCode, 404)
  })

  test('opens a page with a form that signs up, and shows the inviter', async () => {
    const { code } = await create({ max_uses: 1 })
    const browser = createBrowser(testServer.server)
    const page = await browser.get(`/invite/${code}`)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes('You were invited by') && page.text.includes(`@${inviter.username}`))
    const account = { username: 'paged', email: 'paged@mail.test', password: PASSWORD, agreement: '1' }
    const fields = { ...account, ...slowFields(testServer) }
    const refused = await browser.submit(page, '/auth', { ...fields, username: 'not ok' }, uniqueAddressHeaders())
    assert.equal(refused.status, 422)
    const done = await browser.submit(refused, '/auth', fields, uniqueAddressHeaders())
    assert.equal(done.location, '/auth/setup')
    const late = createBrowser(testServer.server)
    const usedUp = await late.submit(page, '/auth', { ...fields, username: 'paged2' }, uniqueAddressHeaders())
    assert.ok(usedUp.status >= 400)
    const gone = await late.get(`/invite/${code}`)
    assert.equal(gone.status, 410)
    assert.match(gone.text, /This invite is not valid/)
    assert.equal((await late.get('/invite/abcdefgh')).status, 404)
    // Before the address is confirmed, pages show nobody as logged in.
    assert.equal((await browser.get(`/invite/${code}`)).status, 410)
  })
})
