import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createBrowser } from '../../../../../../test/http/browser.ts'
import { slowFields } from '../../../../../../test/http/pages/sign-up-form.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createOAuthApps } from '../../../../../../test/http/oauth-apps.ts'
import { PASSWORD } from '../../../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminAccount } from '../../../../../entities/admin/accounts/admin-account.ts'

const V1 = '/api/v1/admin/accounts'
const V2 = '/api/v2/admin/accounts'
const DAY_MS = 86_400_000

let aheadMs = 0
const testServer = await openTestServer({
  env: { REGISTRATIONS_MODE: 'open' },
  now: () => new Date(Date.now() + aheadMs),
})
after(testServer.close)
const { db } = testServer.ctx
const staff = await testServer.createUser({ role: 'moderator', scopes: 'admin:read' })
const apps = createOAuthApps(testServer)
const appToken = await apps.tokenOf(await apps.register(), 'write')

/** Signs a user up by the API, from an IP address, and returns the id of the account. */
async function signUp(username: string, address: string): Promise<string> {
  const fields = { username, email: `${username}@mail.test`, password: PASSWORD, agreement: true, locale: 'en' }
  const headers = { authorization: `Bearer ${appToken}`, 'x-forwarded-for': address }
  const { status, body } = await testServer.anonymous.post('/api/v1/accounts', fields, headers)
  assert.equal(status, 200, JSON.stringify(body))
  return accountOf(username)
}

async function accountOf(username: string): Promise<string> {
  const { id } = await db.selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow()
  return id
}

async function addSession(accountId: string, address: string, usedAt: Date): Promise<void> {
  const user = await db.selectFrom('users').select('id').where('account_id', '=', accountId).executeTakeFirstOrThrow()
  const id = Buffer.from(`${accountId} ${address} ${usedAt.getTime()}`)
  const expiresAt = new Date('2100-01-01')
  await db
    .insertInto('sessions')
    .values({ id_hash: id, user_id: user.id, ip: address, last_used_at: usedAt, expires_at: expiresAt })
    .execute()
}

async function view(id: string): Promise<AdminAccount> {
  const { status, body } = await staff.client.get<AdminAccount>(`${V1}/${id}`)
  assert.equal(status, 200)
  assertEntity('AdminAccount', body)
  return body
}

const addressesOf = ({ ips }: AdminAccount) => ips.map(({ ip }) => ip)

async function find(ip: string, path = V1): Promise<string[]> {
  const { status, body } = await staff.client.get<AdminAccount[]>(`${path}?ip=${encodeURIComponent(ip)}`)
  assert.equal(status, 200)
  return body.map(({ username }) => username)
}

suite('IP addresses of users', () => {
  test('are those of the sign-up by an application', async () => {
    const account = await view(await signUp('api_user', '192.0.2.10'))
    assert.equal(account.ip, '192.0.2.10')
    assert.deepEqual(account.ips, [{ ip: '192.0.2.10', used_at: account.created_at }])
  })

  test('are those of the sign-up page and of sessions, each once, newest first', async () => {
    const browser = createBrowser(testServer.server)
    const page = await browser.get('/auth/sign_up')
    const fields = { username: 'page_user', email: 'page_user@mail.test', password: PASSWORD, agreement: '1' }
    const all = { ...fields, ...slowFields(testServer) }
    const { location } = await browser.submit(page, '/auth', all, { 'x-forwarded-for': '2001:db8::1' })
    assert.equal(location, '/auth/setup')
    const id = await accountOf('page_user')
    assert.deepEqual(addressesOf(await view(id)), ['2001:db8::1'])
    await db.deleteFrom('sessions').execute()
    assert.deepEqual(addressesOf(await view(id)), ['2001:db8::1'])

    const signedUpAt = new Date((await view(id)).created_at).getTime()
    await addSession(id, '192.0.2.20', new Date(signedUpAt + 2000))
    await addSession(id, '192.0.2.21', new Date(signedUpAt - 1000))
    await addSession(id, '192.0.2.21', new Date(signedUpAt + 1000))
    const account = await view(id)
    assert.deepEqual(addressesOf(account), ['192.0.2.20', '192.0.2.21', '2001:db8::1'])
    assert.equal(account.ip, '192.0.2.20')
    assert.equal(account.ips[1]?.used_at, new Date(signedUpAt + 1000).toISOString())
  })

  test('are stored as IPv4 if they are IPv4 in the form of IPv6, and not at all if they are no addresses', async () => {
    assert.equal((await view(await signUp('mapped', '::ffff:192.0.2.30'))).ip, '192.0.2.30')
    assert.equal((await view(await signUp('unknown', 'unknown'))).ip, null)
  })

  test('find users by an address or a range, of sign-ups and sessions', async () => {
    const signedUp = await signUp('otter', '198.51.100.5')
    await addSession(signedUp, '2001:db8:1::7', new Date())
    await addSession(signedUp, '2001:db8:1::8', new Date())
    await signUp('beaver', '198.51.100.77')
    for (const path of [V1, V2]) {
      assert.deepEqual(await find('198.51.100.5', path), ['otter'])
      assert.deepEqual(await find('::ffff:198.51.100.5', path), ['otter'])
      assert.deepEqual(await find('198.51.100.0/24', path), ['beaver', 'otter'])
      assert.deepEqual(await find('198.51.100.99/26', path), ['beaver'])
      assert.deepEqual(await find('2001:db8:1::/48', path), ['otter'])
      for (const ip of ['203.0.113.1', '198.51.100', '198.51.100.5/33', 'nonsense'])
        assert.deepEqual(await find(ip, path), [], ip)
    }
  })

  test('of sign-ups are deleted after a year', async () => {
    const id = await signUp('long_ago', '192.0.2.40')
    await db.updateTable('users').set({ confirmed_at: new Date() }).where('account_id', '=', id).execute()
    const expire = async () => {
      await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
      await testServer.waitForJobs()
      return (await view(id)).ip
    }
    aheadMs = 364 * DAY_MS
    assert.equal(await expire(), '192.0.2.40')
    aheadMs = 366 * DAY_MS
    assert.equal(await expire(), null)
  })
})
