import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { ROLE_IDS } from '../../../../../domain/accounts/registration/insert-local-account.ts'
import { deleteRole } from '../../../../../domain/roles/write-role.ts'
import type { AdminRole } from '../../../../../entities/admin/accounts/admin-role.ts'

const PATH = '/api/v1/admin/roles'
const SCOPES = 'read write admin:read admin:write'
const BIT = { manageReports: 1 << 4, manageUsers: 1 << 10, inviteUsers: 1 << 16, manageRoles: 1 << 17 }

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)
const { ctx } = testServer
const owner = await testServer.createUser({ role: 'owner', scopes: SCOPES })
const admin = await testServer.createUser({ role: 'admin', scopes: SCOPES })

async function create(payload: object, by: TestUser = owner): Promise<AdminRole> {
  const { status, body } = await by.client.post<AdminRole>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminRole', body)
  return body
}

async function get(id: string): Promise<AdminRole> {
  const { status, body } = await owner.client.get<AdminRole>(`${PATH}/${id}`)
  assert.equal(status, 200)
  assertEntity('AdminRole', body)
  return body
}

/** Returns the status and the error of a request that is refused. */
async function refusal(answer: Promise<{ status: number; body: object }>): Promise<string> {
  const { status, body } = await answer
  return `${status} ${(body as { error: string }).error.replace('Validation failed: ', '')}`
}

async function assign(user: TestUser, roleId: string): Promise<void> {
  const { status } = await owner.client.put(`/api/v1/admin/accounts/${user.accountId}/role`, { role_id: roleId })
  assert.equal(status, 200)
}

const put = (id: string, payload: object, by = owner) => by.client.put<AdminRole>(`${PATH}/${id}`, payload)
const remove = (id: string, by = owner) => by.client.delete(`${PATH}/${id}`)

suite('roles', () => {
  test('are created, viewed, changed and deleted, and each action is in the audit log', async () => {
    const created = await create({
      name: ' Helper ',
      color: '#ABC',
      position: 5,
      permissions: ['manage_reports', 'invite_users'],
      highlighted: true,
      collection_limit: 20,
    })
    const { id } = created
    const permissions = String(BIT.manageReports | BIT.inviteUsers)
    const values = { name: 'Helper', color: '#aabbcc', position: 5, permissions, highlighted: true }
    assert.deepEqual(created, { id, ...values, collection_limit: 20, require_2fa: false })
    assert.deepEqual(await get(id), created)
    const { body: changed } = await put(id, { permissions: String(BIT.manageUsers), color: '' })
    assert.deepEqual(changed, { ...created, permissions: String(BIT.manageUsers), color: '' })
    assert.equal((await put(id, { permissions: [] })).body.permissions, '0')
    assert.deepEqual([(await remove(id)).body, (await owner.client.get(`${PATH}/${id}`)).status], [{}, 404])
    const entries = await ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'role')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map((entry) => `${entry.action} ${entry.label}`),
      ['create Helper', 'update Helper', 'update Helper', 'delete Helper'],
    )
    assert.ok(entries.every((entry) => entry.account_id === owner.accountId))
  })

  test('are listed by their position, with the base role last', async () => {
    const { id } = await create({ name: 'Middle', position: 50 })
    const { body } = await owner.client.get<AdminRole[]>(PATH)
    assert.deepEqual(
      body.map((role) => role.id),
      [ROLE_IDS.owner, ROLE_IDS.admin, id, ROLE_IDS.moderator, ROLE_IDS.user],
    )
    await remove(id)
  })

  test('need a name, and a valid color, position, limit and permissions', async () => {
    const bad: [object, string][] = [
      [{}, "Name can't be blank"],
      [{ name: ' ' }, "Name can't be blank"],
      [{ name: 'x'.repeat(101) }, 'Name is too long (maximum is 100 characters)'],
      [{ name: 'x', color: 'red' }, 'Color is invalid'],
      [{ name: 'x', position: -1 }, 'Position is invalid'],
      [{ name: 'x', position: 2 ** 40 }, 'Position is invalid'],
      [{ name: 'x', collection_limit: -1 }, 'Collection limit must be between 0 and 1000'],
      [{ name: 'x', permissions: String(2 ** 40) }, 'Permissions are invalid'],
      [{ name: 'x', permissions: '-1' }, 'Permissions are invalid'],
      [{ name: 'x', permissions: ['fly'] }, 'Permissions are invalid'],
    ]
    for (const [payload, error] of bad)
      assert.ok((await refusal(owner.client.post(PATH, payload))).startsWith(`422 ${error}`), JSON.stringify(payload))
    const { body } = await owner.client.post(PATH, { position: -1 })
    assert.deepEqual(body.details, {
      name: [{ error: 'ERR_BLANK', description: "Name can't be blank" }],
      position: [{ error: 'ERR_INVALID', description: 'Position is invalid' }],
    })
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', '-1', 'nonsense']) {
      assert.equal((await owner.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await put(id, { name: 'x' })).status, 404, id)
      assert.equal((await remove(id)).status, 404, id)
    }
  })

  test('are at most one hundred', async () => {
    await sql`insert into roles (name, position, permissions) select 'many', 1, 0 from generate_series(1, 96)`.execute(
      ctx.db,
    )
    assert.equal(await refusal(owner.client.post(PATH, { name: 'x' })), '422 There cannot be more than 100 roles')
    await ctx.db.deleteFrom('roles').where('name', '=', 'many').execute()
  })
})

suite('the badge and the rights of a role', () => {
  test('appear in the entities of its users, and change with it at the next request', async () => {
    const user = await testServer.createUser({ scopes: SCOPES })
    const { id } = await create({ name: 'Helper', position: 5, permissions: ['manage_users'], highlighted: true })
    const badges = async () => (await owner.client.get(`/api/v1/accounts/${user.accountId}`)).body.roles
    const own = async () => (await user.client.get('/api/v1/accounts/verify_credentials')).body.role
    assert.deepEqual(await badges(), [])
    await assign(user, id)
    assert.deepEqual(await badges(), [{ id, name: 'Helper', color: '' }])
    assert.deepEqual([(await own()).id, (await own()).permissions], [id, String(BIT.manageUsers | BIT.inviteUsers)])
    await put(id, { name: 'Guide', color: '#010203' })
    assert.deepEqual(await badges(), [{ id, name: 'Guide', color: '#010203' }])
    await put(id, { highlighted: false })
    assert.deepEqual([await badges(), (await own()).name], [[], 'Guide'])
    await remove(id)
    assert.deepEqual([(await own()).id, await badges()], [ROLE_IDS.user, []])
  })

  test('AD2 end at the next request after the role lost the permission, or was deleted', async () => {
    const user = await testServer.createUser({ scopes: SCOPES })
    const { id } = await create({ name: 'Helper', position: 5, permissions: ['manage_users'] })
    await assign(user, id)
    const use = async () => (await user.client.get('/api/v1/admin/accounts')).status
    assert.equal(await use(), 200)
    await put(id, { permissions: ['manage_reports'] })
    assert.equal(await use(), 403)
    await put(id, { permissions: ['manage_users'] })
    assert.equal(await use(), 200)
    await remove(id)
    assert.equal(await use(), 403)
  })

  test('for every user may only include invitations', async () => {
    const base = await get(ROLE_IDS.user)
    assert.deepEqual([base.name, base.permissions, base.position], ['', String(BIT.inviteUsers), -1])
    assert.equal((await put(base.id, { permissions: [], collection_limit: 3 })).body.permissions, '0')
    const user = await testServer.createUser()
    const { body } = await user.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual([body.role.permissions, body.role.collection_limit], ['0', 3])
    await put(base.id, { permissions: ['invite_users'], collection_limit: 10 })
    assert.deepEqual(await get(base.id), base)
    for (const [payload, error] of [
      [{ permissions: ['manage_reports'] }, 'Permissions are not safe for all users'],
      [{ name: 'All' }, 'Name of the base role cannot be changed'],
      [{ position: 3 }, 'Position of the base role cannot be changed'],
      [{ highlighted: true }, 'Highlighted of the base role cannot be changed'],
    ] as const)
      assert.equal(await refusal(put(base.id, payload)), `422 ${error}`)
    assert.equal((await remove(base.id)).status, 403)
  })
})

suite('AD1 the staff', () => {
  test('manage only roles below their own, and grant only their own permissions', async () => {
    const equal = await create({ name: 'Equal', position: 100 })
    for (const id of [equal.id, ROLE_IDS.owner]) {
      assert.equal((await put(id, { name: 'x' }, admin)).status, 403)
      assert.equal((await remove(id, admin)).status, 403)
    }
    const send = (payload: object) => refusal(admin.client.post(PATH, { name: 'x', ...payload }))
    for (const position of [100, 1000])
      assert.equal(await send({ position }), '422 Position must be lower than that of your own role')
    for (const permission of ['administrator', 'view_devops'])
      assert.equal(
        await send({ permissions: [permission] }),
        '422 Permissions include permissions that you do not have',
      )
    const lower = await create({ name: 'Lower', position: 99, permissions: ['manage_roles'] }, admin)
    assert.equal(
      await refusal(put(lower.id, { position: 100 }, admin)),
      '422 Position must be lower than that of your own role',
    )
    await put(lower.id, { permissions: ['manage_roles', 'view_devops'] })
    assert.equal((await put(lower.id, { name: 'Renamed' }, admin)).body.name, 'Renamed')
    const helper = await testServer.createUser({ scopes: SCOPES })
    await assign(helper, lower.id)
    assert.equal((await helper.client.post(PATH, { name: 'x', permissions: ['manage_users'] })).status, 422)
    assert.equal((await create({ name: 'Lowest', permissions: ['manage_roles'] }, helper)).position, 0)
    assert.equal((await remove(lower.id, helper)).status, 403)
    for (const id of [equal.id, lower.id]) await remove(id)
  })

  test('change the name of their own role, but neither its permissions nor its position', async () => {
    assert.equal((await put(ROLE_IDS.admin, { name: 'Admins' }, admin)).body.name, 'Admins')
    assert.equal(
      await refusal(put(ROLE_IDS.admin, { permissions: ['manage_roles'] }, admin)),
      '422 Permissions of your own role cannot be changed',
    )
    assert.equal(
      await refusal(put(ROLE_IDS.admin, { position: 99 }, admin)),
      '422 Position of your own role cannot be changed',
    )
    assert.equal((await remove(ROLE_IDS.admin, admin)).status, 403)
    assert.equal((await put(ROLE_IDS.owner, { name: 'Captain' })).body.name, 'Captain')
    for (const payload of [{ permissions: ['manage_roles'] }, { position: 5 }])
      assert.equal((await put(ROLE_IDS.owner, payload)).status, 422)
    assert.equal((await remove(ROLE_IDS.owner)).status, 403)
  })

  test('cannot remove the last administrator, also if two act at once', async () => {
    const server = await openTestServer({ env: { DB_POOL: '10' } })
    try {
      const ids: string[] = []
      for (const name of ['First', 'Second']) {
        const { id } = await server.ctx.db
          .insertInto('roles')
          .values({ name, position: 5, permissions: '1' })
          .returning('id')
          .executeTakeFirstOrThrow()
        const { userId } = await server.createUser()
        await server.ctx.db.updateTable('users').set({ role_id: id }).where('id', '=', userId).execute()
        ids.push(id)
      }
      const results = await Promise.allSettled(
        ids.map((id) => server.ctx.write((tx) => deleteRole(tx, { id, by: null }))),
      )
      const rejected = results.filter((result) => result.status === 'rejected')
      assert.deepEqual(
        rejected.map(({ reason }) => (reason as Error).message),
        ['At least one administrator who can log in must remain'],
      )
    } finally {
      await server.close()
    }
  })
})
