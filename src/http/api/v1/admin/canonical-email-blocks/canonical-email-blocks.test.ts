import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { uniqueAddressHeaders } from '../../../../../../test/http/browser.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createOAuthApps } from '../../../../../../test/http/oauth-apps.ts'
import { createUserWithPassword, PASSWORD } from '../../../../../../test/servers/create-user-with-password.ts'
import { openUserSession } from '../../../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { changeEmail } from '../../../../../domain/accounts/email/change-email.ts'
import type { AdminCanonicalEmailBlock } from '../../../../../entities/admin/sign-up-blocks/admin-canonical-email-block.ts'

const PATH = '/api/v1/admin/canonical_email_blocks'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function block(payload: object): Promise<AdminCanonicalEmailBlock> {
  const { status, body } = await admin.client.post<AdminCanonicalEmailBlock>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminCanonicalEmailBlock', body)
  return body
}

const unblock = async (id: string) => assert.deepEqual((await admin.client.delete(`${PATH}/${id}`)).body, {})

suite('canonical e-mail blocks', () => {
  test('are created by address or hash, viewed, listed and deleted, and each action is in the audit log', async () => {
    const byAddress = await block({ email: 'Some.One+tag@Mail.test' })
    assert.equal(byAddress.canonical_email_hash, hashOf('someone@mail.test'))
    const hash = hashOf('other@mail.test')
    const byHash = await block({ canonical_email_hash: hash.toUpperCase() })
    assert.equal(byHash.canonical_email_hash, hash)
    assert.deepEqual((await admin.client.get(`${PATH}/${byHash.id}`)).body, byHash)
    assert.deepEqual((await admin.client.get(PATH)).body, [byHash, byAddress])
    for (const { id } of [byHash, byAddress]) await unblock(id)
    assert.equal((await admin.client.get(`${PATH}/${byHash.id}`)).status, 404)
    const entries = await ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'canonical_email_block')
      .where('target_id', '=', byHash.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action, label, account_id }) => [action, label, account_id]),
      [
        ['create', hash, admin.accountId],
        ['delete', hash, admin.accountId],
      ],
    )
  })

  test('need a valid address or hash that is not blocked yet', async () => {
    const { id, canonical_email_hash: hash } = await block({ email: 'twice@mail.test' })
    for (const [payload, error] of [
      [{}, "Canonical email hash can't be blank"],
      [{ email: ' ' }, "Email can't be blank"],
      [{ email: 'nonsense' }, 'Email is invalid'],
      [{ email: '@mail.test' }, 'Email is invalid'],
      [{ email: `${'x'.repeat(320)}@mail.test` }, 'Email is invalid'],
      [{ canonical_email_hash: 'abc' }, 'Canonical email hash is invalid'],
      [{ email: 'tw.ice@mail.test' }, 'Email has already been taken'],
      [{ canonical_email_hash: hash }, 'Canonical email hash has already been taken'],
    ] as const) {
      const { status, body } = await admin.client.post(PATH, payload)
      assert.deepEqual([status, body.error], [422, `Validation failed: ${error}`])
    }
    await unblock(id)
  })

  test('are found by any spelling of the address', async () => {
    const created = await block({ email: 'found@mail.test' })
    const find = async (email: string) => (await admin.client.post(`${PATH}/test`, { email })).body
    for (const email of ['found@mail.test', 'F.O.U.N.D@mail.test', 'found+1+2@MAIL.test'])
      assert.deepEqual(await find(email), [created], email)
    for (const email of ['found@ma.il.test', 'found1@mail.test', 'nonsense']) assert.deepEqual(await find(email), [])
    assert.equal((await admin.client.post(`${PATH}/test`)).status, 400)
    assert.equal((await admin.client.post(`${PATH}/test`, { email: ' ' })).status, 400)
    await unblock(created.id)
  })

  test('refuse all spellings of an address at sign-up and when a user changes the address', async () => {
    const apps = createOAuthApps(testServer)
    const token = await apps.tokenOf(await apps.register(), 'write')
    let count = 0
    const signUp = async (email: string) => {
      count += 1
      const payload = { username: `new${count}`, email, password: PASSWORD, agreement: true, locale: 'en' }
      const headers = { authorization: `Bearer ${token}`, ...uniqueAddressHeaders() }
      const { status, body } = await testServer.anonymous.post('/api/v1/accounts', payload, headers)
      return status === 200 ? 'created' : body.details.email[0].error
    }
    const { userId } = await createUserWithPassword(ctx, 'changing')
    const sessionId = await openUserSession(testServer, { userId })
    const change = (email: string) => changeEmail(ctx, { userId, sessionId, email })
    const { id } = await block({ email: 'spam@mail.test' })
    for (const email of ['spam@mail.test', 'S.pam@mail.test', 'spam+2@mail.test'])
      assert.equal(await signUp(email), 'ERR_BLOCKED', email)
    assert.equal(await signUp('spammer@mail.test'), 'created')
    await assert.rejects(change('sp.am@mail.test'), { name: 'ValidationError' })
    await unblock(id)
    assert.equal(await signUp('s.pam@mail.test'), 'created')
    await change('sp.am@mail.test')
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })

  test('work with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: admin.token })
    const { canonicalEmailBlocks } = masto.v1.admin
    const created = await canonicalEmailBlocks.create({ email: 'masto@mail.test' })
    assert.ok((await canonicalEmailBlocks.list()).some(({ id }) => id === created.id))
    assert.equal((await canonicalEmailBlocks.$select(created.id).fetch()).id, created.id)
    const [found] = (await canonicalEmailBlocks.test({ email: 'ma.sto@mail.test' })) as unknown as { id: string }[]
    assert.equal(found?.id, created.id)
    await canonicalEmailBlocks.$select(created.id).remove()
    assert.equal((await admin.client.get(`${PATH}/${created.id}`)).status, 404)
  })
})
