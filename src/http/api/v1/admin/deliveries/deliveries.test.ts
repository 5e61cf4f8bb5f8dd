import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminDeliveryHost } from '../../../../../entities/admin/federation/admin-delivery-host.ts'

const PATH = '/api/v1/admin/deliveries'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })

beforeEach(async () => {
  await sql`truncate hosts, deliveries, sent_activities restart identity`.execute(db)
  await sql`insert into sent_activities (uri, body) values ('https://linnet.test/1', '{}'), ('https://linnet.test/2', '{}')`.execute(
    db,
  )
  await sql`
    insert into deliveries (activity_id, inbox_url, domain, state, attempts, last_status, last_error, next_attempt_at)
    values
      (1, 'https://good.test/inbox', 'good.test', 'delivered', 1, 202, null, now()),
      (1, 'https://slow.test/inbox', 'slow.test', 'pending', 3, 503, null, '2030-01-01T00:00Z'),
      (1, 'https://dead.test/inbox', 'dead.test', 'abandoned', 18, null, 'dead.test was not found', now()),
      (2, 'https://good.test/inbox', 'good.test', 'rejected', 1, 410, null, now()),
      (2, 'https://slow.test/inbox', 'slow.test', 'abandoned', 9, 500, null, now())`.execute(db)
  await sql`
    insert into hosts (domain, consecutive_failures, retry_after, unreachable_since, failing_days, last_error)
    values ('good.test', 0, null, null, '{}', null), ('slow.test', 2, '2030-01-01T00:00Z', null, '{2026-01-01}', 'HTTP 503'),
      ('dead.test', 40, null, '2026-01-07T00:00Z', '{2026-01-01,2026-01-02}', 'dead.test was not found')`.execute(db)
  await sql`delete from jobs where queue = 'network'`.execute(db)
})

async function find(host: string): Promise<AdminDeliveryHost> {
  const { status, body } = await owner.client.get<AdminDeliveryHost>(`${PATH}/${host}`)
  assert.equal(status, 200)
  assertEntity('AdminDeliveryHost', body)
  return body
}

async function stateOf(domain: string): Promise<string[]> {
  const rows = await db.selectFrom('deliveries').select('state').where('domain', '=', domain).orderBy('id').execute()
  return rows.map(({ state }) => state)
}

/** Returns the hosts for which a job delivers. */
async function readDue(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from jobs where queue = 'network' and key like 'delivery:%'`.execute(db)
  return rows.map((row) => row.key.slice('delivery:'.length))
}

async function auditOf(label: string): Promise<[string, string | null, unknown][]> {
  const rows = await db
    .selectFrom('audit_log_entries')
    .selectAll()
    .where('target_type', '=', 'host')
    .where('label', '=', label)
    .orderBy('id')
    .execute()
  return rows.map(({ action, account_id, details }) => [action, account_id, details])
}

suite('servers with deliveries', () => {
  test('are listed, unavailable ones first, with their state', async () => {
    const { status, body } = await owner.client.get<AdminDeliveryHost[]>(PATH)
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ domain }) => domain),
      ['dead.test', 'slow.test', 'good.test'],
    )
    assert.deepEqual(await find('SLOW.test'), {
      domain: 'slow.test',
      pending: 1,
      delivered: 0,
      rejected: 0,
      abandoned: 1,
      consecutive_failures: 2,
      failing_days: 1,
      retry_after: '2030-01-01T00:00:00.000Z',
      unavailable_since: null,
      last_error: 'HTTP 503',
      last_delivered_at: null,
      last_seen_at: null,
      signature_scheme: 'cavage',
    })
    assert.equal((await find('dead.test')).unavailable_since, '2026-01-07T00:00:00.000Z')
  })

  test('get pending and abandoned deliveries again at once, also if they are unavailable', async () => {
    for (const host of ['slow.test', 'dead.test']) {
      const { status, body } = await owner.client.post<AdminDeliveryHost>(`${PATH}/${host}/retry`)
      assert.equal(status, 200)
      assert.deepEqual([body.abandoned, body.retry_after, body.unavailable_since], [0, null, null])
      assert.ok((await stateOf(host)).every((state) => state === 'pending'))
    }
    assert.deepEqual((await readDue()).toSorted(), ['dead.test', 'slow.test'])
    assert.deepEqual(await auditOf('slow.test'), [['retry', owner.accountId, { deliveries: 2 }]])
  })

  test('lose all deliveries that did not arrive', async () => {
    for (const host of ['slow.test', 'dead.test', 'good.test']) {
      const { status, body } = await owner.client.delete(`${PATH}/${host}`)
      assert.deepEqual([status, body], [200, {}])
    }
    assert.deepEqual([await stateOf('slow.test'), await stateOf('good.test')], [[], ['delivered']])
    assert.deepEqual(await auditOf('good.test'), [['drop', owner.accountId, { deliveries: 1 }]])
  })

  test('that are unknown or no domains are 404', async () => {
    for (const host of ['unknown.test', 'no%20domain', '%00']) {
      assert.equal((await owner.client.get(`${PATH}/${host}`)).status, 404, host)
      assert.equal((await owner.client.post(`${PATH}/${host}/retry`)).status, 404, host)
      assert.equal((await owner.client.delete(`${PATH}/${host}`)).status, 404, host)
    }
  })
})
