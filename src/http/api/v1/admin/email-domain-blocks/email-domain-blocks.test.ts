import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { createBrowser, uniqueAddressHeaders } from '../../../../../../test/http/browser.ts'
import { slowFields } from '../../../../../../test/http/pages/sign-up-form.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createOAuthApps } from '../../../../../../test/http/oauth-apps.ts'
import { createUserWithPassword, PASSWORD } from '../../../../../../test/servers/create-user-with-password.ts'
import { openUserSession } from '../../../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminEmailDomainBlock } from '../../../../../entities/admin/sign-up-blocks/admin-email-domain-block.ts'
import { changeEmail } from '../../../../../domain/accounts/email/change-email.ts'

const PATH = '/api/v1/admin/email_domain_blocks'

let aheadMs = 0
const testServer = await openTestServer({
  now: () => new Date(Date.now() + aheadMs),
  findMailHosts: async (domain) => (domain === 'hosted.test' ? ['mx1.Provider.test.', 'mx2.other.test'] : []),
})
after(testServer.close)
const { ctx } = testServer
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })

async function block(domain: string, more: object = {}): Promise<string> {
  const { status, body } = await admin.client.post<AdminEmailDomainBlock>(PATH, { domain, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminEmailDomainBlock', body)
  return body.id
}

async function get(id: string): Promise<AdminEmailDomainBlock> {
  const { status, body } = await admin.client.get<AdminEmailDomainBlock>(`${PATH}/${id}`)
  assert.equal(status, 200)
  assertEntity('AdminEmailDomainBlock', body)
  return body
}

const unblock = async (id: string) => assert.deepEqual((await admin.client.delete(`${PATH}/${id}`)).body, {})

suite('e-mail domain blocks', () => {
  test('are created, viewed, listed and deleted, and each action is in the audit log', async () => {
    const id = await block('Bücher.test.', { allow_with_approval: true })
    const created = await get(id)
    assert.deepEqual([created.domain, created.allow_with_approval], ['xn--bcher-kva.test', true])
    assert.equal(created.history.length, 7)
    assert.deepEqual([created.history[0]!.uses, created.history[0]!.accounts], ['0', '0'])
    const other = await block('other.test')
    const { body } = await admin.client.get<AdminEmailDomainBlock[]>(PATH)
    assert.deepEqual(body, [await get(other), created])
    await unblock(other)
    await unblock(id)
    assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404)
    const entries = await ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'email_domain_block')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action, label, account_id }) => [action, label, account_id]),
      [
        ['create', 'xn--bcher-kva.test', admin.accountId],
        ['delete', 'xn--bcher-kva.test', admin.accountId],
      ],
    )
  })

  test('need a valid domain that is not blocked yet', async () => {
    const id = await block('twice.test')
    for (const [payload, error] of [
      [{}, "Domain can't be blank"],
      [{ domain: ' ' }, "Domain can't be blank"],
      [{ domain: 'a b.test' }, 'Domain is invalid'],
      [{ domain: 'x@mail.test' }, 'Domain is invalid'],
      [{ domain: 'TWICE.test' }, 'Domain has already been taken'],
    ] as const) {
      const { status, body } = await admin.client.post(PATH, payload)
      assert.deepEqual([status, body.error], [422, `Validation failed: ${error}`])
    }
    await unblock(id)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })

  test('work with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: admin.token })
    const { emailDomainBlocks } = masto.v1.admin
    const created = await emailDomainBlocks.create({ domain: 'masto.test' })
    assert.ok((await emailDomainBlocks.list()).some(({ id }) => id === created.id))
    assert.equal((await emailDomainBlocks.$select(created.id).fetch()).domain, 'masto.test')
    await emailDomainBlocks.$select(created.id).remove()
    assert.equal((await admin.client.get(`${PATH}/${created.id}`)).status, 404)
  })
})

suite('a new address of a blocked domain', () => {
  const apps = createOAuthApps(testServer)
  let appToken = ''
  before(async () => {
    appToken = await apps.tokenOf(await apps.register(), 'write')
  })
  let count = 0
  /** Signs up, and returns the error codes of the e-mail address, or whether the new user is approved. */
  const signUp = async (domain: string, { ip = '' } = {}): Promise<string[] | boolean> => {
    count += 1
    const email = `new${count}@${domain}`
    const payload = { username: `new${count}`, email, password: PASSWORD, agreement: true, locale: 'en' }
    const address = ip === '' ? uniqueAddressHeaders() : { 'x-forwarded-for': ip }
    const headers = { authorization: `Bearer ${appToken}`, ...address }
    const { status, body } = await testServer.anonymous.post('/api/v1/accounts', payload, headers)
    if (status === 422) return body.details.email.map(({ error }: { error: string }) => error)
    assert.equal(status, 200, JSON.stringify(body))
    const [user] = await ctx.db.selectFrom('users').select('approved').where('email', '=', email).execute()
    return user!.approved
  }

  test('is refused at sign-up, also of a subdomain, until the block is deleted', async () => {
    const id = await block('trash.test')
    for (const domain of ['trash.test', 'TRASH.test', 'mail.trash.test']) {
      assert.deepEqual(await signUp(domain), ['ERR_BLOCKED'], domain)
    }
    for (const domain of ['nottrash.test', 'trash.test.example']) assert.equal(await signUp(domain), true, domain)
    await unblock(id)
    assert.equal(await signUp('trash.test'), true)
  })

  test('is refused if the mail servers of its domain are blocked', async () => {
    assert.equal(await signUp('hosted.test'), true)
    const id = await block('provider.test')
    assert.deepEqual(await signUp('hosted.test'), ['ERR_BLOCKED'])
    assert.equal(await signUp('elsewhere.test'), true)
    await unblock(id)
  })

  test('makes a pending user if the block allows sign-ups with approval, unless another block refuses them', async () => {
    const id = await block('maybe.test', { allow_with_approval: true })
    assert.equal(await signUp('maybe.test'), false)
    const strict = await block('never.maybe.test')
    assert.deepEqual(await signUp('never.maybe.test'), ['ERR_BLOCKED'])
    await unblock(strict)
    await unblock(id)
    assert.equal(await signUp('maybe.test'), true)
  })

  test('is refused whether or not it has an account', async () => {
    await createUserWithPassword(ctx, 'known')
    const id = await block('mail.test')
    const payload = { username: 'unknown', email: 'known@mail.test', password: PASSWORD, agreement: true, locale: 'en' }
    const headers = { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() }
    const { status, body } = await testServer.anonymous.post('/api/v1/accounts', payload, headers)
    assert.equal(status, 422)
    assert.deepEqual(body.details, {
      email: [{ error: 'ERR_BLOCKED', description: 'Email is of an e-mail provider that is not allowed' }],
    })
    await unblock(id)
  })

  test('is refused by the form of the page', async () => {
    const id = await block('trash.test')
    const browser = createBrowser(testServer.server)
    const fields = { username: 'browsing', email: 'browsing@trash.test', password: PASSWORD, agreement: '1' }
    const form = await browser.get('/auth/sign_up')
    const all = { ...fields, ...slowFields(testServer) }
    const page = await browser.submit(form, '/auth', all, uniqueAddressHeaders())
    assert.equal(page.status, 422)
    assert.match(page.text, /This server does not accept addresses of this e-mail provider/)
    await unblock(id)
  })

  test('is refused when a user changes the address, unless the block allows it with approval', async () => {
    const { userId } = await createUserWithPassword(ctx, 'changing')
    const sessionId = await openUserSession(testServer, { userId })
    const change = (email: string) => changeEmail(ctx, { userId, sessionId, email })
    const id = await block('trash.test')
    await assert.rejects(change('changing@trash.test'), {
      fields: [{ attribute: 'email', code: 'ERR_BLOCKED', text: 'is of an e-mail provider that is not allowed' }],
    })
    const own = await block('mail.test')
    await change('changing@mail.test')
    const mild = await block('maybe.test', { allow_with_approval: true })
    await change('changing@maybe.test')
    const [user] = await ctx.db.selectFrom('users').selectAll().where('id', '=', userId).execute()
    assert.deepEqual([user!.unconfirmed_email, user!.approved], ['changing@maybe.test', true])
    for (const one of [id, own, mild]) await unblock(one)
  })

  test('is counted for seven days, with the networks of the attempts', async () => {
    const id = await block('counted.test')
    const attempts = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']
    for (const ip of attempts) assert.deepEqual(await signUp('counted.test', { ip }), ['ERR_BLOCKED'])
    const [today] = (await get(id)).history
    assert.deepEqual([today!.uses, today!.accounts], ['5', '3'])
    aheadMs += 86_400_000
    await signUp('counted.test')
    assert.deepEqual(
      (await get(id)).history.map(({ uses }) => uses),
      ['1', '5', '0', '0', '0', '0', '0'],
    )
    aheadMs += 6 * 86_400_000
    await ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    assert.equal((await get(id)).history.at(-1)!.uses, '1')
    assert.equal((await ctx.db.selectFrom('email_domain_block_attempts').selectAll().execute()).length, 1)
    await unblock(id)
    assert.deepEqual(await ctx.db.selectFrom('email_domain_block_attempts').selectAll().execute(), [])
  })
})
