import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { blockDomainAsStaff } from '../../../../../../test/features/moderation.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminRelay } from '../../../../../entities/admin/federation/admin-relay.ts'

const PATH = '/api/v1/admin/relays'

const testServer = await openTestServer()
after(testServer.close)
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })

const send = (inbox_url?: string) => admin.client.post<AdminRelay>(PATH, { inbox_url })

async function create(inboxUrl: string): Promise<AdminRelay> {
  const { status, body } = await send(inboxUrl)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminRelay', body)
  return body
}

suite('relays', () => {
  test('are created, viewed, listed and deleted, and each action is in the audit log', async () => {
    const first = await create(' https://Relay.test/inbox ')
    assert.deepEqual([first.inbox_url, first.state], ['https://relay.test/inbox', 'pending'])
    const second = await create('https://other.test/inbox')
    assert.deepEqual((await admin.client.get(PATH)).body, [second, first])
    assert.deepEqual((await admin.client.get(`${PATH}/${first.id}`)).body, first)
    for (const { id } of [first, second]) assert.deepEqual((await admin.client.delete(`${PATH}/${id}`)).body, {})
    assert.equal((await admin.client.get(`${PATH}/${first.id}`)).status, 404)
    const entries = await testServer.ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'relay')
      .where('target_id', '=', first.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action, label, account_id }) => [action, label, account_id]),
      [
        ['create', 'https://relay.test/inbox', admin.accountId],
        ['delete', 'https://relay.test/inbox', admin.accountId],
      ],
    )
  })

  test('need an https URL on a public host that is not suspended, once', async () => {
    await blockDomainAsStaff(testServer.ctx, 'blocked.test', { severity: 'suspend' })
    const { id } = await create('https://relay.test/inbox')
    const refused: [string | undefined, string][] = [
      [undefined, "can't be blank"],
      [' ', "can't be blank"],
      ...[
        'relay',
        'http://relay.test/inbox',
        'ftp://relay.test/inbox',
        'https://user:password@relay.test/inbox',
        'https://relay.test:8443/inbox',
        'https://127.0.0.1/inbox',
        'https://2130706433/inbox',
        'https://[::1]/inbox',
        'https://8.8.8.8/inbox',
        'https://localhost/inbox',
        'https://printer.local/inbox',
        'https://linnet.test/inbox',
        `https://relay.test/${'x'.repeat(2_000)}`,
      ].map((url): [string, string] => [url, 'is invalid']),
      ['https://blocked.test/inbox', 'is on a suspended server'],
      ['https://sub.blocked.test/inbox', 'is on a suspended server'],
      ['https://RELAY.test/inbox', 'has already been taken'],
    ]
    for (const [url, error] of refused) {
      const { status, body } = await send(url)
      const expected = [422, `Validation failed: Inbox url ${error}`]
      assert.deepEqual([status, (body as unknown as { error: string }).error], expected, String(url))
    }
    await admin.client.delete(`${PATH}/${id}`)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })
})
