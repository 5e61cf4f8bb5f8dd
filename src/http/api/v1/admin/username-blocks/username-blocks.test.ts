import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../../../test/http/browser.ts'
import { slowFields } from '../../../../../../test/http/pages/sign-up-form.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createOAuthApps } from '../../../../../../test/http/oauth-apps.ts'
import { PASSWORD } from '../../../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { createAccount } from '../../../../../domain/accounts/registration/create-account.ts'
import { ROLE_IDS } from '../../../../../domain/accounts/registration/insert-local-account.ts'
import type { AdminUsernameBlock } from '../../../../../entities/admin/sign-up-blocks/admin-username-block.ts'

const PATH = '/api/v1/admin/username_blocks'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })

async function block(username: string, more: object = {}): Promise<string> {
  const { status, body } = await admin.client.post<AdminUsernameBlock>(PATH, { username, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminUsernameBlock', body)
  return body.id
}

async function get(id: string): Promise<AdminUsernameBlock> {
  const { status, body } = await admin.client.get<AdminUsernameBlock>(`${PATH}/${id}`)
  assert.equal(status, 200)
  assertEntity('AdminUsernameBlock', body)
  return body
}

const put = (id: string, payload: object) => admin.client.put<AdminUsernameBlock>(`${PATH}/${id}`, payload)
const unblock = async (id: string) => assert.deepEqual((await admin.client.delete(`${PATH}/${id}`)).body, {})

suite('username blocks', () => {
  test('are created, viewed, listed, changed and deleted, and each action is in the audit log', async () => {
    const id = await block(' B0ss ')
    const created = await get(id)
    assert.deepEqual([created.username, created.normalized_username], ['B0ss', 'boss'])
    assert.deepEqual([created.comparison, created.allow_with_approval], ['equals', false])
    const other = await block('other', { comparison: 'contains', allow_with_approval: true })
    const { body } = await admin.client.get<AdminUsernameBlock[]>(PATH)
    assert.deepEqual(body, [await get(other), created])
    const { body: changed } = await put(id, { comparison: 'contains' })
    assert.deepEqual({ ...changed, updated_at: '' }, { ...created, comparison: 'contains', updated_at: '' })
    assert.equal((await put(id, { username: 'Chief', allow_with_approval: true })).body.normalized_username, 'chief')
    await unblock(other)
    await unblock(id)
    assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404)
    const entries = await ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'username_block')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action, label, account_id }) => [action, label, account_id]),
      [
        ['create', 'B0ss', admin.accountId],
        ['update', 'B0ss', admin.accountId],
        ['update', 'Chief', admin.accountId],
        ['delete', 'Chief', admin.accountId],
      ],
    )
  })

  test('need a valid username that is not blocked yet, whatever characters look alike', async () => {
    const [id, other] = [await block('boss'), await block('other')]
    for (const [payload, error] of [
      [{}, "Username can't be blank"],
      [{ username: ' ' }, "Username can't be blank"],
      [{ username: 'x'.repeat(31) }, 'Username is too long (maximum is 30 characters)'],
      [{ username: 'a b' }, 'Username must contain only letters, numbers and underscores'],
      [{ username: 'x', comparison: 'begins' }, 'Comparison is not included in the list'],
      [{ username: 'B0S5' }, 'Username has already been taken'],
    ] as const) {
      const { status, body } = await admin.client.post(PATH, payload)
      assert.deepEqual([status, body.error], [422, `Validation failed: ${error}`])
    }
    assert.equal((await put(other, { username: 'BOSS' })).status, 422)
    assert.equal((await get(other)).username, 'other')
    for (const one of [id, other]) await unblock(one)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await put(id, { username: 'x' })).status, 404, id)
      assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })
})

suite('a new user with a blocked username', () => {
  const apps = createOAuthApps(testServer)
  let appToken = ''
  before(async () => {
    appToken = await apps.tokenOf(await apps.register(), 'write')
  })
  /** Signs up, and returns the error codes of the username, or whether the new user is approved. */
  const signUp = async (username: string): Promise<string[] | boolean> => {
    const email = `${username}@mail.test`
    const payload = { username, email, password: PASSWORD, agreement: true, locale: 'en' }
    const headers = { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() }
    const { status, body } = await testServer.anonymous.post('/api/v1/accounts', payload, headers)
    if (status === 422) return body.details.username.map(({ error }: { error: string }) => error)
    assert.equal(status, 200, JSON.stringify(body))
    const [user] = await ctx.db.selectFrom('users').select('approved').where('email', '=', email).execute()
    return user!.approved
  }

  test('is refused in any case and with characters that look alike, until the block is deleted', async () => {
    const id = await block('boss')
    for (const username of ['boss', 'BOSS', 'b0s5', '8oss']) assert.deepEqual(await signUp(username), ['ERR_RESERVED'])
    assert.equal(await signUp('bosses'), true)
    await unblock(id)
    assert.equal(await signUp('BOSS'), true)
  })

  test('is refused for a part of the username if the block says so', async () => {
    const id = await block('chief', { comparison: 'contains' })
    for (const username of ['chief', 'the_Ch1ef_42']) assert.deepEqual(await signUp(username), ['ERR_RESERVED'])
    assert.equal(await signUp('chef'), true)
    await unblock(id)
  })

  test('awaits approval if the block allows it, unless another block refuses the username', async () => {
    const id = await block('captain', { comparison: 'contains', allow_with_approval: true })
    assert.equal(await signUp('captain_1'), false)
    const strict = await block('captain_2')
    assert.deepEqual(await signUp('captain_2'), ['ERR_RESERVED'])
    await unblock(strict)
    await unblock(id)
    assert.equal(await signUp('captain_2'), true)
  })

  test('is refused by the form of the page, and created by administrators on the command line', async () => {
    const id = await block('pilot')
    const browser = createBrowser(testServer.server)
    const fields = { username: 'pilot', email: 'pilot@mail.test', password: PASSWORD, agreement: '1' }
    const form = await browser.get('/auth/sign_up')
    const all = { ...fields, ...slowFields(testServer) }
    const page = await browser.submit(form, '/auth', all, uniqueAddressHeaders())
    assert.deepEqual([page.status, /This username is reserved|reserved/.test(page.text)], [422, true])
    await createAccount(ctx, { ...fields, role: { id: ROLE_IDS.user, name: '' }, confirmed: true, approved: true })
    await unblock(id)
  })
})
