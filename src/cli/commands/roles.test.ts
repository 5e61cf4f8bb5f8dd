import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { AdminRole } from '../../entities/admin/accounts/admin-role.ts'

const testServer = await openTestServer()
after(testServer.close)
const linnet = await openCommandLine(testServer)
const ann = await testServer.createUser({ username: 'ann' })
await testServer.createUser({ role: 'owner' })

const find = async (name: string) =>
  (await linnet.json<AdminRole[]>('roles', 'list')).find((role) => role.name.toLowerCase() === name)

const readAudit = async () =>
  (await testServer.ctx.db.selectFrom('audit_log_entries').selectAll().orderBy('id', 'desc').execute()).map(
    ({ action, target_type, label, account_id }) => [action, target_type, label, account_id],
  )

test('roles list prints the roles with the names of their permissions', async () => {
  const roles = await linnet.json<AdminRole[]>('roles', 'list')
  for (const role of roles) assertEntity('AdminRole', role)
  assert.deepEqual(
    roles.map(({ id }) => id),
    ['3', '2', '1', '-99'],
  )
  const lines = await linnet.lines('roles', 'list')
  assert.match(lines[0]!, /^3\tOwner\t\d+\t\S+\tbadge\tadministrator$/)
  assert.match(lines[3]!, /^-99\teveryone\t-1\t-\t-\t/)
})

test('roles create creates a role, which modify changes, accounts role gives, and delete deletes', async () => {
  const values = ['--permissions', 'manage_reports, manage_users', '--position', '7', '--color', '#6364ff']
  const [id] = await linnet.lines('roles', 'create', 'Helper', ...values, '--highlighted')
  const helper = { id, name: 'Helper', permissions: '1040', color: '#6364ff', position: 7, highlighted: true }
  assert.deepEqual(await find('helper'), { ...helper, collection_limit: 10, require_2fa: false })
  assert.deepEqual((await readAudit())[0], ['create', 'role', 'Helper', null])

  assert.deepEqual(await linnet.lines('accounts', 'role', 'ann', 'helper'), ['OK'])
  const { body } = await ann.client.get('/api/v1/accounts/verify_credentials')
  assert.equal(body.role.id, id)

  const changes = [
    '--name',
    'Aide',
    '--permissions',
    'none',
    '--no-highlighted',
    '--collection-limit',
    '3',
    '--require-2fa',
  ]
  assert.deepEqual(await linnet.json('roles', 'modify', 'HELPER', ...changes), {
    ...helper,
    name: 'Aide',
    permissions: '0',
    highlighted: false,
    collection_limit: 3,
    require_2fa: true,
  })
  assert.deepEqual(await linnet.lines('roles', 'modify', id!, '--position', '5'), ['OK'])
  assert.deepEqual([(await find('aide'))?.position, (await find('aide'))?.permissions], [5, '0'])
  await linnet.lines('roles', 'modify', id!, '--no-require-2fa')
  assert.equal((await find('aide'))?.require_2fa, false)

  assert.deepEqual(await linnet.lines('roles', 'delete', 'aide'), ['OK'])
  assert.deepEqual([await find('aide'), (await readAudit())[0]], [undefined, ['delete', 'role', 'Aide', null]])
  const { body: without } = await ann.client.get('/api/v1/accounts/verify_credentials')
  assert.equal(without.role.id, '-99')
})

test('roles modify changes the base role', async () => {
  assert.deepEqual(await linnet.lines('roles', 'modify', 'everyone', '--permissions', 'invite_users'), ['OK'])
  assert.equal((await find(''))?.permissions, '65536')
  assert.match(await linnet.error('roles', 'modify', 'everyone', '--permissions', '1'), /not safe for all users/)
})

test('invalid calls fail and change nothing', async () => {
  const before = await linnet.json('roles', 'list')
  for (const [args, text] of [
    [['delete', 'nobody'], 'There is no role nobody'],
    [['delete', 'owner'], 'The role Owner cannot be deleted'],
    [['delete', 'everyone'], 'The role everyone cannot be deleted'],
    [['modify', 'admin'], 'Specify at least one option'],
    [['modify', 'owner', '--permissions', 'none'], /of the owner's role cannot be changed/],
    [['create', ' '], /Name can't be blank/],
    [['create', 'x', '--color', 'teal'], /Color is invalid/],
  ] as const) {
    const line = await linnet.error('roles', ...args)
    if (typeof text === 'string') assert.equal(line, text)
    else assert.match(line, text)
  }
  for (const [option, value, text] of [
    ['--permissions', 'manage_report', /There is no permission manage_report\. Did you mean manage_reports\?/],
    ['--position', '-1', /whole number from 0/],
  ] as const) {
    const { code, stderr } = await linnet.run('roles', 'create', 'x', option, value)
    assert.equal(code, 1)
    assert.match(stderr, text)
  }
  assert.deepEqual(await linnet.json('roles', 'list'), before)
})
