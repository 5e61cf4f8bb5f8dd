import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import { webhookSecretPurpose } from '../../../../../domain/webhooks/webhook-events.ts'
import type { AdminWebhook } from '../../../../../entities/admin/operations/admin-webhook.ts'

const PATH = '/api/v1/admin/webhooks'
const URL_OF_HOOK = 'https://hooks.example/in?token=private'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const admin = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
const operator = await testServer.createUser({ scopes: 'admin:read admin:write' })
await ctx.db
  .insertInto('roles')
  .values({ id: '70', name: 'Webhooks', position: 7, permissions: String(permissionBit('manageWebhooks')) })
  .execute()
await ctx.db.updateTable('users').set({ role_id: '70' }).where('id', '=', operator.userId).execute()

async function create(payload: object, user: TestUser = admin): Promise<AdminWebhook> {
  const { status, body } = await user.client.post<AdminWebhook>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminWebhook', body)
  return body
}

async function secretOf(id: string): Promise<string> {
  const { encrypted_secret: encrypted } = await ctx.db
    .selectFrom('webhooks')
    .select('encrypted_secret')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return ctx.secrets.decrypt(webhookSecretPurpose(id), encrypted).toString()
}

suite('webhooks', () => {
  test('are created, viewed, listed, updated and deleted, and each action is in the audit log', async () => {
    const { secret, ...created } = await create({
      url: ` ${URL_OF_HOOK} `,
      events: ['status.updated', 'account.created'],
    })
    const { id } = created
    assert.deepEqual(
      [created.url, created.events, created.enabled, created.account_id, created.unpermitted_events],
      [URL_OF_HOOK, ['account.created', 'status.updated'], true, admin.accountId, []],
    )
    assert.match(secret!, /^whsec_/)
    assert.equal(await secretOf(id), secret)
    assert.deepEqual((await admin.client.get(`${PATH}/${id}`)).body, created)
    assert.deepEqual((await admin.client.get(PATH)).body, [created])
    const { body: updated } = await admin.client.put(`${PATH}/${id}`, { events: ['report.created'], enabled: false })
    assert.deepEqual([updated.events, updated.enabled, updated.url], [['report.created'], false, URL_OF_HOOK])
    assert.equal((await admin.client.post(`${PATH}/${id}/enable`)).body.enabled, true)
    assert.equal((await admin.client.post(`${PATH}/${id}/enable`)).body.enabled, true)
    assert.equal((await admin.client.post(`${PATH}/${id}/disable`)).body.enabled, false)
    const { body: rotated } = await admin.client.post<AdminWebhook>(`${PATH}/${id}/rotate_secret`)
    assert.notEqual(rotated.secret, secret)
    assert.equal(await secretOf(id), rotated.secret)
    assert.deepEqual((await admin.client.delete(`${PATH}/${id}`)).body, {})
    assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404)
    const entries = await ctx.db
      .selectFrom('audit_log_entries')
      .selectAll()
      .where('target_type', '=', 'webhook')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['create', 'update', 'enable', 'disable', 'rotate_secret', 'delete'],
    )
    assert.ok(entries.every(({ label, account_id }) => label === 'hooks.example' && account_id === admin.accountId))
    assert.doesNotMatch(JSON.stringify(entries), /whsec_|private/)
  })

  test('need a public https address and known events', async () => {
    const events = ['status.created']
    const address = 'Url is not a public https address'
    for (const [payload, error] of [
      [{ events }, "Url can't be blank"],
      [{ url: URL_OF_HOOK }, "Events can't be blank"],
      [{ url: URL_OF_HOOK, events: [] }, "Events can't be blank"],
      [{ url: URL_OF_HOOK, events: ['status.deleted', 'status.created'] }, 'Events is invalid'],
      [{ url: 'http://hooks.example/', events }, address],
      [{ url: 'https://user:password@hooks.example/', events }, address],
      [{ url: 'nonsense', events }, address],
      [{ url: `https://hooks.example/${'x'.repeat(5000)}`, events }, address],
    ] as const) {
      const { status, body } = await admin.client.post(PATH, payload)
      assert.deepEqual([status, body.error], [422, `Validation failed: ${error}`])
    }
  })

  test('that do not exist are 404, and so are deliveries of other webhooks', async () => {
    const [one, other] = [
      await create({ url: URL_OF_HOOK, events: ['status.created'] }),
      await create({ url: URL_OF_HOOK, events: ['status.created'] }),
    ]
    const { body: delivery } = await admin.client.post(`${PATH}/${one.id}/test`)
    const redeliver = (id: string, deliveryId: string) =>
      admin.client.post(`${PATH}/${id}/deliveries/${deliveryId}/redeliver`)
    assert.equal((await redeliver(other.id, delivery.id)).status, 404)
    assert.equal((await redeliver(one.id, '4711')).status, 404)
    assert.equal((await redeliver(one.id, delivery.id)).status, 200)
    for (const id of ['4711', '0', 'nonsense']) {
      for (const path of ['', '/deliveries']) assert.equal((await admin.client.get(`${PATH}/${id}${path}`)).status, 404)
      assert.equal((await admin.client.put(`${PATH}/${id}`, {})).status, 404)
      assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404)
      for (const action of ['enable', 'disable', 'rotate_secret', 'test'])
        assert.equal((await admin.client.post(`${PATH}/${id}/${action}`)).status, 404, action)
      assert.equal((await redeliver(id, delivery.id)).status, 404)
    }
  })
})

test('FE1 AD3 a webhook with a private address is refused', async () => {
  const webhook = await create({ url: URL_OF_HOOK, events: ['status.created'] })
  const hosts = [
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '192.168.1.1',
    '169.254.169.254',
    'db',
  ]
  for (const host of hosts) {
    const payload = { url: `https://${host}/`, events: ['status.created'] }
    assert.equal((await admin.client.post(PATH, payload)).status, 422, host)
    assert.equal((await admin.client.put(`${PATH}/${webhook.id}`, payload)).status, 422, host)
  }
})

test('AD3 staff cannot receive events that their role does not permit, nor redirect or take over such webhooks', async () => {
  const events = ['account.created', 'report.created', 'status.created']
  for (const event of events) {
    const { status, body } = await operator.client.post(PATH, { url: URL_OF_HOOK, events: [event] })
    const error = 'Validation failed: Events contains an event that your role does not permit'
    assert.deepEqual([status, body.error], [422, error])
  }
  const { id, secret } = await create({ url: URL_OF_HOOK, events })
  for (const payload of [{ url: 'https://evil.example/' }, { events: [] }])
    assert.equal((await operator.client.put(`${PATH}/${id}`, payload)).status, 403)
  assert.equal((await operator.client.post(`${PATH}/${id}/rotate_secret`)).status, 403)
  assert.equal((await operator.client.delete(`${PATH}/${id}`)).status, 403)
  assert.equal(await secretOf(id), secret)
  assert.equal((await operator.client.get(`${PATH}/${id}`)).body.url, URL_OF_HOOK)
  assert.equal((await operator.client.post(`${PATH}/${id}/disable`)).status, 200)
})

test('AD3 staff who take over a webhook cannot send themselves reports with data that they may not see', async () => {
  const [moderator, owner, author] = [
    await testServer.createUser({ scopes: 'admin:read admin:write' }),
    await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' }),
    await testServer.createUser(),
  ]
  const permissions = String(permissionBit('manageWebhooks') | permissionBit('manageReports'))
  await ctx.db.insertInto('roles').values({ id: '71', name: 'Reports', position: 7, permissions }).execute()
  await ctx.db.updateTable('users').set({ role_id: '71' }).where('id', '=', moderator.userId).execute()
  const { id } = await create({ url: URL_OF_HOOK, events: ['report.created'] })
  const reporter = await testServer.createUser()
  await reporter.client.post('/api/v1/reports', { account_id: author.accountId })
  await testServer.waitForJobs()
  const deliveries = async () => (await admin.client.get(`${PATH}/${id}/deliveries`)).body
  const [{ id: deliveryId }] = await deliveries()
  const { body } = await ctx.db
    .selectFrom('webhook_deliveries')
    .select('body')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  assert.ok(body.includes(author.email))
  assert.equal((await owner.client.put(`${PATH}/${id}`, { url: 'https://owner.example/' })).status, 200)
  assert.equal((await deliveries()).length, 1)
  assert.equal((await moderator.client.put(`${PATH}/${id}`, { url: 'https://evil.example/' })).status, 200)
  const redelivery = await moderator.client.post(`${PATH}/${id}/deliveries/${deliveryId}/redeliver`)
  assert.equal(redelivery.status, 404)
  assert.deepEqual(await deliveries(), [])
})
