import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminInvite, Invite } from '../../../../../entities/accounts/invite.ts'

const PATH = '/api/v1/admin/invites'

const testServer = await openTestServer()
after(testServer.close)
const admin = await testServer.createUser({ role: 'admin', scopes: 'read write admin:read admin:write' })
const user = await testServer.createUser()

async function list(state?: string): Promise<AdminInvite[]> {
  const { status, body } = await admin.client.get<AdminInvite[]>(PATH, state === undefined ? {} : { state })
  assert.equal(status, 200)
  for (const invite of body) assertEntity('AdminInvite', invite)
  return body
}

const create = async () => (await user.client.post<Invite>('/api/v1/invites', { max_uses: 3 })).body

suite('invites of all users', () => {
  test('are listed with their inviters, by their state', async () => {
    const [first, second] = [await create(), await create()]
    await user.client.delete(`/api/v1/invites/${first.id}`)
    assert.deepEqual(
      (await list()).map((invite) => [invite.id, invite.account.id]),
      [
        [second.id, user.accountId],
        [first.id, user.accountId],
      ],
    )
    const idsOf = async (state: string) => (await list(state)).map(({ id }) => id)
    assert.deepEqual([await idsOf('available'), await idsOf('expired')], [[second.id], [first.id]])
    assert.equal((await admin.client.get(PATH, { state: 'nonsense' })).status, 422)
  })

  test('are created by staff, expire, and each action is in the audit log without the code', async () => {
    const { status, body } = await admin.client.post<AdminInvite>(PATH, { max_uses: 2, comment: 'Press' })
    assert.equal(status, 200, JSON.stringify(body))
    assertEntity('AdminInvite', body)
    assert.deepEqual([body.max_uses, body.comment, body.account.id], [2, 'Press', admin.accountId])
    assert.equal((await admin.client.post(PATH, { max_uses: -1 })).status, 422)
    const other = await create()
    for (const { id } of [body, other, other]) assert.deepEqual((await admin.client.delete(`${PATH}/${id}`)).body, {})
    assert.equal((await testServer.anonymous.get(`/api/v1/invites/${other.code}`)).status, 401)
    const third = await create()
    assert.deepEqual((await admin.client.post(`${PATH}/deactivate_all`)).body, {})
    assert.deepEqual(await list('available'), [])
    assert.equal((await testServer.anonymous.get(`/api/v1/invites/${third.code}`)).status, 401)
    const entries = await testServer.ctx.db
      .selectFrom('audit_log_entries')
      .selectAll()
      .where('target_type', '=', 'invite')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.target_id, entry.label]),
      [
        ['create', body.id, admin.username],
        ['expire', body.id, admin.username],
        ['expire', other.id, user.username],
        ['expire_all', null, 'all'],
      ],
    )
    for (const { code } of [body, other, third]) assert.ok(!JSON.stringify(entries).includes(code))
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 404)
  })
})
