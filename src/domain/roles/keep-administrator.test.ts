import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'
import { takeAccountAction } from '../moderation/accounts/moderate-account.ts'

const REFUSAL = 'At least one administrator who can log in must remain'

const PASSWORD = ['--password', 'correct horse battery']

async function withServer(work: (testServer: TestServer) => Promise<void>): Promise<void> {
  const testServer = await openTestServer({ env: { DB_POOL: '10' } })
  try {
    await work(testServer)
  } finally {
    await testServer.close()
  }
}

describe('the last administrator', () => {
  test('cannot be disabled, suspended, made a memorial, demoted or deleted on the command line', () =>
    withServer(async (testServer) => {
      const linnet = await openCommandLine(testServer)
      const { userId } = await testServer.createUser({ username: 'captain', role: 'owner' })
      const refused = [
        ['disable', 'captain'],
        ['suspend', 'captain'],
        ['memorialize', 'captain'],
        ['role', 'captain', 'admin'],
        ['modify', 'captain', '--disable'],
        ['modify', 'captain', '--remove-role'],
        ['delete', 'captain', '--yes'],
      ]
      for (const args of refused) assert.equal(await linnet.error('accounts', ...args), REFUSAL, args.join(' '))
      const warnings = await testServer.ctx.db.selectFrom('account_warnings').selectAll().execute()
      assert.deepEqual(warnings, [])
      await testServer.createUser({ username: 'mate', role: 'owner' })
      await linnet.lines('accounts', 'disable', 'captain')
      assert.equal(await linnet.error('accounts', 'delete', 'mate', '--yes'), REFUSAL)
      await linnet.lines('accounts', 'delete', 'captain', '--yes')
      const { db } = testServer.ctx
      assert.deepEqual(await db.selectFrom('users').selectAll().where('id', '=', userId).execute(), [])
    }))

  test('is one who can log in: others do not count, and may be changed if there is nobody else', () =>
    withServer(async (testServer) => {
      const linnet = await openCommandLine(testServer)
      await linnet.lines('accounts', 'create', 'pending', '--email', 'a@mail.test', '--role', 'owner', ...PASSWORD)
      await linnet.lines('accounts', 'role', 'pending', 'admin')
      await linnet.lines('accounts', 'role', 'pending', 'owner')
      const options = ['--role', 'owner', '--confirmed', '--approved', ...PASSWORD]
      for (const name of ['gone', 'away', 'captain'])
        await linnet.lines('accounts', 'create', name, '--email', `${name}@mail.test`, ...options)
      await linnet.lines('accounts', 'memorialize', 'gone')
      await linnet.lines('accounts', 'suspend', 'away', '--no-notify')
      assert.equal(await linnet.error('accounts', 'role', 'captain', 'admin'), REFUSAL)
    }))

  test('remains if two administrators disable each other at once', () =>
    withServer(async (testServer) => {
      const users = [await testServer.createUser({ role: 'owner' }), await testServer.createUser({ role: 'owner' })]
      const results = await Promise.allSettled(
        users.map(({ accountId }) =>
          testServer.ctx.write((tx) => takeAccountAction(tx, { accountId, by: null, action: 'disable' })),
        ),
      )
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
      assert.deepEqual(
        reasons.map(({ message }) => message),
        [REFUSAL],
      )
    }))
})
