import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminIpBlock } from '../../../../../entities/admin/sign-up-blocks/admin-ip-block.ts'

const PATH = '/api/v1/admin/ip_blocks'

/** Ahead of the clock of the system, so that every test has its own times. */
let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { db } = testServer.ctx
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })

async function create(payload: object): Promise<AdminIpBlock> {
  const { status, body } = await admin.client.post<AdminIpBlock>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminIpBlock', body)
  return body
}

suite('IP blocks', () => {
  test('are created, viewed, listed, updated and deleted, and each action is in the audit log', async () => {
    const created = await create({ ip: '203.0.113.7/24', severity: 'no_access', comment: ' Spam\u0007 ' })
    const { id, created_at: createdAt } = created
    const expected = { id, ip: '203.0.113.0/24', severity: 'no_access', comment: 'Spam', created_at: createdAt }
    assert.deepEqual(created, { ...expected, expires_at: null })
    assert.deepEqual((await admin.client.get(`${PATH}/${id}`)).body, created)
    const later = await create({ ip: '2001:DB8::1', severity: 'sign_up_block', expires_in: 60 })
    assert.equal(later.ip, '2001:db8::1/128')
    const listed = await admin.client.get<AdminIpBlock[]>(PATH)
    assert.deepEqual(listed.body, [later, created])

    const put = (payload: object) => admin.client.put<AdminIpBlock>(`${PATH}/${id}`, payload)
    const changed = await put({ severity: 'sign_up_block', expires_in: 3600 })
    assert.equal(changed.status, 200)
    assertEntity('AdminIpBlock', changed.body)
    const secondsLeft = (Date.parse(changed.body.expires_at!) - Date.now() - aheadMs) / 1000
    assert.ok(secondsLeft > 3500 && secondsLeft <= 3600, `${secondsLeft} seconds`)
    assert.deepEqual([changed.body.ip, changed.body.comment], [created.ip, 'Spam'])
    const moved = await put({ ip: '198.51.100.1', comment: '', expires_in: null })
    assert.deepEqual(
      [moved.body.ip, moved.body.severity, moved.body.comment, moved.body.expires_at],
      ['198.51.100.1/32', 'sign_up_block', '', null],
    )

    const { status, body } = await admin.client.delete(`${PATH}/${id}`)
    assert.deepEqual([status, body], [200, {}])
    assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404)
    const entries = await db
      .selectFrom('audit_log_entries')
      .selectAll()
      .where('target_type', '=', 'ip_block')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action, label, account_id }) => [action, label, account_id]),
      [
        ['create', 'IPv4 /24', admin.accountId],
        ['update', 'IPv4 /24', admin.accountId],
        ['update', 'IPv4 /32', admin.accountId],
        ['delete', 'IPv4 /32', admin.accountId],
      ],
    )
    assert.doesNotMatch(JSON.stringify(entries), /203\.0|198\.51/)
  })

  test('need a valid range, a severity, a short comment and a time in the future', async () => {
    const severity = 'sign_up_block'
    for (const [payload, error] of [
      [{ severity }, "Ip can't be blank"],
      [{ ip: '192.0.2.9', comment: 'x' }, "Severity can't be blank"],
      [{ ip: 'nonsense', severity }, 'Ip is invalid'],
      [{ ip: '192.0.2.9/33', severity }, 'Ip is invalid'],
      [{ ip: '192.0.2.9', severity: 'nonsense' }, 'Severity is not included in the list'],
      [{ ip: '192.0.2.9', severity, comment: 'x'.repeat(1001) }, 'Comment is too long (maximum is 1000 characters)'],
      [{ ip: '192.0.2.9', severity, expires_in: -1 }, 'Expires in is invalid'],
    ] as const) {
      const { status, body } = await admin.client.post(PATH, payload)
      assert.deepEqual([status, body.error], [422, `Validation failed: ${error}`])
    }
    const forever = await create({ ip: '192.0.2.10', severity, expires_in: Number.MAX_SAFE_INTEGER })
    assert.equal(forever.expires_at, null)
  })

  test('exist once for each range, but an expired block makes way for a new one', async () => {
    const payload = { ip: '192.0.2.128/25', severity: 'sign_up_block', expires_in: 60 }
    const first = await create(payload)
    const other = await create({ ip: '192.0.2.64/26', severity: 'sign_up_block' })
    const taken = 'Validation failed: Ip has already been taken'
    const again = await admin.client.post(PATH, { ...payload, ip: '192.0.2.129/25' })
    assert.deepEqual([again.status, again.body.error], [422, taken])
    const moved = await admin.client.put(`${PATH}/${other.id}`, { ip: payload.ip })
    assert.deepEqual([moved.status, moved.body.error], [422, taken])
    aheadMs += 61_000
    const replaced = await create(payload)
    assert.notEqual(replaced.id, first.id)
    aheadMs += 61_000
    assert.equal((await admin.client.put(`${PATH}/${other.id}`, { ip: payload.ip })).status, 200)
    assert.equal((await admin.client.get(`${PATH}/${replaced.id}`)).status, 404)
  })

  test('are deleted after they expired', async () => {
    const expiring = await create({ ip: '192.0.2.20', severity: 'sign_up_block', expires_in: 60 })
    const lasting = await create({ ip: '192.0.2.21', severity: 'sign_up_block', expires_in: 7200 })
    aheadMs += 61_000
    await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    assert.equal((await admin.client.get(`${PATH}/${expiring.id}`)).status, 404)
    assert.equal((await admin.client.get(`${PATH}/${lasting.id}`)).status, 200)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      assert.equal((await admin.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await admin.client.put(`${PATH}/${id}`, { comment: 'x' })).status, 404, id)
      assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })

  test('work with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: admin.token })
    const { ipBlocks } = masto.v1.admin
    const block = await ipBlocks.create({ ip: '192.0.2.30', severity: 'sign_up_requires_approval', expiresIn: 60 })
    assert.ok((await ipBlocks.list()).some(({ id }) => id === block.id))
    assert.equal((await ipBlocks.$select(block.id).fetch()).ip, '192.0.2.30/32')
    const updated = await ipBlocks.$select(block.id).update({ comment: 'Open proxy' })
    assert.equal(updated.comment, 'Open proxy')
    await ipBlocks.$select(block.id).remove()
    assert.ok(!(await ipBlocks.list()).some(({ id }) => id === block.id))
  })
})
