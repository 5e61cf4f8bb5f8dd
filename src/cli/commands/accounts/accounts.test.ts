import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createBrowser } from '../../../../test/http/browser.ts'
import { urlOf } from '../../../../test/servers/linnet-process.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import type { AdminAuditLogEntry } from '../../../entities/admin/operations/admin-audit-log-entry.ts'
import type { Notification } from '../../../entities/notifications/notification.ts'
import { serverConnection } from '../../../../test/services/database/test-database.ts'

let testServer: TestServer
let env: Record<string, string>

before(async () => {
  testServer = await openTestServer()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(testServer.ctx.db)
  const server = await serverConnection()
  env = {
    DATABASE_URL: urlOf({ ...server, database: rows[0]!.name }),
    DATA_DIR: testServer.ctx.config.dataDir,
    LOCAL_DOMAIN: 'linnet.test',
  }
})
after(() => testServer.close())

const linnet = (...args: string[]) => runCommand(args, env)

async function logIn(login: string, password: string) {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  await browser.submit(page, '/auth/sign_in', { login, password })
  return browser.get('/account')
}

test('create creates an account and prints its password, and a created token works', async () => {
  const made = await linnet(
    'accounts',
    'create',
    'admin',
    '--email',
    'admin@mail.test',
    '--role',
    'owner',
    '--confirmed',
    '--approved',
  )
  assert.deepEqual([made.code, made.stderr], [0, ''])
  const [, password] = /^OK\nNew password: (\S+)\n$/.exec(made.stdout)!
  assert.match((await logIn('admin', password!)).text, /Hello, admin/)

  const token = await linnet('tokens', 'create', '@Admin@linnet.test')
  assert.deepEqual([token.code, token.stderr], [0, ''])
  assert.match(token.stdout, /^[\w-]{43}\n$/)
  const account = await testServer.anonymous.send({
    method: 'GET',
    url: '/api/v1/accounts/verify_credentials',
    headers: { authorization: `Bearer ${token.stdout.trim()}` },
  })
  assert.equal(account.status, 200)
  assert.equal(account.body.role.name, 'Owner')
  const app = await testServer.anonymous.send({
    method: 'GET',
    url: '/api/v1/apps/verify_credentials',
    headers: { authorization: `Bearer ${token.stdout.trim()}` },
  })
  assert.equal(app.body.name, 'Command line')
  assert.deepEqual(await scopesOf(token.stdout), ['read', 'write', 'follow', 'push'])
  const narrow = await linnet('tokens', 'create', 'admin', '--scopes', 'read:lists  write:lists')
  assert.deepEqual(await scopesOf(narrow.stdout), ['read:lists', 'write:lists'])
})

async function scopesOf(token: string): Promise<string[]> {
  const { hashSecret } = await import('../../../lib/secrets.ts')
  const row = await testServer.ctx.db
    .selectFrom('access_tokens')
    .select('scopes')
    .where('token_hash', '=', hashSecret(token.trim()))
    .executeTakeFirstOrThrow()
  return row.scopes
}

test('a chosen password is used and not printed; without flags the e-mail address must be confirmed', async () => {
  const made = await linnet(
    'accounts',
    'create',
    'plain',
    '--email',
    'plain@mail.test',
    '--password',
    'correct horse battery',
  )
  assert.deepEqual(made, { code: 0, stdout: 'OK\n', stderr: '' })
  assert.match((await logIn('plain', 'correct horse battery')).location ?? '', /^\/auth\/setup$/)
  await testServer.waitForJobs()
  const list = await linnet('mail', 'list')
  const [, id] = /^(\d+)\t\S+\tplain@mail\.test\tConfirm your e-mail address for linnet\.test\tstored$/m.exec(
    list.stdout,
  )!
  const mail = await linnet('mail', 'show', id!)
  assert.match(mail.stdout, /^To: plain@mail\.test\nSubject: Confirm your e-mail address for linnet\.test\nDate: /)
  const link = /https:\/\/linnet\.test(\/auth\/confirmation\?confirmation_token=\S+)/.exec(mail.stdout)![1]!
  assert.equal((await createBrowser(testServer.server).get(link)).status, 200)
})

test('an administrator changes the registrations mode and approves pending users', async () => {
  assert.deepEqual(await linnet('settings', 'registrations', 'approved'), { code: 0, stdout: 'OK\n', stderr: '' })
  const { body } = await testServer.anonymous.get('/api/v2/instance')
  assert.deepEqual([body.registrations.enabled, body.registrations.approval_required], [true, true])
  await linnet(
    'accounts',
    'create',
    'asker',
    '--email',
    'asker@mail.test',
    '--confirmed',
    '--password',
    'correct horse battery',
  )
  assert.match((await logIn('asker', 'correct horse battery')).text, /Waiting for approval/)
  assert.equal((await linnet('accounts', 'approve', 'asker')).code, 0)
  assert.match((await logIn('asker', 'correct horse battery')).text, /Hello, asker/)
})

test('an error is one line on standard error, with nothing on standard output', async () => {
  const wrong: [string[], RegExp][] = [
    [
      ['accounts', 'create', 'not ok', '--email', 'a@mail.test'],
      /^Validation failed: Username must contain only letters, numbers and underscores\n$/,
    ],
    [
      ['accounts', 'create', 'ADMIN', '--email', 'a@mail.test'],
      /^Validation failed: Username has already been taken\n$/,
    ],
    [['accounts', 'create', 'x', '--email', 'a,b@mail.test'], /^Validation failed: Email is invalid\n$/],
    [
      ['accounts', 'create', 'x', '--email', 'a@mail.test', '--password', 'short'],
      /^Validation failed: Password is too short/,
    ],
    [['accounts', 'approve', 'nobody'], /^No local account is named nobody\n$/],
    [['tokens', 'create', 'nobody'], /^No local account is named nobody\n$/],
    [['tokens', 'create', 'admin', '--scopes', 'read writ'], /There is no scope writ\. Did you mean write\?\n/],
    [['tokens', 'create', 'admin', '--scopes', ' '], /It must have at least one scope\.\n/],
    [['mail', 'show', '999999'], /^There is no unsent mail 999999\n$/],
  ]
  for (const [args, text] of wrong) {
    const { code, stdout, stderr } = await linnet(...args)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, text)
  }
  for (const args of [
    ['accounts', 'create', 'x'],
    ['accounts', 'create', 'x', '--email', 'a@mail.test', '--role', 'king'],
    ['settings', 'registrations', 'maybe'],
  ]) {
    const { code, stdout } = await linnet(...args)
    assert.deepEqual([code, stdout], [1, ''])
  }
})

test('accounts are moderated by their handles, and each action can be undone', async () => {
  const user = await testServer.createUser({ username: 'noisy' })
  const stateOf = async () => {
    const { suspended_at, silenced_at, sensitized_at } = await testServer.ctx.db
      .selectFrom('accounts')
      .select(['suspended_at', 'silenced_at', 'sensitized_at'])
      .where('id', '=', user.accountId)
      .executeTakeFirstOrThrow()
    const { disabled_at, role_id } = await testServer.ctx.db
      .selectFrom('users')
      .select(['disabled_at', 'role_id'])
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
    const states = { suspended_at, silenced_at, sensitized_at, disabled_at }
    return [role_id, ...Object.entries(states).flatMap(([name, at]) => (at ? [name] : []))]
  }
  for (const [action, reversal, state] of [
    ['disable', 'enable', 'disabled_at'],
    ['sensitive', 'unsensitive', 'sensitized_at'],
    ['limit', 'unlimit', 'silenced_at'],
    ['suspend', 'unsuspend', 'suspended_at'],
  ] as const) {
    const done = await linnet('accounts', action, 'Noisy', '--text', 'Quiet, please')
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'OK\n', ''], action)
    assert.deepEqual(await stateOf(), ['-99', state])
    await testServer.waitForJobs()
    assert.equal((await linnet('accounts', reversal, '@noisy@linnet.test')).code, 0, reversal)
    assert.deepEqual(await stateOf(), ['-99'])
  }
  assert.equal((await linnet('accounts', 'role', 'noisy', 'moderator')).code, 0)
  assert.deepEqual(await stateOf(), ['1'])
  await testServer.waitForJobs()
  const { body } = await user.client.get<Notification[]>('/api/v1/notifications', { types: ['moderation_warning'] })
  assert.deepEqual(
    body.map(({ moderation_warning: warning }) => [warning!.action, warning!.text]),
    // A suspended user gets only the mail.
    ['silence', 'sensitive', 'disable'].map((action) => [action, 'Quiet, please']),
  )
  const isMemorial = async () => (await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).body.memorial
  assert.equal((await linnet('accounts', 'memorialize', 'noisy')).stdout, 'OK\n')
  assert.equal(await isMemorial(), true)
  assert.match((await linnet('accounts', 'show', 'noisy')).stdout, /^states +memorial$/m)
  assert.equal((await linnet('accounts', 'unmemorialize', 'noisy')).stdout, 'OK\n')
  assert.equal(await isMemorial(), undefined)
  for (const [args, text] of [
    [['suspend', 'nobody@remote.test'], 'No account is named nobody@remote.test\n'],
    [['unsuspend', 'noisy'], 'This is not possible for noisy in its state\n'],
    [['role', 'noisy', 'king'], 'There is no role king\n'],
  ] as const) {
    const { code, stdout, stderr } = await linnet('accounts', ...args)
    assert.deepEqual([code, stdout, stderr], [1, '', text])
  }
})

test('an account is deleted by name, if the deletion is confirmed', async () => {
  await testServer.createUser({ username: 'leaver' })
  const unconfirmed = await linnet('accounts', 'delete', '@Leaver')
  assert.deepEqual(
    [unconfirmed.code, unconfirmed.stderr],
    [1, 'This deletes @Leaver permanently; use --yes to confirm\n'],
  )
  const done = await linnet('accounts', 'delete', 'Leaver@linnet.test', '--yes')
  assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'OK\n', ''])
  assert.equal((await testServer.anonymous.get('/api/v1/accounts/lookup', { acct: 'leaver' })).status, 404)
  const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read' })
  const { body: log } = await owner.client.get<AdminAuditLogEntry[]>('/api/v1/admin/audit_log', { action: 'delete' })
  assert.deepEqual(
    log.map((entry) => [entry.account, entry.target_type, entry.label]),
    [[null, 'account', 'leaver']],
  )
  const again = await linnet('accounts', 'delete', 'leaver', '--yes')
  assert.deepEqual([again.code, again.stderr], [1, 'No local account is named leaver\n'])
})

test('a new user can have any role that exists', async () => {
  const create = (name: string, role: string) =>
    linnet(
      'accounts',
      'create',
      name,
      '--email',
      `${name}@mail.test`,
      '--role',
      role,
      '--password',
      'correct horse battery',
    )
  const [id] = (await linnet('roles', 'create', 'Gardeners')).stdout.split('\n')
  assert.equal((await create('gardener', 'gardeners')).code, 0)
  const user = testServer.ctx.db.selectFrom('users').select('role_id').where('email', '=', 'gardener@mail.test')
  assert.equal((await user.executeTakeFirstOrThrow()).role_id, id)
  assert.equal((await linnet('roles', 'delete', 'admin')).code, 0)
  assert.deepEqual(await create('second', 'admin'), { code: 1, stdout: '', stderr: 'There is no role admin\n' })
})
