import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../../test/command-line.ts'
import { createRemoteAccount } from '../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { AdminAccount } from '../../../entities/admin/accounts/admin-account.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const linnet = await openCommandLine(testServer)
const ann = await testServer.createUser({ username: 'ann', role: 'moderator' })
const ben = await testServer.createUser({ username: 'ben' })
const remoteId = await createRemoteAccount(ctx)

test('accounts list prints one line per account, newest first, with its states', async () => {
  await linnet.lines('accounts', 'limit', 'ben')
  await linnet.lines('accounts', 'sensitive', 'ben')
  const rows = (await linnet.lines('accounts', 'list', '--origin', 'local')).map((line) => line.split('\t'))
  assert.deepEqual(
    rows.map((row) => row.slice(0, 5)),
    [
      [ben.accountId, 'ben', ben.email, 'user', 'sensitive,limited'],
      [ann.accountId, 'ann', ann.email, 'Moderator', 'active'],
    ],
  )
})

test('accounts list filters as the admin API does, and prints its entities with --json', async () => {
  const idsOf = async (...args: string[]) => {
    const accounts = await linnet.json<AdminAccount[]>('accounts', 'list', ...args)
    for (const account of accounts) assertEntity('AdminAccount', account)
    return accounts.map(({ id }) => id)
  }
  assert.deepEqual(await idsOf(), [remoteId, ben.accountId, ann.accountId])
  assert.deepEqual(await idsOf('--origin', 'remote'), [remoteId])
  assert.deepEqual(await idsOf('--staff'), [ann.accountId])
  assert.deepEqual(await idsOf('--role', 'moderator'), [ann.accountId])
  const [roleId] = await linnet.lines('roles', 'create', 'Keeper', '--permissions', 'manage_rules', '--position', '2')
  await linnet.lines('accounts', 'role', 'ben', 'keeper')
  assert.deepEqual(await idsOf('--role', 'Keeper'), [ben.accountId])
  assert.deepEqual(await idsOf('--role', roleId!), [ben.accountId])
  await linnet.lines('accounts', 'role', 'ben', 'user')
  await linnet.lines('roles', 'delete', roleId!)
  assert.deepEqual(await idsOf('--status', 'silenced'), [ben.accountId])
  assert.deepEqual(await idsOf('--username', 'AN'), [ann.accountId])
  assert.deepEqual(await idsOf('--email', ben.email.slice(0, 5)), [ben.accountId])
  assert.deepEqual(await idsOf('--domain', 'unknown.test'), [])
  assert.deepEqual(await idsOf('--ip', '192.0.2.0/24'), [])
})

test('a list that is cut says how to continue', async () => {
  const first = await linnet.run('accounts', 'list', '--limit', '2')
  assert.equal(first.stderr, `There may be more: use --after ${ben.accountId}\n`)
  const rest = await linnet.lines('accounts', 'list', '--limit', '2', '--after', ben.accountId)
  assert.deepEqual(
    rest.map((line) => line.split('\t')[1]),
    ['ann'],
  )
})

test('options that are no domain, range or id are refused', async () => {
  for (const args of [
    ['--domain', 'no domain'],
    ['--ip', '1.2.3'],
    ['--after', 'x'],
    ['--status', 'gone'],
    ['--staff', '--role', 'admin'],
    ['--role', 'keeper'],
  ]) {
    const { code, stdout } = await linnet.run('accounts', 'list', ...args)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
  }
})

test('accounts show prints the states, the e-mail address, the sign-ins and the warnings', async () => {
  const sign_in = { user_id: ben.userId, ip: '198.51.100.7', id_hash: Buffer.from('a session') }
  await ctx.db
    .insertInto('sessions')
    .values({ ...sign_in, last_used_at: new Date('2026-01-02T03:04:05Z'), expires_at: new Date('2030-01-01') })
    .execute()
  await linnet.lines('accounts', 'warn', 'ben', '--text', 'Be\nkind')
  const lines = await linnet.lines('accounts', 'show', '@ben@linnet.test')
  const has = (pattern: RegExp) =>
    assert.ok(
      lines.some((line) => pattern.test(line)),
      `${pattern} in ${lines.join('\n')}`,
    )
  has(new RegExp(`^e-mail +${ben.email}$`))
  has(/^states +sensitive, limited$/)
  has(/^sign-in +2026-01-02T03:04:05\.000Z 198\.51\.100\.7$/)
  has(/^warning +\S+ none by the command line Be kind$/)
  has(/^followers +0$/)
  const shown = await linnet.json<AdminAccount & { warnings: { action: string; created_at: string }[] }>(
    'accounts',
    'show',
    'ben',
  )
  const { warnings, ...account } = shown
  assertEntity('AdminAccount', account)
  assert.deepEqual(
    warnings.map(({ action }) => action),
    ['none', 'sensitive', 'silence'],
  )
  assert.equal(await linnet.error('accounts', 'show', 'nobody@remote.test'), 'No account is named nobody@remote.test')
})
